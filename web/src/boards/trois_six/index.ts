import type { BoardKey } from '../board';
import type { Sound } from '../../lib/sound';
import type { Entry } from '../../lib/types';
import { SIDES, turnOf } from './view';
import { t } from './messages';

export { default as Board } from './Board.svelte';
export { endingClause } from './ending';
export { default as Mark } from './Mark.svelte';
export { default as Small } from './Small.svelte';
export { describe, explain, moveName, reveal, seatName, shortMove } from './speech';

export function sounds(entry: Entry): Sound[] {
  const { orders, lines } = turnOf(entry);
  const results = SIDES.map((side) => orders[side].result);
  const landed = results.some((result) => result === 'captured' || result === 'stacked');
  return ['push', ...(landed ? (['fall'] as const) : []), ...(lines.length ? (['line'] as const) : [])];
}

export const scored = (): boolean => false;

export const keys = (): BoardKey[] => [
  { names: ['1', '…', '6'], text: t().keysPawn },
  { names: ['B', '4'], text: t().keysTarget },
  { names: ['-'], text: t().keysNoMove },
  { names: ['↵'], text: t().keysGive },
  { names: ['↑', '↓', '←', '→'], text: t().keysCells },
];

export const seatColours = ['light-dark(#a08a63, #fbf5e8)', 'light-dark(#2a211a, #8d7a66)'];

export const firstStep = (): string => t().firstStep;

export const wide = true;

export const sides = 2;
