// The server's side of puzzles: it makes, checks and solves them, and remembers which ones an account has solved.

import { getMe, json } from '../../../lib/api';
import type { PuzzleAnswer, PuzzleCheck, PuzzleHint } from '../../../lib/types';
import type { Kind, Position } from './position';

export type { Fault } from '../../../lib/types';

interface Challenge {
  position: Position;
}

let kinds: Promise<Kind[]> | null = null; // they do not change while the page is open

export function getKinds(): Promise<Kind[]> {
  kinds ??= json<{ puzzles: Kind[] }>('GET', '/puzzles').then(
    (answer) => answer.puzzles,
    (error) => {
      kinds = null; // ask again next time
      throw error;
    },
  );
  return kinds;
}

export const getChallenge = (path: 'new' | 'daily', query: URLSearchParams): Promise<Challenge> =>
  json('GET', `/puzzles/${path}?${query}`);

export const check = (position: Position): Promise<PuzzleCheck> => json('POST', '/puzzles/check', { position });

/** Have the server remember a solved puzzle, for people with an account; without a server only this device keeps it. */
export async function reportSolved(position: Position, seconds: number, helped: boolean): Promise<void> {
  try {
    if ((await getMe()).account !== null) await json('POST', '/me/puzzles', { position, seconds: Math.round(seconds), helped });
  } catch {
    // Solved all the same.
  }
}

// The signal ends the search.

export const solvable = (position: Position, witness: Position | null, signal: AbortSignal): Promise<PuzzleAnswer> =>
  json('POST', '/puzzles/solvable', { position, witness }, signal);

export const askHint = (position: Position, witness: Position | null, signal: AbortSignal): Promise<PuzzleHint> =>
  json('POST', '/puzzles/hint', { position, witness }, signal);

export const solution = (position: Position, witness: Position | null, signal: AbortSignal): Promise<PuzzleAnswer> =>
  json('POST', '/puzzles/solution', { position, witness }, signal);
