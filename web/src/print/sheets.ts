// What each game has to print. Sheets are found by the game's folder: boards/<game>/print.ts.

import type { Sheet } from './drawing';

const files = import.meta.glob<{ sheets: () => Sheet[] }>('../boards/*/print.ts');

/** The sheets of a game; a game without any has only its rulebook and score sheets. */
export async function sheetsOf(game: string): Promise<Sheet[]> {
  const load = files[`../boards/${game}/print.ts`];
  return load ? (await load()).sheets() : [];
}

export const PAPERS = ['a4', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];

const FORMS = ['score', 'moves'] as const; // tables to fill in: every game has them
export type Form = (typeof FORMS)[number];

export const isForm = (name: string): name is Form => (FORMS as readonly string[]).includes(name);

export interface Place {
  game: string;
  sheet: string;
}

/** /print/<game>/<sheet>; null: the list. */
export function placeOf(path: string): Place | null {
  const [, game, sheet] = /^\/print\/(\w+)\/([\w-]+)\/?$/.exec(path) ?? [];
  return game && sheet ? { game, sheet } : null;
}

/** The paper that is usual where the visitor lives. */
export const usualPaper = (languages: readonly string[]): Paper => (/-(US|CA|MX|CO|CL|PH)\b/.test(languages[0] ?? '') ? 'letter' : 'a4');
