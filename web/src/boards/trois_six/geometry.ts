// Where things lie in the drawing: cells of 100 by 100 in a wooden frame.

export const CELL = 100;
export const EDGE = 38; // the frame around the cells, with their letters and numbers
export const SIZE = 6 * CELL + 2 * EDGE;

export interface Point {
  x: number;
  y: number;
}

/** The middle of a cell. */
export function middle(cell: string): Point {
  return {
    x: EDGE + (cell.charCodeAt(0) - 65 + 0.5) * CELL,
    y: EDGE + (6 - Number(cell[1]) + 0.5) * CELL,
  };
}

export const percent = (length: number): string => `${(length / SIZE) * 100}%`;

const FROM_MIDDLE = 14; // an arrow starts where its pawn was
const FROM_PAWN = 38; // or beside it, if it is still there
const TO_MIDDLE = 34; // and ends at the edge of the pawn that stands there
const ASIDE = 39; // two that swap: each arrow passes beside the pawns

export interface Arrow {
  tail: Point;
  tip: Point;
  head: string; // the path of its point
}

/** An arrow from cell to cell. ``stays``: its pawn has not left; ``aside``: to the right of one coming the other way. */
export function arrow(from: string, to: string, stays: boolean, aside: boolean): Arrow {
  const [a, b] = [middle(from), middle(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const shift = aside ? ASIDE : 0;
  const at = (along: number, across: number): Point => ({
    x: a.x + ux * along - uy * (across + shift),
    y: a.y + uy * along + ux * (across + shift),
  });
  const end = length - TO_MIDDLE;
  const corners = [at(end, 0), at(end - 27, 17), at(end - 27, -17)].map(({ x, y }) => `${round(x)} ${round(y)}`);
  return { tail: at(stays ? FROM_PAWN : FROM_MIDDLE, 0), tip: at(end - 22, 0), head: `M${corners.join('L')}Z` };
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Where an outline around cells in line lies: its middle, its length, its slope in degrees. */
export function layLine(cells: string[]): Point & { length: number; slope: number } {
  const [a, b] = [middle(cells[0] ?? 'A1'), middle(cells.at(-1) ?? 'A1')];
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  return { x: a.x + dx / 2, y: a.y + dy / 2, length: Math.hypot(dx, dy), slope: (Math.atan2(dy, dx) * 180) / Math.PI };
}
