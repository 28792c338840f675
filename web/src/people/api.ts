// Requests about people: accounts, the lobby, own games, muted people.

import { json } from '../lib/api';
import type { BlockedPerson, Me, Muted, SignedIn as Session, Summary as TableSummary } from '../lib/types';
import { paceRequest } from './invitation';

export type { BlockedPerson, Muted, Session, TableSummary };

export const signUp = (name: string, password: string): Promise<Me> => json('POST', '/account', { name, password });
export const signIn = (name: string, password: string, keep: boolean): Promise<Me> =>
  json('POST', '/account/session', { name, password, keep });
export const recover = (name: string, code: string, password: string): Promise<Me> =>
  json('POST', '/account/recovery', { name, code, password });
export const signOut = (everywhere: boolean): Promise<unknown> => json('DELETE', `/account/session?everywhere=${everywhere}`);
export const changePassword = (old: string, fresh: string): Promise<unknown> =>
  json('PUT', '/account/password', { old, new: fresh });
export const sessions = (): Promise<{ sessions: Session[] }> => json('GET', '/account/sessions');
export const closeSession = (id: string): Promise<{ sessions: Session[] }> => json('DELETE', `/account/sessions/${id}`);
export const renewCodes = (password: string): Promise<{ recovery: string[] }> => json('POST', '/account/recovery-codes', { password });
export const blockedPeople = (): Promise<{ blocked: BlockedPerson[] }> => json('GET', '/me/blocked');
export const unblock = (id: string): Promise<{ blocked: BlockedPerson[] }> => json('DELETE', `/me/blocked/${id}`);
export const deleteAccount = (password: string): Promise<unknown> => json('DELETE', '/account', { password });

export interface GameFilter {
  text: string; // in names and titles
  game: string; // '': any
  against: '' | 'people' | 'engine';
}

/** A page of one's own games, or of those that fit a filter. */
export function myGames(over: boolean, page: number, filter?: GameFilter): Promise<{ games: TableSummary[]; more: boolean; offline?: boolean }> {
  const wanted = Object.entries(filter ?? {}).flatMap(([key, value]) => (value.trim() ? [[key, value.trim()]] : []));
  return json('GET', `/me/games?over=${over}&page=${page}${wanted.length ? `&${new URLSearchParams(wanted)}` : ''}`);
}

export const join = (id: string, seat?: number): Promise<{ seat: number }> =>
  json('POST', `/tables/${id}/join`, seat === undefined ? {} : { seat });

/** Quick pairing: a seat at a waiting table for this game, or at a new one that waits in the lobby. */
export const pair = (game: string, variant: string, pace: string): Promise<{ id: string; seat: number; opened: boolean }> =>
  json('POST', '/lobby/pairing', { game, variant, pace: paceRequest(pace) });

export const muted = (id: string): Promise<Muted> => json('GET', `/tables/${id}/muted`);
export const mute = (id: string, who: { seat: number } | { number: number }, on: boolean): Promise<Muted> =>
  json('PUT', `/tables/${id}/muted`, { ...who, on });
export const block = (table: string, who: { seat: number } | { number: number }): Promise<unknown> =>
  json('POST', '/me/blocked', { table, ...who });
export const report = (id: string, number: number): Promise<unknown> => json('POST', `/tables/${id}/report`, { number });
