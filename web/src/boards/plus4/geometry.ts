// Where things stand in the drawing, in units of the picture.

import type { Colour } from './view';

export const LEFT = 28; // where the picture begins
export const WIDTH = 624;
export const HEIGHT = 664;
export const MIDDLE = LEFT + WIDTH / 2;
export const PITCH = 100; // from pawn to pawn
export const RADIUS = 43;

export const columnX = (column: number): number => 190 + PITCH * column;
export const floorY = (floor: number): number => 146 + PITCH * floor;

/** How far across or down the picture, for elements placed over it. */
export const across = (x: number): string => `${((x - LEFT) / WIDTH) * 100}%`;
export const down = (y: number): string => `${(y / HEIGHT) * 100}%`;

export const FRAME = { x: 58, y: 92, width: 564, height: 408 };
export const WAITING_Y = 46; // the pawn held over a column

export const railX = (colour: Colour): number => (colour === 0 ? 96 : 584);
export const RAIL = { top: 142, bottom: 462 };

/** The height of the score cursor; past the top it stays at the top. */
export function cursorY(score: number, top: number): number {
  return RAIL.bottom - (RAIL.bottom - RAIL.top) * Math.min(1, score / top);
}

export const TRAY_Y = 604;
export const trayX = (colour: Colour): number => (colour === 0 ? 152 : 528);
export const bonusX = (colour: Colour): number => (colour === 0 ? 206 : 474);

/** Where a line through cells lies: its middle, its length from first to last pawn, its slope in degrees. */
export function layLine(cells: { column: number; floor: number }[]): { x: number; y: number; length: number; slope: number } {
  const sorted = cells.toSorted((a, b) => a.column - b.column || a.floor - b.floor);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last) throw new Error('a line has cells');
  const [dx, dy] = [columnX(last.column) - columnX(first.column), floorY(last.floor) - floorY(first.floor)];
  return {
    x: columnX(first.column) + dx / 2,
    y: floorY(first.floor) + dy / 2,
    length: Math.hypot(dx, dy),
    slope: (Math.atan2(dy, dx) * 180) / Math.PI,
  };
}
