// A turn, a place and a result in words.

import type { Entry, Reason, Snapshot } from '../../lib/types';
import { NAMES, nameOf, shapeOf } from './pieces';
import { type Cell, cellName, cellsOf, colourAt, type Colour, type Hand, laidOf, type Position, positionOf } from './view';
import { t } from './messages';

const squaresOf = (pieces: readonly string[]): number => pieces.reduce((sum, name) => sum + shapeOf(name).length, 0);
const ALL_SQUARES = squaresOf(NAMES);
const ANY_SIZE = 20; // names of cells do not depend on it when only shapes matter

export const inText = (colour: number): string => t().inText[colour] ?? '';

export const colourName = (colour: number): string => t().colours[colour] ?? '';

/** The colours a seat plays; the shared one belongs to no seat. */
export const coloursOf = (seat: number, table?: Pick<Snapshot, 'variant'>): Colour[] =>
  (table?.variant === 'two' ? [seat, seat + 2] : [seat]) as Colour[];

export function seatName(seat: number, table?: Pick<Snapshot, 'variant'>): string {
  const [one = 0, other] = coloursOf(seat, table);
  return other === undefined ? colourName(one) : pairName(one);
}

/** Blue and red, or yellow and green. */
export const pairName = (colour: number): string => t().pair(colourName(colour % 2), inText((colour % 2) + 2));

/** A piece is named with the first of its cells in reading order: the leftmost in the top row. */
function firstCell(names: string[]): string {
  const row = (name: string): number => Number(name.slice(1));
  const top = Math.max(...names.map(row));
  return names.filter((name) => row(name) === top).sort()[0] ?? '';
}

export function moveName(move: string): string {
  return t().pieceAt(nameOf(cellsOf(move, ANY_SIZE)), firstCell(move.split(',')));
}

export function describe(entry: Entry): string {
  const turn = laidOf(entry);
  const laid = t().lays(colourName(turn.colour), turn.piece, firstCell(turn.cells));
  return [laid, ...turn.out.map((colour) => t().isOut(colourName(colour)))].join(' ');
}

/** What lies on a cell, for screen readers. */
export function cellInWords(position: Position, cell: Cell): string {
  const name = cellName(cell, position.size);
  const colour = colourAt(position.board, cell);
  const holds = colour === null ? t().empty : inText(colour);
  return [name, holds, ...(position.attach.includes(name) ? [t().corner] : [])].join(', ');
}

export function explain(table: Snapshot, reason: Reason): string {
  if (reason.code !== 'blocked') return '';
  const scores = (reason['scores'] as number[]).map((score, colour) => {
    const text = `${colourName(colour)} ${minus(score)}`;
    return isUncounted(table, colour) ? t().reasons.uncounted(text) : text;
  });
  return t().reasons.blocked(scores.join(', '));
}

export const isUncounted = (table: Snapshot, colour: number): boolean =>
  table.variant === 'three' && colour === 3;

/** How many squares a seat has placed: the more, the better. Its points count what is left, below zero until the end. */
export function progress(table: Snapshot, seat: number): { figure: string; text: string } {
  const own = positionOf(table.position).colours.filter(({ colour }) => coloursOf(seat, table).includes(colour));
  const placed = own.reduce((sum, hand) => sum + squaresPlaced(hand), 0);
  return { figure: String(placed), text: t().squaresPlaced(placed) };
}

export const squaresPlaced = ({ pieces }: Hand): number => ALL_SQUARES - squaresOf(pieces);

/** With a true minus sign. */
export const minus = (score: number): string => String(score).replace('-', '−');

/** Whose colour it is, where that is not obvious: two colours a side, teams, the shared colour. */
export function belongs(table: Snapshot, position: Position, colour: Colour): string {
  if (table.variant === 'two') return t().sideOf(pairName(colour));
  if (table.variant === 'teams') return t().teamOf(pairName(colour));
  if (!isUncounted(table, colour)) return '';
  const seat = position.colours[colour]?.seat ?? 0;
  return table.you.length === 1 && table.you.includes(seat) ? t().sharedYours : t().sharedNow(inText(seat));
}
