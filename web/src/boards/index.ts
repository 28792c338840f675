// Which board draws which game. A game without one of its own gets the generic board, so every game can be played.

import type { Component } from 'svelte';
import type { Board } from './board';
import BlokusCover from './blokus/Cover.svelte';
import GenericCover from './generic/Cover.svelte';
import PlateauCover from './plateau_x/Cover.svelte';
import PlusCover from './plus4/Cover.svelte';
import TroisSixCover from './trois_six/Cover.svelte';

const boards: Record<string, () => Promise<Board>> = {
  plus4: () => import('./plus4'),
  blokus: () => import('./blokus'),
  plateau_x: () => import('./plateau_x'),
  trois_six: () => import('./trois_six'),
};

export const loadPlain = (): Promise<Board> => import('./generic');

export const loadBoard = (game: string): Promise<Board> => (boards[game] ?? loadPlain)();

const covers: Record<string, Component> = {
  plus4: PlusCover,
  blokus: BlokusCover,
  plateau_x: PlateauCover,
  trois_six: TroisSixCover,
};

/** The small living picture on a game's card. */
export const coverOf = (game: string): Component => covers[game] ?? GenericCover;
