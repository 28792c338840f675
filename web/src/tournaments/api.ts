// Tournaments as the server describes them: docs/protocol.md.

import { json } from '../lib/api';
import { here } from '../lib/router.svelte';
import type { ResultRequest, Tournament, TournamentRequest, TournamentSummary } from '../lib/types';

export type { ResultRequest, Tournament, TournamentSummary, TournamentTable } from '../lib/types';
export type { TournamentPlayer as Player, TournamentRound as Round, TournamentStatement as Statement } from '../lib/types';

export type Format = TournamentSummary['format'];

export const getTournaments = (): Promise<{ mine: TournamentSummary[]; listed: TournamentSummary[] }> => json('GET', '/tournaments');
export const getTournament = (id: string): Promise<Tournament> => json('GET', `/tournaments/${id}`);
export const organise = (request: TournamentRequest): Promise<{ id: string }> => json('POST', '/tournaments', request);
export const enter = (id: string, who: { level?: number; player?: number; names?: string[] } = {}): Promise<Tournament> =>
  json('POST', `/tournaments/${id}/players`, who);
export const withdraw = (id: string, player: number): Promise<Tournament> => json('DELETE', `/tournaments/${id}/players/${player}`);
export const pairRound = (id: string, after: number): Promise<Tournament> => json('POST', `/tournaments/${id}/rounds`, { after });
export const forfeit = (id: string, player: number): Promise<Tournament> => json('POST', `/tournaments/${id}/forfeit`, { player });
export const schedule = (id: string, starts: number | null): Promise<Tournament> => json('PUT', `/tournaments/${id}/start`, { starts });
export const sendResult = (id: string, result: ResultRequest): Promise<Tournament> =>
  json('POST', `/tournaments/${id}/results`, { ...result, link: ownLink() });
export const moveToBoard = (id: string, round: number, table: number, note: string): Promise<Tournament> =>
  json('POST', `/tournaments/${id}/board`, { round, table, note });

/** How the server recognises a player who was entered by name: by the end of the link from the organiser. */
export const ownLink = (): string => new URLSearchParams(here.search).get('link') ?? '';
export const endTournament = (id: string): Promise<Tournament> => json('POST', `/tournaments/${id}/close`);
