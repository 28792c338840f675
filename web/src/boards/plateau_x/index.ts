import type { BoardKey } from '../board';
import type { Sound } from '../../lib/sound';
import type { Entry } from '../../lib/types';
import { turnOf } from './view';
import { t } from './messages';

export { default as Board } from './Board.svelte';
export { endingClause } from './ending';
export { default as Mark } from './Mark.svelte';
export { default as Small } from './Small.svelte';
export { describe, explain, moveName, seatName, shortMove } from './speech';

export function sounds(entry: Entry): Sound[] {
  const turn = turnOf(entry);
  if (turn.kind === 'move') return turn.path.slice(1).map(() => 'push' as const); // a knock for every step
  return turn.kind === 'end' ? ['line'] : ['push'];
}

export const scored = (): boolean => false; // places, no points

export const keys = (): BoardKey[] => [
  { names: ['1', '2', '3'], text: t().keysBrick },
  { names: ['R'], text: t().keysTurn },
  { names: ['P'], text: t().keysPawn },
  { names: ['←', '↑', '→', '↓'], text: t().keysCells },
  { names: ['↵', 'Esc'], text: t().keysPlay },
  { names: ['L'], text: t().keysPlaces },
];

export const seatColours = ['light-dark(#2d2926, #b9aea3)', 'light-dark(#b98a12, #f5cb1e)', '#e8710a', '#2a8a43'];

export const firstStep = (): string => t().start;

export const wide = true;

export const sides = 4;
