// Cells as path data. A cell is 20 units wide.

import { heightOf, type Shape, widthOf } from './pieces';
import type { Cell } from './view';

export const CELL = 20;
export const FRAME = 15; // around the cells, for the coordinates

// A sign in every square tells the colours apart by shape: a ring, a triangle, a diamond, a cross.
export const SIGNS = [
  'm-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z',
  'm0-5 5 8.5h-10z',
  'm0-5.2 5.2 5.2-5.2 5.2-5.2-5.2z',
  'm-4.4-4.4 8.8 8.8m0-8.8-8.8 8.8',
] as const;

export const squares = (cells: readonly Cell[]): string =>
  cells.map(({ x, y }) => `M${x * CELL} ${y * CELL}h${CELL}v${CELL}h-${CELL}z`).join('');

/** A little smaller than the cell, with round corners. */
export function faces(cells: readonly Cell[], inset = 1.4, r = 2.6): string {
  const side = CELL - 2 * (inset + r);
  return cells
    .map(({ x, y }) => {
      const start = `M${x * CELL + inset + r} ${y * CELL + inset}`;
      return `${start}h${side}q${r} 0 ${r} ${r}v${side}q0 ${r}-${r} ${r}h-${side}q-${r} 0-${r}-${r}v-${side}q0-${r} ${r}-${r}z`;
    })
    .join('');
}

export const signs = (cells: readonly Cell[], colour: number): string =>
  cells.map(({ x, y }) => `M${(x + 0.5) * CELL} ${(y + 0.5) * CELL}${SIGNS[colour] ?? ''}`).join('');

/** The lines between cells that are in the list and cells that are not. */
export function outline(cells: readonly Cell[]): string {
  const inside = new Set(cells.map(({ x, y }) => `${x},${y}`));
  return cells
    .map(({ x, y }) => {
      const [left, top] = [x * CELL, y * CELL];
      return [
        inside.has(`${x},${y - 1}`) ? '' : `M${left} ${top}h${CELL}`,
        inside.has(`${x},${y + 1}`) ? '' : `M${left} ${top + CELL}h${CELL}`,
        inside.has(`${x - 1},${y}`) ? '' : `M${left} ${top}v${CELL}`,
        inside.has(`${x + 1},${y}`) ? '' : `M${left + CELL} ${top}v${CELL}`,
      ].join('');
    })
    .join('');
}

/** The cell of a piece nearest to its middle, where its number is drawn. */
export function heart(cells: readonly Cell[]): Cell {
  const middle = (pick: (cell: Cell) => number): number => cells.reduce((sum, cell) => sum + pick(cell), 0) / cells.length;
  const [x, y] = [middle((cell) => cell.x), middle((cell) => cell.y)];
  const off = (cell: Cell): number => Math.hypot(cell.x - x, cell.y - y);
  return cells.toSorted((a, b) => off(a) - off(b))[0] ?? { x: 0, y: 0 };
}

/** Shapes in rows of a given width, each lying on its longer side. */
export function sideBySide(shapes: Shape[], room: number): Cell[] {
  let [left, top] = [0, 0];
  return shapes.flatMap((shape) => {
    const lying = heightOf(shape) > widthOf(shape) ? shape.map(({ x, y }) => ({ x: y, y: x })) : shape;
    if (left + widthOf(lying) > room) [left, top] = [0, top + 4];
    const cells = lying.map(({ x, y }) => ({ x: x + left, y: y + top }));
    left += widthOf(lying) + 1;
    return cells;
  });
}
