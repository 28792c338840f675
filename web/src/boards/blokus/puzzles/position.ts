// A puzzle and what lies on its board, in the server's format (docs/puzzles.md).

import type { Item } from '../pieceInput.svelte';
import { NAMES, nameOf, shapeOf } from '../pieces';
import { type Cell, cellOf, type Colour, moveText } from '../view';
import type { Piece as Laid, PuzzleKind as Kind, PuzzlePosition as Position } from '../../../lib/types';

export type { Kind, Laid, Position };

export const COLOUR_NAMES: readonly string[] = ['blue', 'yellow', 'red', 'green'];

export const colourOf = (laid: Laid): Colour => COLOUR_NAMES.indexOf(laid.colour) as Colour;

export const cellsOn = (laid: Laid, rows: number): Cell[] => laid.cells.map((name) => cellOf(name, rows));

const itemOf = (colour: Colour, name: string): Item => ({ key: `${colour}${name}`, colour, name });

export const itemOn = (laid: Laid, rows: number): Item => itemOf(colourOf(laid), nameOf(cellsOn(laid, rows)));

export const lay = (item: Item, cells: Cell[], rows: number): Laid => ({
  colour: COLOUR_NAMES[item.colour] ?? '',
  cells: moveText(cells, rows).split(','),
});

export const givenOf = (position: Position): Laid[] => position.pieces.slice(0, position.given ?? 0);

export const ownOf = (position: Position): Laid[] => position.pieces.slice(position.given ?? 0);

/** The task as it was set. */
export const startOf = (position: Position): Position => ({ ...position, pieces: givenOf(position) });

export const plus = (position: Position, laid: Laid): Position => ({ ...position, pieces: [...position.pieces, laid] });

export const without = (position: Position, index: number): Position => ({
  ...position,
  pieces: position.pieces.filter((_, i) => i !== index),
});

/** Every piece that the player has to place: colour after colour, large ones first. */
export function toPlace(kind: Kind, position: Position): Item[] {
  const given = new Set(givenOf(position).map((laid) => itemOn(laid, position.rows).key));
  const names = NAMES.filter((name) => kind.sizes.includes(shapeOf(name).length));
  const all = kind.colours.flatMap((colour) => names.map((name) => itemOf(COLOUR_NAMES.indexOf(colour) as Colour, name)));
  return all.filter((item) => !given.has(item.key));
}

/** Those of them that are not placed yet. */
export function leftOf(kind: Kind, position: Position): Item[] {
  const laid = new Set(ownOf(position).map((piece) => itemOn(piece, position.rows).key));
  return toPlace(kind, position).filter((item) => !laid.has(item.key));
}

/** The number of the piece that covers a cell; -1 if none does. */
export const indexAt = (position: Position, name: string): number =>
  position.pieces.findIndex((laid) => laid.cells.includes(name));
