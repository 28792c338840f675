// What the server tells about a game as text: docs/protocol.md.

import { call, Failure, json } from '../lib/api';
import type { Entry, HintMove, SeatRequest, Snapshot } from '../lib/types';
import { Events } from './stream';

export interface Row extends HintMove {
  weight: number | null; // how likely the engine plays it, where several act at once
  line: string[]; // the move and what may follow
}

export interface Decision {
  seat: number;
  move: string; // as it was played
  best: string;
  loss: number; // what it gave away, in value
  mark: 'inaccuracy' | 'mistake' | 'blunder' | null;
  moves: Row[]; // the best first
}

export interface Turn {
  number: number; // from 1
  decisions: Decision[];
  values: (number | null)[]; // of the position after it, to each seat
  exact: boolean;
}

export type Now = Record<string, { moves: Row[]; exact: boolean }>; // of a game that goes on

export interface Listener {
  turn: (turn: Turn) => void;
  now: (now: Now) => void;
}

export const readGame = (text: string): Promise<Snapshot> => json('POST', '/analysis/game', { text });

/** Until the whole game is told, or the signal comes. */
export async function follow(text: string, listener: Listener, signal: AbortSignal): Promise<void> {
  const { body } = await call('POST', '/analysis', { text }, signal);
  const events = new Events();
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = (await reader?.read().catch(() => undefined)) ?? { done: true, value: undefined };
    if (done) throw new Failure('offline'); // it broke off before its end
    for (const { event, data } of events.take(value)) {
      if (event === 'end') return;
      if (event === 'error') throw new Failure(JSON.parse(data).code);
      if (event === 'now') listener.now(JSON.parse(data));
      else listener.turn(JSON.parse(data));
    }
  }
}

/** A table that begins with these turns. */
export const playOn = ({ game, variant, options }: Snapshot, turns: Entry[], seats: SeatRequest[]): Promise<{ id: string }> =>
  json('POST', '/tables', { game, variant, options, seats, opening: turns.map(({ moves }) => moves) });
