import type { BoardKey } from '../board';
import type { Sound } from '../../lib/sound';
import type { Entry } from '../../lib/types';
import { laidOf } from './view';
import { w } from './words';

export { default as Board } from './Board.svelte';
export { default as Mark } from './Mark.svelte';
export { describe, explain, moveName, seatName } from './speech';

export const sounds = (entry: Entry): Sound[] => ['push', ...(laidOf(entry).out.length ? (['fall'] as const) : [])];

export const scored = (): boolean => true;

export const keys = (): BoardKey[] => [
  { names: ['L', '5'], text: w().keys },
  { names: ['↑', '↓', '←', '→'], text: w().keysMove },
  { names: ['R', 'F'], text: w().keysTurn },
  { names: ['N'], text: w().keysNext },
  { names: ['⏎', 'Esc'], text: w().keysPlace },
  { names: ['C', 'M'], text: w().keysShow },
];

export const sides = 4;
