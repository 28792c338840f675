// The lobby as it changes: a websocket that brings the whole list whenever there is a new one.

import { pause } from '../lib/socket';
import type { Card } from './api';

export interface Lobby {
  readonly tables: Card[] | null; // null: not heard yet
  leave: () => void;
}

export function watchLobby(): Lobby {
  let tables: Card[] | null = $state.raw(null);
  let socket: WebSocket | null = null;
  let tries = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const line = (socket = new WebSocket(`${scheme}://${location.host}/api/lobby/socket`));
    line.onmessage = (event) => {
      tries = 0;
      const heard = JSON.parse(String(event.data)) as { t: string; tables: Card[] };
      if (heard.t === 'lobby') tables = heard.tables;
    };
    line.onclose = () => {
      if (line === socket) retry = setTimeout(open, pause((tries += 1), Math.random()));
    };
  }

  open();
  return {
    get tables() {
      return tables;
    },
    leave() {
      clearTimeout(retry);
      const line = socket;
      socket = null;
      line?.close();
    },
  };
}

export interface Filter {
  game: string; // '': any
  variant: string;
  pace: '' | 'none' | 'clock' | 'days';
  free: number; // seats at least
}

const kindOf = (card: Card): Filter['pace'] => (card.pace.days ? 'days' : card.pace.total ? 'clock' : 'none');

export function filtered(tables: Card[], filter: Filter): Card[] {
  return tables.filter(
    (card) =>
      (!filter.game || card.game === filter.game) &&
      (!filter.variant || card.variant === filter.variant) &&
      (!filter.pace || kindOf(card) === filter.pace) &&
      card.seats.filter((seat) => seat.kind === 'open').length >= filter.free,
  );
}
