// A table while it is open: its snapshot kept up to date, commands sent, and the ply the visitor looks at.

import { heardTime } from '../people/servertime.svelte';
import { Failure } from './api';
import { connect, type LinkState } from './socket';
import { apply } from './table';
import { hintHere } from './transport';
import type { Entry, Hint, Snapshot, Command } from './types';

export interface LiveTable {
  readonly table: Snapshot;
  readonly link: LinkState;
  readonly busy: boolean; // a command about the newest position is still unanswered
  readonly pending: Command | null; // that command, while there is no connection to send it over
  readonly hint: Hint | null; // for the newest position
  looking: number | null; // the ply looked back at; null: now
  send: (command: Command) => Promise<void>; // throws a Failure if refused, or 'cancelled'
  cancel: () => void; // drops the pending command
  askHint: () => Promise<void>;
  leave: () => void;
}

export interface TableListener {
  turn: (entry: Entry, table: Snapshot) => void; // a turn just happened
  event: (kind: string, table: Snapshot, before: Snapshot, seat: number | undefined) => void; // any other event; seat: whose it is
  failed: (failure: Failure) => void; // an engine does not answer now
}

const ASIDE: Command['t'][] = ['say', 'words', 'hint', 'offer', 'answer']; // not about the position: the board stays usable

/** What a move or a hint is for: the position, and whose move the visitor is asked for. */
const turnOf = (table: Snapshot): string => `${table.history.length}/${Object.keys(table.legal).join()}`;

export function followTable(id: string, first: Snapshot, news: TableListener): LiveTable {
  let table: Snapshot = $state.raw(first);
  let link: LinkState = $state('connecting');
  let asked: string | null = $state(null); // the turn of the command without an answer
  let unanswered: { command: Command; stop: AbortController } | null = $state.raw(null);
  let hint: Hint | null = $state.raw(null);
  let looking: number | null = $state(null);
  let known = true; // whether we can continue from the version that we have
  const left = new AbortController(); // after the visitor has left the page

  const line = connect({
    address: () => `/tables/${id}/socket${known ? `?since=${table.version}` : ''}`,
    state: (state) => (link = state),
    time: heardTime,
    message: (message) => {
      if (message.t === 'state') {
        known = true;
        take(message, 'state');
      } else if (message.t === 'presence') {
        const { seats, watching, host, host_profile, spectator_chat = table.spectator_chat ?? [] } = message;
        take({ ...table, seats, watching, host, host_profile, spectator_chat }, 'presence');
      } else if (message.t === 'event') {
        const next = apply(table, message);
        if (next) take(next, message.kind, message.seat);
        else {
          known = false; // a gap: load the whole table
          line.restart();
        }
      } else if (message.t === 'error' && message.ack === null) news.failed(new Failure(message.code, message.detail));
    },
  });

  async function ask(ply: number): Promise<Hint> {
    const answer = await line.send({ t: 'hint', ply });
    if (answer.t !== 'hint') throw new Failure('no_hint');
    return answer;
  }

  function take(next: Snapshot, kind: string, seat?: number): void {
    const before = table;
    if (next === before) return;
    table = next;
    if (turnOf(next) !== turnOf(before)) hint = null;
    if (looking !== null && looking >= next.history.length) looking = null;
    const entry = next.history.at(-1);
    if (kind === 'move' && entry) news.turn(entry, next);
    else news.event(kind, next, before, seat);
  }

  return {
    get table() {
      return table;
    },
    get link() {
      return link;
    },
    get busy() {
      return asked === turnOf(table); // once the turn has arrived, the next one may follow before the answer
    },
    get pending() {
      return link === 'online' ? null : (unanswered?.command ?? null);
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
    async send(command) {
      if (ASIDE.includes(command.t)) return void (await line.send(command));
      looking = null;
      const turn = (asked = turnOf(table));
      const own = (unanswered = { command, stop: new AbortController() });
      try {
        await line.send(command, own.stop.signal);
      } finally {
        if (asked === turn) asked = null;
        if (unanswered === own) unanswered = null;
      }
    },
    cancel: () => unanswered?.stop.abort(),
    async askHint() {
      const [ply, turn] = [table.history.length, turnOf(table)];
      const seat = Number(Object.keys(table.legal)[0]);
      const found = (await hintHere(id, ply, seat, left.signal).catch(() => null)) ?? (await ask(ply));
      if (turnOf(table) === turn) hint = found;
    },
    leave() {
      left.abort();
      line.close();
    },
  };
}
