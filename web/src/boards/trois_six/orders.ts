// How a player makes an order, tap by tap or key by key, from the list of legal ones. This file draws nothing.

import { LETTERS, pileOn, type Position, type Side } from './view';

export interface Draft {
  number: number | null; // the pawn picked; BLOCK: none, only a cell is to be named; null: nothing yet
  order: string | null; // complete: may be given
}

export const NO_MOVE = '-';
export const BLOCK = 0;
export const nothing: Draft = { number: null, order: null };

const isWith = (order: string, number: number): boolean => order.startsWith(`${number}>`);

/** The cells that a pawn can be ordered to; for BLOCK, those that can be blocked. */
export function targetsOf(legal: string[], number: number | null): string[] {
  return number === null ? [] : legal.filter((order) => isWith(order, number)).map((order) => order.slice(2));
}

export const canBlock = (legal: string[]): boolean => legal.some((order) => isWith(order, BLOCK));

/** The cell an order names, if it names one. */
export const cellOf = (order: string | null): string | null => (order?.includes('>') ? order.slice(2) : null);

/** The pawn an order names: BLOCK and NO_MOVE name none. */
export const numberOf = (order: string): number | null => (isWith(order, BLOCK) ? null : Number(order[0]) || null);

/** A pawn, or BLOCK, is picked; the same one again is put back. */
export function pick(draft: Draft, number: number, legal: string[]): Draft {
  if (draft.number === number || !targetsOf(legal, number).length) return nothing;
  return { number, order: null };
}

export const pickNoMove = (draft: Draft): Draft =>
  draft.order === NO_MOVE ? nothing : { number: null, order: NO_MOVE };

/** A cell is tapped: the target of the pawn in hand, else the player's own pawn to take in hand, else the hand is emptied. */
export function tap(draft: Draft, cell: string, side: Side, position: Position, legal: string[]): Draft {
  const order = `${draft.number}>${cell}`;
  if (draft.number !== null && legal.includes(order)) return { number: draft.number, order };
  const pile = pileOn(position, cell);
  return pile?.owner === side ? pick(draft, pile.number, legal) : nothing;
}

export interface Typed {
  draft: Draft;
  letter: string; // the letter of a cell, waiting for its number
}

/** What a key makes of an order: 1 to 6 pick a pawn, a letter and a number a cell; null: the key means nothing here. */
export function type({ draft, letter }: Typed, key: string, side: Side, position: Position, legal: string[]): Typed | null {
  const upper = key.toUpperCase();
  if (upper === NO_MOVE) return { draft: pickNoMove(draft), letter: '' };
  if (upper === '0' && canBlock(legal)) return { draft: pick(draft, BLOCK, legal), letter: '' };
  if (upper === 'ESCAPE') return { draft: nothing, letter: '' };
  if ((LETTERS as readonly string[]).includes(upper)) return { draft, letter: upper };
  if (!/^[1-6]$/.test(upper)) return null;
  if (letter) return { draft: tap(draft, letter + upper, side, position, legal), letter: '' };
  return { draft: pick(draft, Number(upper), legal), letter: '' };
}
