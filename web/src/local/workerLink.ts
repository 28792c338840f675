// Requests and table connections that the worker answers.

import type { Line } from '../lib/transport';

export type FromWorker = { n: number } & (
  | { t: 'head'; status: number; kind: string }
  | { t: 'piece'; text: string }
  | { t: 'end' }
  | { t: 'broken'; why: string }
  | { t: 'opened' }
  | { t: 'message'; text: string }
  | { t: 'closed'; code: number }
);

interface Reply {
  head: (status: number, kind: string) => void;
  piece: (text: string) => void;
  end: () => void;
  fail: (why: Error) => void;
}

const replies = new Map<number, Reply>();
const lines = new Map<number, LocalLine>();
let last = 0;

export type Post = (message: Record<string, unknown>) => void;

export function receive(data: FromWorker): void {
  const reply = replies.get(data.n);
  if (data.t === 'head') reply?.head(data.status, data.kind);
  else if (data.t === 'piece') reply?.piece(data.text);
  else if (data.t === 'end') reply?.end();
  else if (data.t === 'broken') reply?.fail(new TypeError(data.why));
  else lines.get(data.n)?.receive(data);
  if (data.t === 'end' || data.t === 'broken') replies.delete(data.n);
}

/** The worker has ended: nothing that was asked will be answered. Tables connect again by themselves. */
export function dropAll(): void {
  for (const reply of replies.values()) reply.fail(new TypeError('the worker has ended'));
  replies.clear();
  for (const line of [...lines.values()]) line.over(1006);
}

/** The answer as the server would give it, piece by piece. */
export function ask(post: Post, method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const n = (last += 1);
  return new Promise((resolve, reject) => {
    let stream: ReadableStreamDefaultController<Uint8Array>;
    const encoder = new TextEncoder();
    const pieces = new ReadableStream<Uint8Array>({
      start: (controller) => void (stream = controller),
      cancel: () => post({ t: 'abort', n }),
    });
    replies.set(n, {
      head: (status, kind) => resolve(new Response(pieces, { status, headers: { 'content-type': kind } })),
      piece: (text) => stream.enqueue(encoder.encode(text)),
      end: () => stream.close(),
      fail: (why) => (stream.error(why), reject(why)),
    });
    signal?.addEventListener('abort', () => {
      if (!replies.delete(n)) return;
      post({ t: 'abort', n });
      const why = new DOMException('aborted', 'AbortError');
      stream.error(why);
      reject(why);
    });
    post({ t: 'request', n, method, path, body: body === undefined ? null : JSON.stringify(body) });
  });
}

/** A table's connection to the worker: as much of a WebSocket as the page uses. */
export class LocalLine implements Line {
  readyState: number = WebSocket.CONNECTING;
  onopen: Line['onopen'] = null;
  onmessage: Line['onmessage'] = null;
  onclose: Line['onclose'] = null;
  private readonly n = (last += 1);

  constructor(
    path: string,
    ready: Promise<void>,
    private readonly post: Post,
  ) {
    const [, table, since] = /^\/tables\/([^/?]+)\/socket(?:\?since=(\d+))?/.exec(path) ?? [];
    lines.set(this.n, this);
    ready.then(
      () => post({ t: 'open', n: this.n, table, since: since === undefined ? null : Number(since) }),
      () => this.over(1006),
    );
  }

  receive(data: FromWorker): void {
    if (data.t === 'opened') {
      this.readyState = WebSocket.OPEN;
      this.onopen?.(new Event('open'));
    } else if (data.t === 'message') this.onmessage?.(new MessageEvent('message', { data: data.text }));
    else if (data.t === 'closed') this.over(data.code);
  }

  send(text: string): void {
    this.post({ t: 'message', n: this.n, text });
  }

  close(): void {
    this.post({ t: 'close', n: this.n });
    this.over(1000);
  }

  over(code: number): void {
    if (!lines.delete(this.n)) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.(new CloseEvent('close', { code }));
  }
}
