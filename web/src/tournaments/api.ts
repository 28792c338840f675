// Tournaments as the server describes them: docs/protocol.md.

import { json } from '../lib/api';
import { here } from '../lib/router.svelte';
import type { Options, Pace } from '../lib/types';

export type Format = 'round_robin' | 'swiss' | 'knockout';
export type Status = 'open' | 'running' | 'over';

export interface TournamentSummary {
  id: string;
  title: string;
  game: string;
  variant: string;
  format: Format;
  pace: Pace;
  status: Status;
  entered: number; // players who are in
  most: number;
  round: number; // rounds so far
  planned: number | null; // rounds of a Swiss
  starts?: number | null; // when the first round starts by itself, in milliseconds since 1970
}

export interface Player {
  name: string;
  level: number | null; // of an engine
  by_name: boolean; // entered by the organiser; plays over the board
  profile: string | null; // the name under which the profile is found; null: it shows nothing
  withdrawn: boolean;
}

export interface Row {
  place: number;
  player: number; // players are identified by number, from 0
  points: number;
  firsts: number;
  buchholz: number;
  games: number;
  byes: number;
}

/** What a player says about the result of a game over the board, by seat. */
export interface Statement {
  player: number;
  ranking: number[];
  scores: number[];
}

export interface TournamentTable {
  id: string | null; // of the live table; null: played over the board
  players: number[]; // by seat
  ranking: number[] | null; // null: it is still played
  points: number[] | null;
  stated: Statement[];
  note: string; // why the result was corrected
}

export interface Round {
  tables: TournamentTable[];
  byes: number[];
}

export interface Tournament extends TournamentSummary {
  options: Options;
  late: boolean; // people may enter once it has begun
  auto: boolean; // the next round begins by itself
  listed: boolean;
  words: boolean;
  by: string; // the organiser's name
  by_profile: string | null; // the name under which the organiser's profile is found; null: it shows nothing
  seats: number; // players at a table
  scored: boolean; // points are scores: a result needs them
  version: number;
  players: Player[];
  standings: Row[];
  cross: Record<string, number>[]; // of each player: opponent -> points
  rounds: Round[];
  entry: string | null; // null: people may enter now; else the code of why not
  you: number | null; // the visitor as a player
  organiser: boolean; // the visitor runs it
  by_link?: boolean; // the visitor is `you` by the link of a player entered by name
  links?: Record<string, string>; // for the organiser: player entered by name -> the end of the link
}

export interface TournamentRequest {
  title: string;
  game: string;
  variant: string;
  options: Options;
  format: Format;
  rounds: number | null;
  pace: Record<string, number> | null;
  most: number;
  listed: boolean;
  late: boolean;
  auto: boolean;
  words: boolean;
  starts: number | null;
}

/** A result, one number for each seat, or a record; a note if there was a result already. */
export interface ResultRequest {
  round: number; // from 1
  table: number; // from 1
  ranking?: number[];
  scores?: number[];
  record?: string;
  note?: string;
}

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

/** How the server knows a player who was entered by name: the end of the link that the organiser gave them. */
export const ownLink = (): string => new URLSearchParams(here.search).get('link') ?? '';
export const endTournament = (id: string): Promise<Tournament> => json('POST', `/tournaments/${id}/close`);
