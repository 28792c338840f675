// Live data from the server: a websocket that sends all of it whenever it has changed.

import { SITE } from './place';
import { pause } from './socket';

const GONE = 4404; // it does not exist: there is no point in asking again

export interface Feed<T> {
  readonly newest: T | null; // null: not received yet
  readonly failed: string; // the code of a permanent error
  readonly offline: boolean; // the server does not answer now; the page tries again
  leave: () => void;
}

/** Messages of the kind `t` from an address below /api; `merge`: if a message has only what is new. */
export function follow<T>(path: string, t: string, merge: (before: T | null, news: T) => T = (_, news) => news): Feed<T> {
  let newest: T | null = $state.raw(null);
  let failed = $state('');
  let offline = $state(SITE);
  let socket: WebSocket | null = null;
  let tries = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    if (SITE) return; // there is no server
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const line = (socket = new WebSocket(`${scheme}://${location.host}/api${path}`));
    line.onmessage = (event) => {
      tries = 0;
      offline = false;
      const message = JSON.parse(String(event.data)) as T & { t: string; code?: string };
      if (message.t === t) newest = merge(newest, message);
      else if (message.t === 'error') failed = message.code ?? 'server';
    };
    line.onclose = (event) => {
      offline ||= line === socket && (tries > 0 || !navigator.onLine);
      if (line === socket && event.code !== GONE) retry = setTimeout(open, pause((tries += 1), Math.random()));
    };
  }

  /** The system says that the network is back: no need to wait. */
  function again(): void {
    if (socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(retry);
    open();
  }

  addEventListener('online', again);
  open();
  return {
    get newest() {
      return newest;
    },
    get failed() {
      return failed;
    },
    get offline() {
      return offline;
    },
    leave() {
      clearTimeout(retry);
      removeEventListener('online', again);
      const line = socket;
      socket = null;
      line?.close();
    },
  };
}
