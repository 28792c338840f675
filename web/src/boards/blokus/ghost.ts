// The piece in hand over the board, before it is laid. No drawing in here.

import { type Moves, type Placement, placesOf } from './moves';
import { flipped, heightOf, isSame, type Shape, shapeOf, turned, widthOf } from './pieces';
import { type Cell, cellName, colourAt, type Colour, moveText, type Position } from './view';

export interface Ghost {
  piece: string;
  shape: Shape; // as turned and flipped
  x: number; // its middle, in cells from the top left; kept while turning, so that four turns change nothing
  y: number;
}

/** Why a placement is not in the list: what can be seen on the board. */
export type Fault = 'taken' | 'edge' | 'start' | 'corner' | 'other';

const SNAP = 1.6; // how many cells a fingertip may miss by

export const grab = (piece: string, size: number): Ghost => ({ piece, shape: shapeOf(piece), x: size / 2, y: size / 2 });

/** Where its bounding box begins; never off the board, which has as many rows as columns unless told otherwise. */
export function cornerOf({ shape, x, y }: Ghost, size: number, rows = size): Cell {
  return {
    x: within(Math.round(x - widthOf(shape) / 2), size - widthOf(shape)),
    y: within(Math.round(y - heightOf(shape) / 2), rows - heightOf(shape)),
  };
}

const within = (value: number, high: number): number => Math.min(Math.max(0, value), high);

export function cover(ghost: Ghost, size: number, rows = size): Cell[] {
  const corner = cornerOf(ghost, size, rows);
  return ghost.shape.map(({ x, y }) => ({ x: corner.x + x, y: corner.y + y }));
}

export const textOf = (ghost: Ghost, size: number, rows = size): string => moveText(cover(ghost, size, rows), rows);

export const turn = (ghost: Ghost, times: number): Ghost =>
  times <= 0 ? ghost : turn({ ...ghost, shape: turned(ghost.shape) }, times - 1);

export const flip = (ghost: Ghost): Ghost => ({ ...ghost, shape: flipped(ghost.shape) });

/** By whole cells from where it is seen. */
export function nudge(ghost: Ghost, dx: number, dy: number, size: number, rows = size): Ghost {
  const corner = cornerOf(ghost, size, rows);
  return at(ghost, { left: corner.x + dx, top: corner.y + dy, shape: ghost.shape });
}

const at = (ghost: Ghost, { left, top, shape }: Pick<Placement, 'left' | 'top' | 'shape'>): Ghost => ({
  ...ghost,
  shape,
  x: left + widthOf(shape) / 2,
  y: top + heightOf(shape) / 2,
});

export const lie = (place: Placement): Ghost => at({ piece: place.piece, shape: place.shape, x: 0, y: 0 }, place);

const distance = (ghost: Ghost, place: Placement): number => {
  const there = lie(place);
  return Math.hypot(there.x - ghost.x, there.y - ghost.y);
};

/** To the nearest place where it fits: as it is turned if possible. Unchanged if it fits nowhere. */
export function home(ghost: Ghost, moves: Moves): Ghost {
  const places = placesOf(moves, ghost.piece);
  const same = places.filter((place) => isSame(place.shape, ghost.shape));
  const near = (same.length ? same : places).toSorted((a, b) => distance(ghost, a) - distance(ghost, b))[0];
  return near ? lie(near) : ghost;
}

/** Under a fingertip: if it fits close by, there. */
export function snap(ghost: Ghost, moves: Moves): Ghost {
  const near = home(ghost, moves);
  const close = Math.hypot(near.x - ghost.x, near.y - ghost.y) <= SNAP;
  return close && isSame(near.shape, ghost.shape) ? near : ghost;
}

/** The next place where it fits, round and round: form after form. */
export function next(ghost: Ghost, moves: Moves, size: number, rows = size): Ghost {
  const places = placesOf(moves, ghost.piece);
  const now = places.findIndex(({ move }) => move === textOf(ghost, size, rows));
  const after = places[(now + 1) % places.length];
  return now < 0 || !after ? home(ghost, moves) : lie(after);
}

/** Null if the server lists it, else the first fact that speaks against it. */
export function faultOf(ghost: Ghost, moves: Moves, position: Position, colour: Colour): Fault | null {
  const cells = cover(ghost, position.size);
  if (moves.all.has(moveText(cells, position.size))) return null;
  if (cells.some((cell) => colourAt(position.board, cell) !== null)) return 'taken';
  if (cells.some((cell) => beside(cell).some((near) => colourAt(position.board, near) === colour))) return 'edge';
  const covered = cells.map((cell) => cellName(cell, position.size));
  if (position.attach.some((cell) => covered.includes(cell))) return 'other';
  return position.colours[colour]?.start.length ? 'start' : 'corner';
}

const beside = ({ x, y }: Cell): Cell[] => [{ x: x - 1, y }, { x: x + 1, y }, { x, y: y - 1 }, { x, y: y + 1 }];
