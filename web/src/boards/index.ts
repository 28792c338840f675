// Boards are found by their folder: boards/<game>/. A game without a folder gets the generic board, so every game can be
// played.

import type { Component } from 'svelte';
import type { Board, BoardCard, BoardLink } from './board';

const boards = import.meta.glob<Board>('./*/index.ts');
const cards = import.meta.glob<BoardCard>('./*/card.ts', { eager: true });

const load = (name: string): Promise<Board> | undefined => boards[`./${name}/index.ts`]?.();

export async function loadPlain(): Promise<Board> {
  const board = await load('generic');
  if (!board) throw new Error('boards/generic is missing');
  return board;
}

export const loadBoard = (game: string): Promise<Board> => load(game) ?? loadPlain();

/** What the first page needs to know of a game before its board is loaded. */
export function cardOf(game: string): BoardCard {
  const card = cards[`./${game}/card.ts`] ?? cards['./generic/card.ts'];
  if (!card) throw new Error('boards/generic is missing');
  return card;
}

export const coverOf = (game: string): Component => cardOf(game).Cover;

/** Additional pages that boards provide, by address. */
export const boardPages = (): NonNullable<BoardCard['pages']> =>
  Object.assign({}, ...Object.values(cards).map(({ pages }) => pages ?? {}));

/** Links to them. */
export const boardLinks = (): BoardLink[] => Object.values(cards).flatMap(({ links }) => links?.() ?? []);
