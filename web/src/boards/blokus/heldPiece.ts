// The piece in hand over the board, before it is placed. This file draws nothing.

import { type Moves, type Placement, placesOf } from './moves';
import { flipped, heightOf, isSame, type Shape, shapeOf, turned, widthOf } from './pieces';
import { type Cell, cellName, colourAt, type Colour, moveText, type Position } from './view';

export interface HeldPiece {
  piece: string;
  shape: Shape; // as turned and flipped
  x: number; // its middle, in cells from the top left; kept while turning, so that four turns change nothing
  y: number;
}

/** Why a placement is not in the list: what can be seen on the board. */
export type Fault = 'taken' | 'edge' | 'start' | 'corner' | 'other';

const SNAP = 1.6; // by how many cells a fingertip may miss

export const grab = (piece: string, size: number): HeldPiece => ({ piece, shape: shapeOf(piece), x: size / 2, y: size / 2 });

/** Where its bounding box begins; never off the board, which is a square by default. */
export function cornerOf({ shape, x, y }: HeldPiece, size: number, rows = size): Cell {
  return {
    x: within(Math.round(x - widthOf(shape) / 2), size - widthOf(shape)),
    y: within(Math.round(y - heightOf(shape) / 2), rows - heightOf(shape)),
  };
}

const within = (value: number, high: number): number => Math.min(Math.max(0, value), high);

export function coveredCells(held: HeldPiece, size: number, rows = size): Cell[] {
  const corner = cornerOf(held, size, rows);
  return held.shape.map(({ x, y }) => ({ x: corner.x + x, y: corner.y + y }));
}

export const textOf = (held: HeldPiece, size: number, rows = size): string => moveText(coveredCells(held, size, rows), rows);

export const turn = (held: HeldPiece, times: number): HeldPiece =>
  times <= 0 ? held : turn({ ...held, shape: turned(held.shape) }, times - 1);

export const flip = (held: HeldPiece): HeldPiece => ({ ...held, shape: flipped(held.shape) });

/** Moved by whole cells from where it is shown. */
export function nudge(held: HeldPiece, dx: number, dy: number, size: number, rows = size): HeldPiece {
  const corner = cornerOf(held, size, rows);
  return at(held, { left: corner.x + dx, top: corner.y + dy, shape: held.shape });
}

const at = (held: HeldPiece, { left, top, shape }: Pick<Placement, 'left' | 'top' | 'shape'>): HeldPiece => ({
  ...held,
  shape,
  x: left + widthOf(shape) / 2,
  y: top + heightOf(shape) / 2,
});

export const heldAt = (place: Placement): HeldPiece => at({ piece: place.piece, shape: place.shape, x: 0, y: 0 }, place);

const distance = (held: HeldPiece, place: Placement): number => {
  const there = heldAt(place);
  return Math.hypot(there.x - held.x, there.y - held.y);
};

/** Moved to the nearest place where it fits, if possible in its present form. Unchanged if it fits nowhere. */
export function nearestFit(held: HeldPiece, moves: Moves): HeldPiece {
  const places = placesOf(moves, held.piece);
  const same = places.filter((place) => isSame(place.shape, held.shape));
  const near = (same.length ? same : places).toSorted((a, b) => distance(held, a) - distance(held, b))[0];
  return near ? heldAt(near) : held;
}

/** Under a fingertip; if it fits close by, there instead. */
export function snap(held: HeldPiece, moves: Moves): HeldPiece {
  const near = nearestFit(held, moves);
  const close = Math.hypot(near.x - held.x, near.y - held.y) <= SNAP;
  return close && isSame(near.shape, held.shape) ? near : held;
}

/** The next place where it fits, one form after another; after the last place, the first. */
export function next(held: HeldPiece, moves: Moves, size: number, rows = size): HeldPiece {
  const places = placesOf(moves, held.piece);
  const now = places.findIndex(({ move }) => move === textOf(held, size, rows));
  const after = places[(now + 1) % places.length];
  return now < 0 || !after ? nearestFit(held, moves) : heldAt(after);
}

/** Null if the server lists the placement, else the first reason against it. */
export function faultOf(held: HeldPiece, moves: Moves, position: Position, colour: Colour): Fault | null {
  const cells = coveredCells(held, position.size);
  if (moves.all.has(moveText(cells, position.size))) return null;
  if (cells.some((cell) => colourAt(position.board, cell) !== null)) return 'taken';
  if (cells.some((cell) => beside(cell).some((near) => colourAt(position.board, near) === colour))) return 'edge';
  const covered = cells.map((cell) => cellName(cell, position.size));
  if (position.attach.some((cell) => covered.includes(cell))) return 'other';
  return position.colours[colour]?.start.length ? 'start' : 'corner';
}

const beside = ({ x, y }: Cell): Cell[] => [{ x: x - 1, y }, { x: x + 1, y }, { x, y: y - 1 }, { x, y: y + 1 }];
