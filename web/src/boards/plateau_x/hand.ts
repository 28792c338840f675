// What a player has in hand, and what pointing at a cell with it would do. This file draws nothing.

import type { Moves } from './moves';
import { type Cell, cellName, cellOf, inOrder, levelAt, pawnAt, plateauAt, type Position, type Size, SIZES } from './view';

export type Hand =
  | { kind: 'brick'; size: Size; turn: number } // quarter turns, clockwise
  | { kind: 'enter' } // a pawn to bring in
  | { kind: 'pawn'; from: string } // a pawn on the board
  | null;

export interface Aim {
  cells: string[]; // what the move would cover, or its last cell
  move: string;
  fault: Fault | null; // null: the server lists it
}

/** Why a move is not in the list: what can be seen on the board. */
export type Fault = 'pawn' | 'levels' | 'same' | 'raised' | 'barred' | 'way';

// The other cells of a brick, seen from the one pointed at: to the right, below, to the left, above.
const AROUND: readonly Cell[] = [
  { column: 1, row: 0 },
  { column: 0, row: -1 },
  { column: -1, row: 0 },
  { column: 0, row: 1 },
];

/** The cells of a brick around the one pointed at; pushed back onto the board where it would stick out. */
export function cover(at: string, size: Size, turn: number, side: number): string[] {
  const middle = cellOf(at);
  const arms = Array.from({ length: size - 1 }, (_, i) => AROUND[(turn + i) % 4] ?? { column: 0, row: 0 });
  const cells = [{ column: 0, row: 0 }, ...arms].map(({ column, row }) => ({ column: middle.column + column, row: middle.row + row }));
  const back = (of: 'column' | 'row'): number => {
    const values = cells.map((cell) => cell[of]);
    return Math.max(0, -Math.min(...values)) - Math.max(0, Math.max(...values) - side + 1);
  };
  return inOrder(cells.map(({ column, row }) => ({ column: column + back('column'), row: row + back('row') })));
}

/** The move that pointing at a cell stands for; null with nothing in hand. */
export function aimAt(hand: Hand, at: string, moves: Moves, position: Position): Aim | null {
  if (!hand) return null;
  const cells = hand.kind === 'brick' ? cover(at, hand.size, hand.turn, position.size) : [at];
  const move = textOf(hand, cells);
  return { cells, move, fault: moves.all.has(move) ? null : faultOf(hand, cells, position) };
}

function textOf(hand: NonNullable<Hand>, cells: string[]): string {
  if (hand.kind === 'brick') return `+${cells.join('')}`;
  return hand.kind === 'enter' ? `@${cells[0]}` : `${hand.from}-${cells[0]}`;
}

function faultOf(hand: NonNullable<Hand>, cells: string[], position: Position): Fault {
  const [first = ''] = cells;
  if (cells.some((cell) => pawnAt(position, cell) && !(hand.kind === 'pawn' && hand.from === cell))) return 'pawn';
  if (hand.kind === 'enter') return 'raised';
  if (hand.kind === 'brick') {
    return cells.some((cell) => levelAt(position, cell) !== levelAt(position, first)) ? 'levels' : 'same';
  }
  const seat = pawnAt(position, hand.from)?.seat;
  return plateauAt(position, first)?.owners.some((owner) => owner !== seat) ? 'barred' : 'way';
}

/** Every cell that what is in hand can cover or reach, however it is turned. */
export function reachOf(hand: Hand, moves: Moves): Set<string> {
  if (!hand) return new Set();
  if (hand.kind === 'brick') return new Set(moves.bricks[hand.size].flat());
  return new Set(hand.kind === 'enter' ? moves.entries : (moves.steps.get(hand.from) ?? []));
}

export const isUseful = (hand: Hand, moves: Moves): boolean => reachOf(hand, moves).size > 0;

/** What to hold at the start of a turn: a brick of the same size as before if one fits, else the largest that fits. */
export function handFor(before: Hand, moves: Moves): Hand {
  if (before?.kind === 'brick' && isUseful(before, moves)) return before;
  const size = SIZES.findLast((size) => moves.bricks[size].length);
  return size ? { kind: 'brick', size, turn: 0 } : null;
}

export const turned = (hand: Hand, by: number): Hand =>
  hand?.kind === 'brick' ? { ...hand, turn: (((hand.turn + by) % 4) + 4) % 4 } : hand;

/** The next pawn to pick: one to bring in, then each on the board in a cycle. */
export function nextPawn(hand: Hand, moves: Moves): Hand {
  const own = [...moves.steps.keys()].map((from) => ({ kind: 'pawn' as const, from }));
  const pawns = moves.entries.length ? [{ kind: 'enter' as const }, ...own] : own;
  const now = pawns.findIndex((pawn) => isSame(pawn, hand));
  return pawns[(now + 1) % pawns.length] ?? hand;
}

export function isSame(one: Hand, other: Hand): boolean {
  if (!one || !other || one.kind !== other.kind) return one === other;
  if (one.kind === 'brick') return one.size === (other as typeof one).size;
  return one.kind === 'enter' || one.from === (other as typeof one).from;
}

/** The neighbour in a direction, or the cell itself at the edge. */
export function neighbour(name: string, across: number, up: number, side: number): string {
  const { column, row } = cellOf(name);
  const within = (value: number): number => Math.min(Math.max(0, value), side - 1);
  return cellName({ column: within(column + across), row: within(row + up) });
}
