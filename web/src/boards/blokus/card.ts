import { m } from '../../lib/i18n';
import type { BoardCard, BoardLink } from '../board';

export { default as Cover } from './Cover.svelte';

export const links = (): BoardLink[] => [{ href: '/puzzles', icon: 'puzzle', text: m().puzzles }];

export const pages: BoardCard['pages'] = {
  '/puzzles': () => import('./puzzles/Choose.svelte'),
  '/puzzles/play': () => import('./puzzles/Play.svelte'),
};
