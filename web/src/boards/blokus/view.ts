// The position and the turn as the server sends them for Blokus, and the names of cells.

import type { Entry, View } from '../../lib/types';

export type Colour = 0 | 1 | 2 | 3; // blue, yellow, red, green

export interface Hand {
  colour: Colour;
  seat: number; // who places its next piece
  pieces: string[]; // left, by name
  score: number;
  out: boolean; // can place no more
  start: string[]; // the first piece must cover one of these cells; empty once it is placed
}

export interface Position {
  size: number; // cells along a side
  board: string[]; // rows from the top, a letter per cell: b y r g or .
  colour: Colour | null; // to move; null: the game is over
  attach: string[]; // a placement covers one of these cells
  last: string[];
  last_colour: Colour | null;
  colours: Hand[];
}

export interface Laid {
  seat: number;
  colour: Colour;
  piece: string;
  cells: string[];
  out: Colour[]; // can place no more from now on
}

export interface Cell {
  x: number; // column, 0: left
  y: number; // row, 0: top
}

export const COLOURS: readonly Colour[] = [0, 1, 2, 3];
export const LETTERS = 'byrg';

export const positionOf = (view: View): Position => view as unknown as Position;

export const laidOf = (entry: Entry): Laid => entry.effects as unknown as Laid;

/** a1 is bottom left. */
export const cellName = ({ x, y }: Cell, size: number): string => `${String.fromCharCode(97 + x)}${size - y}`;

export const cellOf = (name: string, size: number): Cell => ({
  x: name.charCodeAt(0) - 97,
  y: size - Number(name.slice(1)),
});

/** A move as its text: rows from the bottom, each from the left. */
export function moveText(cells: Cell[], size: number): string {
  const sorted = cells.toSorted((a, b) => b.y - a.y || a.x - b.x);
  return sorted.map((cell) => cellName(cell, size)).join(',');
}

export const cellsOf = (move: string, size: number): Cell[] => move.split(',').map((name) => cellOf(name, size));

export function colourAt(board: string[], { x, y }: Cell): Colour | null {
  const found = LETTERS.indexOf(board[y]?.[x] ?? '.');
  return found < 0 ? null : (found as Colour);
}

/** The cells that a colour covers. */
export function cellsOfColour(board: string[], colour: Colour): Cell[] {
  const letter = LETTERS[colour];
  return board.flatMap((row, y) => [...row].flatMap((found, x) => (found === letter ? [{ x, y }] : [])));
}

/** Whose pieces to show as the hand: the visitor's colour that moves now or next, else the one to move. */
export function handInSight(position: Position, you: number[]): Colour {
  const count = position.colours.length;
  const first = position.colour ?? 0;
  for (let i = 0; i < count; i++) {
    const hand = position.colours[(first + i) % count];
    if (hand && you.includes(hand.seat) && !hand.out) return hand.colour;
  }
  return position.colours.find((hand) => you.includes(hand.seat))?.colour ?? first;
}
