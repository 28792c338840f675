import type { BoardKey } from '../board';
import type { Sound } from '../../lib/sound';
import type { Entry } from '../../lib/types';
import { laidOf } from './view';
import { t } from './messages';

export { default as Board } from './Board.svelte';
export { endingClause } from './ending';
export { default as Mark } from './Mark.svelte';
export { default as Small } from './Small.svelte';
export { describe, explain, moveName, seatName } from './speech';

export const sounds = (entry: Entry): Sound[] => ['push', ...(laidOf(entry).out.length ? (['fall'] as const) : [])];

export const scored = (): boolean => true;

export { progress } from './speech';

export const keys = (): BoardKey[] => [
  { names: ['L', '5'], text: t().keys },
  { names: ['↑', '↓', '←', '→'], text: t().keysMove },
  { names: ['R', 'F'], text: t().keysTurn },
  { names: ['N'], text: t().keysNext },
  { names: ['↵', 'Esc'], text: t().keysPlace },
  { names: ['C', 'M'], text: t().keysShow },
];

export const seatColours = ['var(--blue)', 'light-dark(#b98a12, #e6b73f)', 'var(--red)', '#3b8a5d'];

export { moveName as shortMove } from './speech';

export const firstStep = (): string => t().firstStep;

export const wide = true;

export const sides = 4;
