// Who answers the page: the server, or the worker on this device. The rest of the page does not know which.

import { kit, localSocket, request, useDevice } from '../local/kit.svelte';
import { keepName, ownName } from './ownName';
import { fileAddress, SITE } from './place';
import type { Hint } from './types';

/** As much of a WebSocket as the page uses. */
export interface Line {
  readonly readyState: number;
  onopen: ((event: Event) => void) | null;
  onmessage: ((event: MessageEvent) => void) | null;
  onclose: ((event: CloseEvent) => void) | null;
  send: (text: string) => void;
  close: () => void;
}

const COMPUTED = /^\/(puzzles\/|analysis\b)/; // needs an engine
const KNOWN = /^\/(games|learn|puzzles|analysis)\b/; // the same from the server and from the worker

/** Tables of this device are known by their ids. */
export const isLocal = (id: string): boolean => id.startsWith('local-');

const ofLocalTable = (path: string): boolean => isLocal(/^\/tables\/([^/?]+)/.exec(path)?.[1] ?? '');

/** Whether a table can be played without other people and does not count for ratings. */
function solo(method: string, path: string, body: unknown): boolean {
  if (method !== 'POST' || path !== '/tables') return false;
  const { seats, rated } = body as { seats: { kind: string }[]; rated?: boolean };
  return !rated && !seats.some(({ kind }) => kind === 'open');
}

/** Send a request below /api; throws if there is no answer. */
export async function ask(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  if (ofLocalTable(path)) return request(method, path, body, signal);
  if (path.startsWith('/me/games')) return myGames(path, signal);
  const computed = COMPUTED.test(path) || solo(method, path, body);
  if (computed && (SITE || (useDevice() && kit.state === 'ready'))) return request(method, path, body, signal);
  try {
    return await server(method, path, body, signal);
  } catch (error) {
    if (signal?.aborted || !kit.exists) throw error;
    if (path === '/me') return me(method, body);
    if (path === '/games') return catalogue();
    if (computed || KNOWN.test(path)) return request(method, path, body, signal);
    throw error;
  }
}

async function server(method: string, path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  if (SITE) throw new TypeError('there is no server');
  const response = await fetch(`/api${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  });
  if (response.status >= 502 && !response.headers.get('content-type')?.includes('json')) throw new TypeError('a gateway answers, no server');
  if (path === '/me' && response.ok) remember(((await response.clone().json()) as { name: string }).name);
  return response;
}

/** Whether this device computes the engine's work for tables of the server. */
export const computesFor = (table: string): boolean => !isLocal(table) && useDevice() && kit.state === 'ready';

/** A hint at a table of the server, computed on this device; null where the server has to compute it. */
export async function hintHere(table: string, ply: number, seat: number, signal: AbortSignal): Promise<Hint | null> {
  if (!computesFor(table)) return null;
  const record = await server('GET', `/tables/${table}/record`, undefined, signal);
  if (!record.ok) return null;
  const answer = await request('POST', '/hint', { text: await record.text(), ply, seat }, signal);
  return answer.ok ? ((await answer.json()) as Hint) : null;
}

/** A websocket to an address below /api. */
export function openLine(path: string): Line {
  if (ofLocalTable(path)) return localSocket(path);
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocket(`${scheme}://${location.host}/api${path}`);
}

// ---- what is the same without a server

function remember(name: string): void {
  kit.rename(name);
  keepName(name);
}

function me(method: string, body: unknown): Response {
  if (method === 'PUT') remember((body as { name: string }).name);
  return Response.json({ name: ownName() || 'Guest 1000', account: null });
}

const catalogue = (): Promise<Response> => fetch(fileAddress(`kit/${__KIT__?.folder}/games.json`));

/** The games of this device and those of the server in one list: a page of it is as long as the server's. */
async function myGames(path: string, signal?: AbortSignal): Promise<Response> {
  const first = /page=0\b/.test(path);
  const [here, there] = await Promise.all([
    first && kit.exists ? ownGames(path) : [],
    server('GET', path, undefined, signal).then(
      (response) => (response.ok ? response : null),
      () => null,
    ),
  ]);
  const others = (await there?.json()) ?? { games: [], more: false };
  return Response.json({ games: [...here, ...others.games], more: others.more, offline: there === null });
}

/** An empty list if the kit fails to load: the list of the server's games is better than no list. */
async function ownGames(path: string): Promise<unknown[]> {
  const answer = await kit.summaries(path.includes('over=true')).catch(() => []);
  return answer;
}
