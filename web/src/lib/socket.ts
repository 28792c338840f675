// The table's websocket: reconnects with growing pauses, notices a dead line, and sends a command again until it is
// answered. Commands carry an ack id, so the server never carries one out twice.

import { Failure } from './api';
import { type Line, openLine } from './transport';
import type { ServerMessage, Command } from './types';

export type LinkState = 'connecting' | 'online' | 'offline';

export interface Handlers {
  address: () => string; // where to connect, below /api, with the version known at that moment
  message: (message: ServerMessage) => void;
  state: (state: LinkState) => void;
  time: (now: number, asked: number) => void; // the server's time, and when we asked for it by our own clock
}

export interface Link {
  send: (command: Command, signal?: AbortSignal) => Promise<ServerMessage>; // the signal drops it, unless it was sent
  restart: () => void; // drop the connection and ask for everything again
  close: () => void;
}

const PING_EVERY = 4000;
const UNANSWERED_FOR = 6000;
const RESEND_AFTER = 2500;
const GIVE_UP_AFTER = 30_000;
const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 8000;

interface Waiting {
  text: string;
  sent: number; // when last; 0: never
  since: number;
  resolve: (answer: ServerMessage) => void;
  reject: (why: Failure) => void;
}

export function connect(handlers: Handlers): Link {
  const waiting = new Map<string, Waiting>();
  let socket: Line | null = null;
  let received = 0;
  let spoken = 0; // when the last message from the server arrived
  let pinged = 0;
  let tries = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function open(): void {
    clearTimeout(retry);
    handlers.state(tries > 1 ? 'offline' : 'connecting');
    const line = openLine(handlers.address());
    socket = line;
    received = pinged = Date.now();
    line.onopen = () => {
      tries = 0;
      handlers.state('online');
      ping();
      for (const item of waiting.values()) transmit(item);
    };
    line.onmessage = (event) => {
      if (line !== socket) return;
      received = spoken = Date.now();
      receive(JSON.parse(String(event.data)) as ServerMessage);
    };
    line.onclose = () => {
      if (line === socket) again();
    };
  }

  function again(): void {
    socket = null;
    if (closed) return;
    tries += 1;
    handlers.state(tries > 1 ? 'offline' : 'connecting');
    clearTimeout(retry);
    retry = setTimeout(open, pause(tries, Math.random()));
  }

  function drop(): void {
    const line = socket;
    socket = null;
    line?.close();
  }

  function receive(message: ServerMessage): void {
    if (message.t === 'pong') {
      socket?.send(JSON.stringify({ t: 'heard', now: message.now })); // at once: the server measures the latency
      handlers.time(message.now, pinged);
      return;
    }
    if ((message.t === 'ack' || message.t === 'hint' || message.t === 'error') && message.ack !== null) {
      const item = waiting.get(message.ack);
      waiting.delete(message.ack);
      if (message.t === 'error') item?.reject(new Failure(message.code, message.detail));
      else item?.resolve(message);
    }
    handlers.message(message);
  }

  function transmit(item: Waiting): void {
    if (socket?.readyState !== WebSocket.OPEN) return;
    item.sent = Date.now();
    socket.send(item.text);
  }

  function tick(): void {
    const now = Date.now();
    for (const [ack, item] of waiting) {
      if (now - Math.max(item.since, spoken) > GIVE_UP_AFTER) {
        waiting.delete(ack);
        item.reject(new Failure('offline'));
      } else if (now - item.sent > RESEND_AFTER) transmit(item);
    }
    if (socket?.readyState !== WebSocket.OPEN) return;
    // Only an unanswered ping means a dead line: a hidden tab wakes up once a minute and has received nothing since.
    if (received < pinged) {
      if (now - pinged <= UNANSWERED_FOR) return;
      drop();
      again();
    } else if (now - pinged > PING_EVERY) ping();
  }

  function ping(): void {
    pinged = Date.now();
    socket?.send('{"t":"ping"}');
  }

  function wake(): void {
    if (closed || socket) return;
    tries = 0;
    open();
  }

  function lose(): void {
    if (!socket) return;
    drop();
    tries = 1; // the system reports it: no ping is needed
    again();
  }

  const ticking = setInterval(tick, 500);
  window.addEventListener('online', wake);
  window.addEventListener('offline', lose);
  open();

  return {
    send(command, signal) {
      const ack = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
      return new Promise((resolve, reject) => {
        const item: Waiting = { text: JSON.stringify({ ...command, ack }), sent: 0, since: Date.now(), resolve, reject };
        waiting.set(ack, item);
        transmit(item);
        signal?.addEventListener('abort', () => {
          if (item.sent || !waiting.delete(ack)) return; // what may have reached the server can no longer be dropped
          reject(new Failure('cancelled'));
        });
      });
    },
    restart() {
      drop();
      open();
    },
    close() {
      closed = true;
      clearInterval(ticking);
      clearTimeout(retry);
      window.removeEventListener('online', wake);
      window.removeEventListener('offline', lose);
      drop();
    },
  };
}

/** How long to wait before the n-th try: doubling, capped, and spread so that not all guests return at once. */
export function pause(tries: number, chance: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1)) * (0.5 + chance / 2);
}
