// The table as it goes on: the snapshot kept up to date, the visitor's wishes sent off, and where they look.

import { heardTime } from '../people/servertime.svelte';
import { Failure } from './api';
import { connect, type LinkState } from './socket';
import { apply } from './table';
import type { Entry, Hint, Snapshot, Wish } from './types';

export interface Live {
  readonly table: Snapshot;
  readonly link: LinkState;
  readonly busy: boolean; // a wish about the newest position is on its way
  readonly hint: Hint | null; // for the newest position
  looking: number | null; // the ply looked back at; null: now
  wish: (wish: Wish) => Promise<void>; // throws a Failure if refused
  tell: (wish: Wish) => Promise<void>; // a wish that is not about the position
  askHint: () => Promise<void>;
  leave: () => void;
}

export interface News {
  turn: (entry: Entry, table: Snapshot) => void; // a turn just happened
  event: (kind: string, table: Snapshot, before: Snapshot) => void; // anything else
}

/** What a move or a hint is for: the position, and whose move the visitor is asked for. */
const turnOf = (table: Snapshot): string => `${table.history.length}/${Object.keys(table.legal).join()}`;

export function sitAt(id: string, first: Snapshot, news: News): Live {
  let table: Snapshot = $state.raw(first);
  let link: LinkState = $state('connecting');
  let asked: string | null = $state(null); // the turn of the wish under way
  let hint: Hint | null = $state.raw(null);
  let looking: number | null = $state(null);
  let known = true; // whether the version we have is good to continue from

  const line = connect({
    address: () => {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
      return `${scheme}://${location.host}/api/tables/${id}/socket${known ? `?since=${table.version}` : ''}`;
    },
    state: (state) => (link = state),
    time: heardTime,
    message: (message) => {
      if (message.t === 'state') {
        known = true;
        take(message, 'state');
      } else if (message.t === 'presence') {
        take({ ...table, seats: message.seats, watching: message.watching }, 'presence');
      } else if (message.t === 'event') {
        const next = apply(table, message);
        if (next) take(next, message.kind);
        else {
          known = false; // a gap: only the whole table helps
          line.restart();
        }
      }
    },
  });

  function take(next: Snapshot, kind: string): void {
    const before = table;
    if (next === before) return;
    table = next;
    if (turnOf(next) !== turnOf(before)) hint = null;
    if (looking !== null && looking >= next.history.length) looking = null;
    const entry = next.history.at(-1);
    if (kind === 'move' && entry) news.turn(entry, next);
    else news.event(kind, next, before);
  }

  return {
    get table() {
      return table;
    },
    get link() {
      return link;
    },
    get busy() {
      return asked === turnOf(table); // once the turn is there, the next one may follow before the answer
    },
    get hint() {
      return hint;
    },
    get looking() {
      return looking;
    },
    set looking(ply) {
      looking = ply === null || ply >= table.history.length ? null : Math.max(0, ply);
    },
    async wish(wish) {
      looking = null;
      const turn = (asked = turnOf(table));
      try {
        await line.send(wish);
      } finally {
        if (asked === turn) asked = null;
      }
    },
    async tell(wish) {
      await line.send(wish);
    },
    async askHint() {
      const [ply, turn] = [table.history.length, turnOf(table)];
      const answer = await line.send({ t: 'hint', ply });
      if (answer.t !== 'hint') throw new Failure('no_hint');
      if (turnOf(table) === turn) hint = answer;
    },
    leave: () => line.close(),
  };
}
