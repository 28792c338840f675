// The position and the turn as the server sends them for Plus 4.

import type { Entry, View } from '../../lib/types';

export type Colour = 0 | 1; // blue, red; also the seat

export interface Position {
  grid: string[]; // floors from the top, a letter per column: b r B R (bonus) or .
  bonus: [boolean, boolean]; // in hand
  scores: [number, number];
  target: number | null; // null: no points to reach
  rounds: number | null; // null: no fixed number of rounds
  round: number; // rounds finished
  turn: Colour;
}

export interface Push {
  seat: Colour;
  column: string;
  bonus: boolean;
  ejected: string | null; // a letter as in the grid
  grid: string[]; // before a finished round is cleared away
  lines: { colour: Colour; cells: string[] }[]; // completed by this push
  points: [number, number];
  round_over: boolean;
}

export const COLUMNS = ['a', 'b', 'c', 'd'] as const;

export const positionOf = (view: View): Position => view as unknown as Position;

export const pushOf = (entry: Entry): Push => entry.effects as unknown as Push;

export const colourOf = (letter: string): Colour => (letter.toLowerCase() === 'b' ? 0 : 1);

export const isBonus = (letter: string): boolean => letter === letter.toUpperCase();

/** A cell's column and floor from its name: a1 is bottom left, floor 0 is at the top. */
export function cellOf(name: string): { column: number; floor: number } {
  return { column: name.charCodeAt(0) - 97, floor: 4 - Number(name[1]) };
}

export type LineKind = 'row' | 'column' | 'diagonal';

export function lineKind(cells: string[]): LineKind {
  if (cells.every((cell) => cell[0] === cells[0]?.[0])) return 'column';
  return cells.every((cell) => cell[1] === cells[0]?.[1]) ? 'row' : 'diagonal';
}

/** How many points the score rails go up to; 0: this variant has no points. */
export function railTop({ target, rounds }: Pick<Position, 'target' | 'rounds'>): number {
  if (target !== null) return target;
  return rounds === null ? 0 : 2 * rounds; // at most 2 a round
}
