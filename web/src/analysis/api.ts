// Requests about a game as text: docs/protocol.md.

import { call, Failure, json } from '../lib/api';
import type { Entry, HintMove as Row, ReadGame as Shown, SeatRequest } from '../lib/types';
import { Events } from './stream';

/** A game from its text: as a table shows it, with its variations, and what can be played in the last position. */
export type { Row, Shown };

export interface Decision {
  seat: number;
  move: string; // as it was played
  best: string;
  loss: number; // how much value it lost
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

export const readGame = (text: string): Promise<Shown> => json('POST', '/analysis/game', { text });

/** A picture of the last position. */
export const picture = async (text: string): Promise<Blob> => (await call('POST', '/analysis/picture', { text })).blob();

/** Analyse the whole game, or with ``onlyNow`` only its last position; the signal ends the analysis. */
export async function follow(text: string, listener: Listener, signal: AbortSignal, onlyNow = false): Promise<void> {
  const { body } = await call('POST', '/analysis', { text, only_now: onlyNow }, signal);
  const events = new Events();
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = (await reader?.read().catch(() => undefined)) ?? { done: true, value: undefined };
    if (done) throw new Failure('offline'); // the stream broke off before its end
    for (const { event, data } of events.take(value)) {
      if (event === 'end') return;
      if (event === 'error') throw new Failure(JSON.parse(data).code);
      if (event === 'now') listener.now(JSON.parse(data));
      else listener.turn(JSON.parse(data));
    }
  }
}

/** A table that begins with these turns. */
export const playOn = ({ game, variant, options, begins }: Shown, turns: Entry[], seats: SeatRequest[]): Promise<{ id: string }> =>
  json('POST', '/tables', { game, variant, options, seats, position: begins, opening: turns.map(({ moves }) => moves) });

/** The same picture in pixels, large enough for paper. */
export async function pngOf(svg: Blob, width = 1200): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([await svg.text()], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = Math.round((width * image.naturalHeight) / image.naturalWidth) || width;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('no picture')))));
}
