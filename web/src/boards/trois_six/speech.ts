// A turn, a position and a result in words.

import { m } from '../../lib/i18n';
import type { Reveal } from '../board';
import type { Entry, Reason, Snapshot } from '../../lib/types';
import { cellOf, NO_MOVE, numberOf } from './orders';
import { SHOWING } from './scene';
import { leftOf, type Order, type Pile, pileOn, type Position, positionOf, type Side, SIDES, turnOf } from './view';
import { t } from './messages';

export const seatName = (seat: number): string => t().sides[seat] ?? '';

export const pawnName = (side: Side, number: number): string => t().pawns[side]?.(number) ?? '';

export function moveName(move: string): string {
  const [number, cell] = [numberOf(move), cellOf(move) ?? ''];
  if (move === NO_MOVE) return t().noMove;
  return number === null ? t().blocks(cell) : t().goes(number, cell);
}

export function shortMove(move: string): string {
  const [number, cell] = [numberOf(move), cellOf(move) ?? ''];
  if (move === NO_MOVE) return '–';
  return number === null ? `✕ ${cell}` : `${number} → ${cell}`;
}

export function describe(entry: Entry): string {
  const { orders, swap } = turnOf(entry);
  const both: [Order, Order] = [orders[0], orders[1]];
  const [one, other] = [namedBy(0, both[0]), namedBy(1, both[1])];
  if (both[0].result === 'same_target') return t().sameTarget(one, other, both[0].to ?? '');
  if (swap) return t().swap(one, both[0].from ?? '', other, both[1].from ?? '');
  if (both.every(({ result }) => result === 'passed')) return t().bothPass;
  return SIDES.map((side) => done(side, both[side])).join(' ');
}

/** Both orders as they were given, before anything moves. */
export const reveal = ({ moves }: Entry): Reveal => ({
  title: t().revealed,
  text: SIDES.map((side) => `${m().moveBy(seatName(side), moveName(moves[side] ?? NO_MOVE))}.`).join(' '),
  lasts: SHOWING,
});

/** The pawn that an order names, or just whose order it is. */
const namedBy = (side: Side, { number }: Order): string => (number === null ? seatName(side) : pawnName(side, number));

function done(side: Side, order: Order): string {
  const [who, pawn, to] = [seatName(side), namedBy(side, order), order.to ?? ''];
  switch (order.result) {
    case 'passed':
      return t().passed(who);
    case 'void':
      return order.number === null ? t().blockedNothing(who, to) : t().impossible(pawn, to);
    case 'captured':
    case 'stacked':
      return order.under ? t().lands(pawn, pawnName(order.under.owner, order.under.number), to) : '';
    default:
      return t().moved(pawn, to);
  }
}

export function pileInWords({ owner, number, height }: Pile): string {
  const name = pawnName(owner, number);
  return height > 1 ? t().pile(name, height) : name;
}

export function cellInWords(position: Position, cell: string): string {
  const pile = pileOn(position, cell);
  return `${cell}: ${pile ? pileInWords(pile) : t().empty}`;
}

/** The whole board, for screen readers. */
export function boardInWords(position: Position): string {
  return SIDES.map((side) => {
    const piles = position.cells.filter(({ owner }) => owner === side);
    const where = piles.map((pile) => t().standsOn(pileInWords(pile), pile.cell)).join(', ');
    return `${t().left(seatName(side), leftOf(position, side))}: ${where}.`;
  }).join(' ');
}

export function explain(table: Snapshot, reason: Reason): string {
  const reasons = t().reasons;
  const winner = typeof reason.winner === 'number' ? reason.winner : 0;
  switch (reason.code) {
    case 'line':
      return reasons.line(seatName(winner));
    case 'both_lines':
      return reasons.both_lines;
    case 'two_left':
      return reasons.two_left(seatName(1 - winner), leftOf(positionOf(table.position), (1 - winner) as Side));
    case 'both_two_left':
      return reasons.both_two_left;
    case 'quiet':
      return reasons.quiet(Number(reason['turns']));
    default:
      return '';
  }
}
