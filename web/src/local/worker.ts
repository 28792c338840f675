// The worker that runs the package under Pyodide. It passes requests and messages on to quatuor.local.browser, keeps games
// in IndexedDB, and knows nothing of either's content.

import type { loadPyodide, PyodideAPI } from 'pyodide';
import { Games } from './database';

interface Host {
  request: (n: number, method: string, path: string, body: string | null) => void;
  abort: (n: number) => void;
  open: (n: number, table: string, since: number | undefined) => void;
  message: (n: number, text: string) => void;
  close: (n: number) => void;
  rename: (name: string) => void;
}

interface Start {
  base: string;
  files: [string, number][]; // name and size in bytes
  name: string;
  life: string; // the lock by which the page knows that this worker lives
}

let host: Host | null = null;
const early: MessageEvent[] = []; // what came before the host was there

self.onmessage = (event: MessageEvent): void => {
  const { data } = event;
  if (data.t === 'start') void start(data).catch((error) => postMessage({ t: 'failed', why: String(error?.message ?? error) }));
  else if (!host) early.push(event);
  else if (data.t === 'request') host.request(data.n, data.method, data.path, data.body);
  else if (data.t === 'abort') host.abort(data.n);
  else if (data.t === 'open') host.open(data.n, data.table, data.since ?? undefined); // Python's None
  else if (data.t === 'message') host.message(data.n, data.text);
  else if (data.t === 'close') host.close(data.n);
  else if (data.t === 'name') host.rename(data.name);
};

async function start({ base, files, name, life }: Start): Promise<void> {
  await hold(life);
  countDownloads(files);
  const games = Games.open(() => postMessage({ t: 'storage', keeps: false }));
  const [python, source] = await Promise.all([loadPython(base), bytes(`${base}package.zip`)]);
  python.unpackArchive(source, 'zip', { extractDir: '/quatuor' });
  python.registerJsModule('quatuor_page', page(await games));
  python.runPython("import sys; sys.path.insert(0, '/quatuor'); from quatuor.local import arrays; arrays.install()");
  const module = python.pyimport('quatuor.local.browser') as Host & { start: (name: string) => void };
  module.start(name);
  host = module;
  postMessage({ t: 'ready' });
  for (const event of early.splice(0)) self.onmessage?.(event);
}

/** Hold a lock for as long as this worker lives. Browsers have none at addresses without TLS. */
const hold = (lock: string): Promise<void> =>
  new Promise((held) => {
    if (!navigator.locks) return held();
    const forever = (): Promise<never> => (held(), new Promise(() => undefined));
    navigator.locks.request(lock, forever).catch(held);
  });

async function loadPython(base: string): Promise<PyodideAPI> {
  const module = (await import(/* @vite-ignore */ `${base}pyodide.mjs`)) as { loadPyodide: typeof loadPyodide };
  const env = { HOME: '/tmp', QUATUOR_DATA: '/tmp', QUATUOR_KERNELS: 'aot', QUATUOR_TREE_MB: String(treeMegabytes()) };
  return module.loadPyodide({ indexURL: base, stdLibURL: `${base}python_stdlib.zip`, env });
}

/** The most memory that a search tree may take. Two exist for a moment when a search is continued after a move. */
function treeMegabytes(): number {
  const { deviceMemory = 4 } = navigator as { deviceMemory?: number }; // gigabytes, at most 8; some browsers do not tell
  return Math.min(128, Math.max(16, 16 * deviceMemory));
}

async function bytes(address: string): Promise<Uint8Array> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Report to the page how much of the kit is loaded. */
function countDownloads(files: Start['files']): void {
  const all = files.reduce((sum, [, size]) => sum + size, 0);
  let loaded = 0;
  let reported = 0;
  const plain = self.fetch.bind(self);
  const count = new TransformStreamCounter((size) => {
    loaded += size;
    if (loaded - reported < all / 50) return;
    reported = loaded;
    postMessage({ t: 'progress', part: Math.min(1, loaded / all) });
  });
  self.fetch = async (...asked) => count.through(await plain(...asked));
}

class TransformStreamCounter {
  constructor(private readonly add: (size: number) => void) {}

  through(response: Response): Response {
    if (!response.ok || !response.body) return response;
    const { add } = this;
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        add(piece.byteLength);
        controller.enqueue(piece);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counter), { status, statusText, headers: { 'content-type': headers.get('content-type') ?? '' } });
  }
}

/** What the host may call in the page. Plain text in both directions. */
const page = (games: Games): Record<string, unknown> => ({
  head: (n: number, status: number, kind: string) => postMessage({ t: 'head', n, status, kind }),
  piece: (n: number, text: string) => postMessage({ t: 'piece', n, text }),
  end: (n: number) => postMessage({ t: 'end', n }),
  broken: (n: number, why: string) => postMessage({ t: 'broken', n, why }),
  opened: (n: number) => postMessage({ t: 'opened', n }),
  message: (n: number, text: string) => postMessage({ t: 'message', n, text }),
  closed: (n: number, code: number) => postMessage({ t: 'closed', n, code }),
  create: (id: string, setup: string, summary: string) => games.create(id, setup, summary),
  append: (id: string, version: number, event: string) => games.append(id, version, event),
  summarise: (id: string, summary: string) => games.summarise(id, summary),
  load: async (id: string) => JSON.stringify(await games.load(id)),
  all: async () => JSON.stringify(await games.all()),
  remove: (id: string) => games.remove(id),
});
