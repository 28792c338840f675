// Requests to the server or the worker (transport.ts decides). Every failure becomes a Failure with a code that the page can put into words.

import { ask, isLocal } from './transport';
import type { GameInfo, Me, Options, SeatRequest, Snapshot } from './types';

export class Failure extends Error {
  constructor(
    readonly code: string,
    readonly detail: Record<string, unknown> = {},
  ) {
    super(code);
  }
}

let meeting: Promise<Me> | null = null; // the pending request about the visitor's identity

export async function call(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  if (method !== 'GET') await meeting?.catch(() => undefined); // else a new visitor becomes two guests, and keeps the wrong one
  let response: Response;
  try {
    response = await ask(method, path, body, signal);
  } catch {
    throw new Failure('offline');
  }
  if (response.ok) return response;
  const answer = await response.json().catch(() => null);
  throw new Failure(answer?.error?.code ?? 'server', answer?.error?.detail ?? {});
}

export async function json<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  return (await call(method, path, body, signal)).json();
}

let games: Promise<GameInfo[]> | null = null; // they do not change while the page is open

export function getGames(): Promise<GameInfo[]> {
  games ??= json<{ games: GameInfo[] }>('GET', '/games').then(
    (answer) => answer.games,
    (error) => {
      games = null; // ask again next time
      throw error;
    },
  );
  return games;
}

function meet(answer: Promise<Me>): Promise<Me> {
  const over = (): void => void (meeting === answer && (meeting = null));
  answer.then(over, over);
  return (meeting = answer);
}

/** The visitor; a new one becomes a guest. */
export const getMe = (): Promise<Me> => meeting ?? meet(json('GET', '/me'));

export const rename = (name: string): Promise<Me> => meet(json('PUT', '/me', { name }));

export const openTable = (
  game: string,
  variant: string,
  options: Options,
  seats: SeatRequest[],
  company: Record<string, unknown> = {}, // the settings for a table with other people
): Promise<{ id: string }> => json('POST', '/tables', { game, variant, options, seats, ...company });

export const getTable = (id: string): Promise<Snapshot> => json('GET', `/tables/${id}`);

export const joinTable = (id: string, token: string): Promise<{ seat: number }> =>
  json('POST', `/tables/${id}/join`, { token });

/** Offer a rematch or accept one; the id is null while others have not agreed. */
export const rematch = (id: string): Promise<{ id: string | null }> => json('POST', `/tables/${id}/rematch`);
export const declineRematch = (id: string): Promise<unknown> => json('DELETE', `/tables/${id}/rematch`);

export const getRecord = async (id: string): Promise<string> => (await call('GET', `/tables/${id}/record`)).text();

/** The address of a picture of the position; of a table on this device, the picture itself. */
export async function pictureAddress(id: string, ply: number, version: number): Promise<string> {
  const path = `/tables/${id}/svg?ply=${ply}&v=${version}`; // the version makes the browser load it again
  if (!isLocal(id)) return `/api${path}`;
  return `data:image/svg+xml,${encodeURIComponent(await (await call('GET', path)).text())}`;
}
