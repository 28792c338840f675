// What is kept on this device: unfinished puzzles, and best times.

import type { Laid } from './position';

export type Stage = 'playing' | 'solved' | 'shown'; // shown: given up

export interface Begun {
  puzzle: string;
  hard: boolean;
  difficulty: string;
  pieces: Laid[]; // the player's own
  seconds: number;
  helped: boolean; // by a hint
  givenUp?: boolean; // its solution was shown
  stage: Stage;
  at: number; // when it was last touched
}

interface SavedPuzzles {
  begun: Record<string, Begun>; // by address
  best: Record<string, number>; // seconds, by level
}

const KEY = 'quatuor-puzzles';
const MOST = 30; // unfinished puzzles kept; older ones are forgotten

export type Store = Pick<Storage, 'getItem' | 'setItem'>;

function read(store: Store): SavedPuzzles {
  try {
    const found: unknown = JSON.parse(store.getItem(KEY) ?? '{}');
    return { begun: {}, best: {}, ...(found as Partial<SavedPuzzles>) };
  } catch {
    return { begun: {}, best: {} }; // storage is blocked or damaged
  }
}

function write(store: Store, saved: SavedPuzzles): void {
  try {
    store.setItem(KEY, JSON.stringify(saved));
  } catch {
    // Not kept, then; the puzzle can be played all the same.
  }
}

export const begun = (address: string, store: Store = localStorage): Begun | null => read(store).begun[address] ?? null;

export function keep(address: string, entry: Begun, store: Store = localStorage): void {
  const saved = read(store);
  const all = Object.entries({ ...saved.begun, [address]: entry }).sort(([, a], [, b]) => b.at - a.at);
  write(store, { ...saved, begun: Object.fromEntries(all.slice(0, MOST)) });
}

/** Addresses of unfinished puzzles with placed pieces, the latest first. */
export const unfinished = (store: Store = localStorage): [string, Begun][] =>
  Object.entries(read(store).begun)
    .filter(([, entry]) => entry.stage === 'playing' && entry.pieces.length > 0)
    .sort(([, a], [, b]) => b.at - a.at);

export const bestTime = (level: string, store: Store = localStorage): number | null => read(store).best[level] ?? null;

/** Whether this is the best time so far. */
export function record(level: string, seconds: number, store: Store = localStorage): boolean {
  const saved = read(store);
  const before = saved.best[level];
  if (before !== undefined && before <= seconds) return false;
  write(store, { ...saved, best: { ...saved.best, [level]: seconds } });
  return true;
}
