// The position and the turn as the server sends them for 3/6.

import type { Entry, View } from '../../lib/types';

export type Side = 0 | 1; // white, black; also the seat

export interface Pile {
  cell: string; // A1 is bottom left
  owner: Side;
  number: number; // of the top pawn
  height: number;
}

export interface Line {
  seat: Side;
  cells: string[];
}

export interface Position {
  cells: Pile[];
  ready: [boolean, boolean];
  quiet: number; // turns in a row without a landing
  quiet_turns: number | null; // the number of them that is a draw; null: never
  lines: Line[];
}

export type Result = 'moved' | 'captured' | 'stacked' | 'same_target' | 'void' | 'passed';

export interface Order {
  number: number | null; // null: names no pawn
  from: string | null; // null: that pawn is out of play
  to: string | null; // null: names no cell
  result: Result;
  under?: Pile; // what was landed on
}

export interface Turn {
  orders: Record<Side, Order>;
  swap: boolean; // the two passed each other
  lines: Line[];
}

export const SIDES = [0, 1] as const;
export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

/** Every cell, row by row from the top, as they are read. */
export const CELLS: string[] = [6, 5, 4, 3, 2, 1].flatMap((row) => LETTERS.map((letter) => `${letter}${row}`));

export const positionOf = (view: View): Position => view as unknown as Position;

export const turnOf = (entry: Entry): Turn => entry.effects as unknown as Turn;

export const pileOn = (position: Position, cell: string): Pile | undefined =>
  position.cells.find((pile) => pile.cell === cell);

export const leftOf = (position: Position, side: Side): number =>
  position.cells.filter((pile) => pile.owner === side).length;

const WARN_FROM = 10; // quiet turns before the draw

/** How many quiet turns are left before a draw, once there are few; else null. */
export function quietLeft({ quiet, quiet_turns }: Position): number | null {
  if (quiet_turns === null) return null;
  const left = quiet_turns - quiet;
  return left <= Math.min(WARN_FROM, quiet_turns - 1) ? left : null;
}
