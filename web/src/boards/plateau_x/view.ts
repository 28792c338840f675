// The position and the turn as the server sends them for Plateau X, and the names of cells.

import type { Entry, Reason, View } from '../../lib/types';

export type Size = 1 | 2 | 3; // cells of a brick

export interface Brick {
  cells: string[];
  level: number; // of its top
}

export interface Pawn {
  seat: number;
  cell: string;
  level: number;
  since: number; // the turn of its last move
}

export interface Plateau {
  cells: string[];
  level: number;
  owners: number[]; // seats with a pawn on it
}

export interface Stock {
  singles: number;
  doubles: number;
  pawns: number; // not yet on the board
}

export interface Standing {
  seat: number;
  level: number; // of the better pawn; -1: none on the board
  size: number; // of its plateau; 0 on the bare board
  since: number | null;
}

export interface Position {
  size: number; // cells along a side
  levels: number[][]; // rows from row 1 up, each from column A on
  bricks: Brick[]; // in the order in which they were placed
  pawns: Pawn[];
  plateaus: Plateau[];
  stocks: Stock[]; // a seat each
  triples: number; // for all
  standing: Standing[]; // a seat each
}

export type Turn =
  | { kind: 'brick'; seat: number; brick: 'single' | 'double' | 'triple'; cells: string[]; level: number }
  | { kind: 'enter'; seat: number; cells: string[]; level: number }
  | { kind: 'move'; seat: number; cells: [string, string]; path: string[]; level: number }
  | { kind: 'end'; seat: number };

export interface Ending {
  code?: string;
  standing: Standing[];
}

export interface Cell {
  column: number; // 0: A
  row: number; // 0: row 1, at the bottom
}

export const SIZES: readonly Size[] = [1, 2, 3];

export const positionOf = (view: View): Position => view as unknown as Position;

export const turnOf = (entry: Entry): Turn => entry.effects as unknown as Turn;

export const endingOf = (reason: Reason): Ending => reason as unknown as Ending;

export const cellOf = (name: string): Cell => ({ column: name.charCodeAt(0) - 65, row: Number(name.slice(1)) - 1 });

export const cellName = ({ column, row }: Cell): string => `${String.fromCharCode(65 + column)}${row + 1}`;

/** The names in the order of the moves' notation: by letter, then by number. */
export const inOrder = (cells: Cell[]): string[] =>
  cells.toSorted((a, b) => a.column - b.column || a.row - b.row).map(cellName);

/** Every cell, from the top left to the bottom right as on the board. */
export const allCells = (size: number): string[] =>
  Array.from({ length: size * size }, (_, i) => cellName({ column: i % size, row: size - 1 - Math.floor(i / size) }));

export function levelAt({ levels }: Position, name: string): number {
  const { column, row } = cellOf(name);
  return levels[row]?.[column] ?? 0;
}

export const pawnAt = ({ pawns }: Position, name: string): Pawn | undefined => pawns.find(({ cell }) => cell === name);

export const plateauAt = ({ plateaus }: Position, name: string): Plateau | undefined =>
  plateaus.find(({ cells }) => cells.includes(name));
