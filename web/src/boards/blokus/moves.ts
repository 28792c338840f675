// The legal moves of a position, found by piece and by cells. No rules: only what the server listed.

import { keyOf, nameOf, normal, type Shape } from './pieces';
import { type Cell, cellsOf } from './view';

export interface Placement {
  move: string; // as the server writes it
  piece: string;
  shape: Shape;
  left: number; // of the shape's top left corner
  top: number;
  cells: Cell[];
}

export interface Moves {
  all: Set<string>;
  byPiece: Map<string, Placement[]>; // one form after another, each from the top left
}

export function indexMoves(texts: string[], size: number): Moves {
  const byPiece = new Map<string, Placement[]>();
  for (const move of texts) {
    const placed = placementOf(move, size);
    byPiece.set(placed.piece, [...(byPiece.get(placed.piece) ?? []), placed]);
  }
  for (const places of byPiece.values()) places.sort(inOrder);
  return { all: new Set(texts), byPiece };
}

function inOrder(a: Placement, b: Placement): number {
  return keyOf(a.shape).localeCompare(keyOf(b.shape)) || a.top - b.top || a.left - b.left;
}

export function placementOf(move: string, size: number): Placement {
  const cells = cellsOf(move, size);
  const left = Math.min(...cells.map(({ x }) => x));
  const top = Math.min(...cells.map(({ y }) => y));
  return { move, piece: nameOf(cells), shape: normal(cells), left, top, cells };
}

export const placesOf = (moves: Moves, piece: string): Placement[] => moves.byPiece.get(piece) ?? [];

/** The names of all cells that some of these placements cover. */
export const reach = (places: Placement[]): Set<string> => new Set(places.flatMap(({ move }) => move.split(',')));

/** The corners through which a piece, or any piece, can be placed. */
export function openCorners(moves: Moves, attach: string[], piece: string | null): string[] {
  const places = piece === null ? [...moves.byPiece.values()].flat() : placesOf(moves, piece);
  const covered = reach(places);
  return attach.filter((cell) => covered.has(cell));
}
