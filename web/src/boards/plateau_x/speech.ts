// A turn, a cell and a result in words.

import { list } from '../../lib/i18n';
import type { Entry, Reason, Snapshot } from '../../lib/types';
import type { Aim, Hand } from './hand';
import { parse } from './moves';
import { endingOf, levelAt, pawnAt, plateauAt, type Position, type Size, type Standing, turnOf } from './view';
import { t } from './messages';

export const seatName = (seat: number): string => t().colours[seat] ?? '';

export const brickName = (size: number): string => t().bricks[size as Size];

export function moveName(text: string): string {
  const move = parse(text);
  switch (move.kind) {
    case 'brick':
      return t().brickOn(brickName(move.cells.length), move.cells.join(' '));
    case 'enter':
      return t().enterOn(move.cell);
    case 'move':
      return t().moveTo(move.from, move.to);
    case 'end':
      return t().declare;
  }
}

export function shortMove(text: string): string {
  const move = parse(text);
  if (move.kind === 'brick') return `${t().tool[move.cells.length as Size]} ${move.cells.join(' ')}`;
  return move.kind === 'move' ? `${move.from} → ${move.to}` : moveName(text);
}

export function describe(entry: Entry): string {
  const turn = turnOf(entry);
  const who = seatName(turn.seat);
  switch (turn.kind) {
    case 'brick':
      return t().lays(who, t().aBrick[turn.cells.length as Size], turn.cells.join(' '), turn.level);
    case 'enter':
      return t().enters(who, turn.cells[0] ?? '');
    case 'move':
      return turn.cells[0] === turn.cells[1] ? t().goesBack(who, turn.cells[0]) : t().goes(who, ...turn.cells, turn.level);
    case 'end':
      return t().declares(who);
  }
}

/** What is on a cell, for screen readers. */
export function cellInWords(position: Position, name: string): string {
  const pawn = pawnAt(position, name);
  const plateau = plateauAt(position, name);
  const parts = [t().cell(name, levelAt(position, name))];
  if (pawn) parts.push(t().pawnOf(seatName(pawn.seat)));
  if (plateau && plateau.cells.length > 1) parts.push(t().ofPlateau(plateau.cells.length));
  if (plateau?.owners.length && !pawn) parts.push(t().heldBy(list(plateau.owners.map(seatName))));
  return parts.join(', ');
}

/** What playing there would do, or why it cannot be done. */
export function aimInWords(hand: NonNullable<Hand>, aim: Aim, position: Position): string {
  const [first = ''] = aim.cells;
  if (aim.fault) return t().faults[aim.fault];
  if (hand.kind === 'enter') return t().enterHere(first);
  if (hand.kind === 'pawn') return t().goHere(first, levelAt(position, first));
  return t().fits(t().brickOn(brickName(hand.size), aim.cells.join(' ')), levelAt(position, first) + 1);
}

/** How high a seat's better pawn stands. */
export const heightInWords = ({ level }: Standing): string => (level < 0 ? t().none : t().level(level));

export const sizeInWords = ({ size }: Standing): string => (size ? t().size(size) : ''); // the bare board is not a plateau

/** From the first place to the last: what ranks each above the next. */
export function steps(standing: Standing[], ranking: readonly number[]): string[] {
  const order = inPlaces(standing, ranking);
  return order.slice(1).map((next, i) => {
    const one = order[i] ?? next;
    const said = one.level < 0 ? t().reasons.beside : t().reasons.before;
    return said(seatName(one.seat), seatName(next.seat), why(one, next));
  });
}

const inPlaces = (standing: Standing[], ranking: readonly number[]): Standing[] =>
  standing.toSorted((a, b) => (ranking[a.seat] ?? 0) - (ranking[b.seat] ?? 0));

function why(one: Standing, other: Standing): string {
  const reasons = t().reasons;
  if (one.level < 0) return reasons.shared;
  if (other.level < 0) return reasons.absent;
  if (one.level !== other.level) return reasons.level(one.level, other.level);
  if (one.size !== other.size) return reasons.size(one.size, other.size);
  return reasons.seniority(one.since ?? 0, other.since ?? 0);
}

export function explain(table: Snapshot, reason: Reason): string {
  const { code, standing } = endingOf(reason);
  const [first, second] = inPlaces(standing, table.ranking ?? []);
  const decided = first && second ? why(first, second) : '';
  return `${endInWords(table, code)} ${decided.slice(0, 1).toUpperCase()}${decided.slice(1)}.`;
}

function endInWords(table: Snapshot, code: string | undefined): string {
  const reasons = t().reasons;
  const last = table.history.at(-1);
  switch (code) {
    case 'no_brick_declared':
      return reasons.no_brick_declared(last ? seatName(turnOf(last).seat) : '');
    case 'no_move':
      return reasons.no_move;
    case 'repetition':
      return reasons.repetition;
    default:
      return '';
  }
}
