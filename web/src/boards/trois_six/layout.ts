// Where the pawns start, as the option of the game writes it: six cells of white, a slash, six of black.

import type { Side } from './view';

export const CORNERS = 'A1 E1 F2 A5 B6 F6 / B1 F1 A2 F5 A6 E6';

export interface Placed {
  side: Side;
  number: number; // of the pawn
}

export type Layout = ReadonlyMap<string, Placed>; // cell -> pawn

/** From the option's text; anything that is not a layout gives the usual one. */
export function readLayout(text: string): Layout {
  const sides = text.split('/').map((side) => side.trim().split(/\s+/));
  if (sides.length !== 2 || sides.some((side) => side.length !== 6)) return readLayout(CORNERS);
  return new Map(sides.flatMap((cells, side) => cells.map((cell, i) => [cell, { side: side as Side, number: i + 1 }] as const)));
}

export function writeLayout(layout: Layout): string {
  const cellOf = (side: number, number: number): string => [...layout].find(([, pawn]) => pawn.side === side && pawn.number === number)?.[0] ?? '';
  return [0, 1].map((side) => [1, 2, 3, 4, 5, 6].map((number) => cellOf(side, number)).join(' ')).join(' / ');
}

/** The pawn moved to another cell; two pawns change places. */
export function moved(layout: Layout, from: string, to: string): Layout {
  const next = new Map(layout);
  const [pawn, other] = [layout.get(from), layout.get(to)];
  next.delete(from);
  if (other) next.set(from, other);
  if (pawn) next.set(to, pawn);
  return next;
}
