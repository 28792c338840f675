import { m } from '../../lib/i18n';
import type { BoardKey } from '../board';
import type { Sound } from '../../lib/sound';
import type { Entry } from '../../lib/types';

export { default as Board } from './Board.svelte';
export { default as Mark } from './Mark.svelte';

export const seatName = (seat: number): string => m().player(seat + 1);

export const moveName = (move: string): string => move;

export function describe(entry: Entry): string {
  return Object.entries(entry.moves)
    .map(([seat, move]) => m().moveBy(seatName(Number(seat)), move))
    .join('; ');
}

export const explain = (): string => ''; // the final scores show it

export const endingClause = (): null => null;

export const sounds = (): Sound[] => ['push'];

export const scored = (): boolean => true;

export const keys = (): BoardKey[] => [];

export const seatColours = ['var(--blue)', '#8a6100', 'var(--red)', '#2c6b4a'];

export const shortMove = moveName;

export const firstStep = (): string => m().begin;

export const sides = 1;
