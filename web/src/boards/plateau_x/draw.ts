// Cells as path data. A cell is 100 units wide; the board has a wooden edge around it.

import { cellOf, type Position } from './view';

export const CELL = 100;
export const EDGE = 40;

export const widthOf = (size: number): number => size * CELL + 2 * EDGE;

/** The upper left corner of a cell. */
export function cornerOf(name: string, size: number): { x: number; y: number } {
  const { column, row } = cellOf(name);
  return { x: EDGE + column * CELL, y: EDGE + (size - 1 - row) * CELL };
}

export function middleOf(name: string, size: number): { x: number; y: number } {
  const { x, y } = cornerOf(name, size);
  return { x: x + CELL / 2, y: y + CELL / 2 };
}

export interface Point {
  x: number;
  y: number;
}

type Step = readonly [number, number];
const SIDES: { from: Step; way: Step }[] = [
  { from: [0, 0], way: [1, 0] }, // clockwise around a cell: the inside is to the right
  { from: [1, 0], way: [0, 1] },
  { from: [1, 1], way: [-1, 0] },
  { from: [0, 1], way: [0, -1] },
];

/** The line around a group of cells, a little inside it, with round corners; a hole gets a separate line. */
export function around(cells: readonly string[], size: number, inset: number, radius: number): string {
  return loops(cells, size).map((loop) => rounded(loop, inset, radius)).join('');
}

/** The corners of that line, loop by loop. */
export const cornersAround = (cells: readonly string[], size: number, inset: number): Point[][] =>
  loops(cells, size).map((loop) => loop.map((corner) => inside(corner, inset)));

interface Side {
  at: Point;
  way: Step;
}

interface Corner extends Point {
  into: Step; // the direction before
  out: Step; // the direction after
}

function loops(cells: readonly string[], size: number): Corner[][] {
  const group = new Set(cells.map((name) => key(cornerOf(name, size))));
  const open = new Map<string, Side>(); // the sides not yet walked, by start and direction
  for (const name of cells) {
    const corner = cornerOf(name, size);
    for (const { from, way } of SIDES) {
      const outer = { x: corner.x + way[1] * CELL, y: corner.y - way[0] * CELL }; // the cell across this side
      const at = { x: corner.x + from[0] * CELL, y: corner.y + from[1] * CELL };
      if (!group.has(key(outer))) open.set(`${key(at)}>${way}`, { at, way });
    }
  }
  const found: Corner[][] = [];
  for (const first of open.values()) found.push(walk(first, open));
  return found;
}

const key = ({ x, y }: Point): string => `${x},${y}`;

/** Along the sides and back to the first, turning right where two groups touch at a corner. */
function walk(first: Side, open: Map<string, Side>): Corner[] {
  const loop: Corner[] = [];
  let side = first;
  do {
    const [dx, dy] = side.way;
    const end = { x: side.at.x + dx * CELL, y: side.at.y + dy * CELL };
    const ways: Step[] = [[-dy, dx], [dx, dy], [dy, -dx]]; // right, straight on, left
    const next = ways.map((way) => open.get(`${key(end)}>${way}`)).find(Boolean) ?? first;
    if (`${next.way}` !== `${side.way}`) loop.push({ ...end, into: side.way, out: next.way });
    side = next;
    open.delete(`${key(side.at)}>${side.way}`);
  } while (side !== first);
  return loop;
}

const inside = ({ x, y, into, out }: Corner, inset: number): Point => ({
  x: x - inset * (into[1] + out[1]),
  y: y + inset * (into[0] + out[0]),
});

function rounded(loop: Corner[], inset: number, radius: number): string {
  const parts = loop.map((corner, i) => {
    const { into, out } = corner;
    const { x, y } = inside(corner, inset);
    const start = `${i ? 'L' : 'M'}${x - into[0] * radius} ${y - into[1] * radius}`;
    return `${start}Q${x} ${y} ${x + out[0] * radius} ${y + out[1] * radius}`;
  });
  return `${parts.join('')}Z`;
}

/** Where higher cells cast a shadow on lower ones: light comes from the upper left. */
export function shadows(position: Position): { d: string; flat: boolean }[] {
  const { size, levels } = position;
  const at = (column: number, row: number): number => levels[row]?.[column] ?? 0;
  const found: { d: string; flat: boolean }[] = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [x, y] = [EDGE + column * CELL, EDGE + (size - 1 - row) * CELL];
      const left = Math.min(4, at(column - 1, row) - at(column, row));
      const above = Math.min(4, at(column, row + 1) - at(column, row));
      const reach = (steps: number): number => 8 + 6 * steps;
      if (left > 0) found.push({ d: `M${x} ${y}h${reach(left)}v${CELL}h${-reach(left)}Z`, flat: false });
      if (above > 0) found.push({ d: `M${x} ${y}h${CELL}v${reach(above)}h${-CELL}Z`, flat: true });
    }
  }
  return found;
}

/** Through the middles of cells. */
export const along = (cells: readonly string[], size: number): string =>
  cells.map((cell, i) => `${i ? 'L' : 'M'}${Object.values(middleOf(cell, size)).join(' ')}`).join('');
