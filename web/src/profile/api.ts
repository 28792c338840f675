// Profiles, as the server describes them.

import { json } from '../lib/api';

export type Audience = 'everybody' | 'me';
export type Part = 'ratings' | 'games' | 'puzzles';
export type Shows = Record<Part, Audience>;

export interface Rating {
  game: string;
  variant: string;
  rating: number;
  provisional: boolean;
  games: number;
  engines: { level: number; rating: number; provisional: boolean; games: number }[]; // on the same scale
}

export interface Opponent {
  name: string | null; // null with a null level: people who do not want to be seen
  level: number | null;
  account: boolean;
  won: number;
  drawn: number;
  lost: number;
}

export interface Results {
  counted: number;
  won: number;
  drawn: number;
  lost: number;
  streak: { result: 'won' | 'drawn' | 'lost'; length: number } | null;
  best: number;
  opponents: Opponent[];
}

export interface Profile {
  name: string;
  you: boolean;
  shows?: Shows; // only one's own
  ratings: Rating[] | null; // null: hidden from this visitor
  games: Results | null;
  puzzles: { solved: number; alone: number; days: number } | null;
}

export const profileOf = (name: string): Promise<Profile> => json('GET', `/people/${encodeURIComponent(name)}`);
export const hasCounted = (table: string): Promise<{ counted: boolean | null }> => json('GET', `/tables/${table}/rated`);
export const show = (shows: Shows): Promise<Shows> => json('PUT', '/account/profile', shows);

/** The address of an account's page. */
export const profileAddress = (name: string): string => `/@${encodeURIComponent(name)}`;

/** The level of the computer whose rating is nearest; null while none is known well enough. */
export function nearestLevel({ rating, engines }: Rating): number | null {
  const known = engines.filter(({ provisional }) => !provisional);
  if (!known.length) return null;
  return known.reduce((best, other) => (Math.abs(other.rating - rating) < Math.abs(best.rating - rating) ? other : best)).level;
}
