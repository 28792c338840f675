import type { BoardKey } from '../board';
import type { Sound } from '../../lib/sound';
import type { Entry, Snapshot } from '../../lib/types';
import { COLUMNS, positionOf, pushOf, railTop } from './view';
import { t } from './messages';

export { default as Board } from './Board.svelte';
export { endingClause } from './ending';
export { default as Mark } from './Mark.svelte';
export { default as Small } from './Small.svelte';
export { describe, explain, moveName, seatName } from './speech';

export function sounds(entry: Entry): Sound[] {
  const turn = pushOf(entry);
  return ['push', ...(turn.ejected ? (['fall'] as const) : []), ...(turn.lines.length ? (['line'] as const) : [])];
}

export const scored = (table: Snapshot): boolean => railTop(positionOf(table.position)) > 0;

export const keys = (): BoardKey[] => [
  { names: [...COLUMNS], text: t().keys },
  { names: ['*'], text: t().keysBonus },
];

export const seatColours = ['var(--blue)', 'var(--red)'];

export const shortMove = (move: string): string => move.replace('*', '★'); // the letter below its column, the star on the bonus pawn

export const firstStep = (table: Snapshot): string => (scored(table) ? `${t().firstStep} ${t().firstBonus}` : t().firstStep);

export const sides = 2;
