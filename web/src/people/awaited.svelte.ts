// How many games with other people wait for this visitor's move, wherever on the page they are.

import { SITE } from '../lib/place';
import { myGames, type TableSummary } from './api';

const KNOWN = 'quatuor-played'; // set once this browser has opened a game: for new visitors the server is not asked

export const awaited = $state({ games: 0 });

const isAwaited = ({ status, your_turn, seats, you }: TableSummary): boolean =>
  status === 'running' && your_turn && seats.some(({ kind }, seat) => kind === 'human' && !you.includes(seat));

/** Ask again: on a new page, and when the visitor is back. */
export async function countAwaited(path: string): Promise<void> {
  try {
    if (/^\/(t|games)\b/.test(path)) localStorage.setItem(KNOWN, '1');
    if (SITE || !localStorage.getItem(KNOWN)) return;
    awaited.games = (await myGames(false, 0)).games.filter((card) => isAwaited(card) && path !== `/t/${card.id}`).length; // not the one on the screen
  } catch {
    awaited.games = 0; // no server or no local storage: show nothing
  }
}
