// Profiles, as the server describes them.

import { json } from '../lib/api';
import type { PlayerRating as Rating, Profile, Shows } from '../lib/types';

export type { Opponent, Results } from '../lib/types';
export type { Profile, Rating };
export type Part = keyof Shows;
export type Audience = Shows[Part];

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
