// The pieces and their cells while a turn is shown: first the orders, then the movement, then the outcome.
// This file draws nothing.

import { type Order, type Pile, type Position, type Side, SIDES, type Turn } from './view';

export const SHOWING = 1100; // milliseconds that both orders are shown before anything moves
export const MOVING = 850;

export type Phase = 'orders' | 'moving' | 'still';

export interface Piece extends Pile {
  id: string;
  towards: string | null; // the cell it was ordered to and does not reach: it starts and comes back
  stuck: boolean; // its order was impossible
  buried: boolean; // about to be landed on
}

const idOf = (side: Side, number: number): string => `${side}${number}`;

const moves = ({ result }: Order): boolean => result === 'moved' || result === 'captured' || result === 'stacked';

/** The pieces to draw. Those with orders come last, so that they pass over the others. */
export function pieces(before: Position, after: Position, turn: Turn | null, phase: Phase): Piece[] {
  const shown = (phase === 'still' ? after : before).cells.map((pile) => piece(pile, turn, phase));
  const ordered = new Set(SIDES.map((side) => idOf(side, turn?.orders[side].number ?? 0)));
  return [...shown.filter(({ id }) => !ordered.has(id)), ...shown.filter(({ id }) => ordered.has(id))];
}

function piece(pile: Pile, turn: Turn | null, phase: Phase): Piece {
  const id = idOf(pile.owner, pile.number);
  const order = turn?.orders[pile.owner];
  const still = { ...pile, id, towards: null, stuck: false, buried: false };
  if (!turn || !order || phase !== 'moving') return still;
  const buried = SIDES.some((side) => isPile(turn.orders[side].under, pile));
  if (order.number !== pile.number || order.to === null) return { ...still, buried };
  if (moves(order)) return { ...still, cell: order.to };
  return { ...still, buried, stuck: order.result === 'void', towards: order.result === 'same_target' ? order.to : null };
}

const isPile = (one: Pile | undefined, other: Pile): boolean =>
  one !== undefined && one.owner === other.owner && one.number === other.number;

/** The cell that both ordered, if that is why neither moved. */
export function clash(turn: Turn): string | null {
  return turn.orders[0].result === 'same_target' ? turn.orders[0].to : null;
}
