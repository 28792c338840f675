// The kit: the games, rules and engines as they run on this device, in a worker. It loads in the background; from then on
// playing alone does not need the server.

import { engineChoice } from '../lib/engineChoice';
import { SITE, fileAddress } from '../lib/place';
import { ownName } from '../lib/ownName';
import type { Line } from '../lib/transport';
import { ask, dropAll, LocalLine, receive } from './workerLink';

type State = 'absent' | 'waiting' | 'loading' | 'ready' | 'failed';

let state: State = $state(__KIT__ ? 'waiting' : 'absent');
let part = $state(0); // of the download
let keeps = $state(true); // whether the browser keeps games
let worker: Worker | null = null;
let started: Promise<void> | null = null;
let name = '';

/** Whether engines run here once the kit is loaded. */
export const useDevice = (): boolean => SITE || engineChoice.place === 'device';

export const kit = {
  exists: __KIT__ !== null,
  get state(): State {
    return state;
  },
  get part(): number {
    return part;
  },
  get keeps(): boolean {
    return keeps;
  },
  rename(next: string): void {
    name = next;
    worker?.postMessage({ t: 'name', name });
  },
  start,
  /** The games that are kept here, as the list of games shows them; the kit need not be loaded. */
  async summaries(over: boolean): Promise<unknown[]> {
    const { summaries } = await import('./games');
    return summaries(over, name);
  },
};

/** Load the kit, once. */
export function start(): Promise<void> {
  if (!__KIT__) return Promise.reject(new Error('this page was built without the kit'));
  started ??= load(__KIT__).catch((error) => {
    started = null; // try again next time
    state = 'failed';
    console.warn('the kit does not start:', error);
    worker?.terminate();
    worker = null;
    throw error;
  });
  return started;
}

async function load({ folder, files }: Kit): Promise<void> {
  await null; // the caller may be drawing: nothing changes until that is done
  name ||= ownName();
  state = 'loading';
  await controlled();
  const fresh = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'quatuor' });
  const life = `quatuor-worker-${Math.random()}`; // a lock that the worker holds as long as it lives
  worker = fresh;
  await new Promise<void>((resolve, reject) => {
    fresh.onerror = (event) => reject(new Error(event.message || 'the worker does not start'));
    fresh.onmessage = ({ data }) => {
      if (data.t === 'progress') part = data.part;
      else if (data.t === 'storage') keeps = data.keeps;
      else if (data.t === 'ready') resolve();
      else if (data.t === 'failed') reject(new Error(data.why));
      else receive(data);
    };
    fresh.postMessage({ t: 'start', base: fileAddress(`kit/${folder}/`), files, name, life });
  });
  state = 'ready';
  fresh.onerror = () => ended(fresh);
  void navigator.locks?.request(life, () => ended(fresh)).catch(() => undefined);
}

/** The browser has ended the worker (no memory left), or an error has: start another. Open tables connect again. */
function ended(gone: Worker): void {
  if (worker !== gone) return;
  gone.terminate();
  worker = null;
  started = null;
  state = 'waiting';
  void start().catch(() => undefined);
  dropAll();
}

/** The service worker keeps the files that are loaded through it: wait for it a moment. */
async function controlled(): Promise<void> {
  const container = navigator.serviceWorker;
  if (!container || container.controller || !import.meta.env.PROD) return;
  await Promise.race([
    new Promise((resolve) => container.addEventListener('controllerchange', resolve, { once: true })),
    new Promise((resolve) => setTimeout(resolve, 4000)),
  ]);
}

const post = (message: Record<string, unknown>): void => worker?.postMessage(message);

/** A request that the worker answers. */
export async function request(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  await start();
  return ask(post, method, path, body, signal);
}

export const localSocket = (path: string): Line => new LocalLine(path, start(), post);
