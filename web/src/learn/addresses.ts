// The addresses of lessons and rules.

export type Place =
  | { page: 'courses' }
  | { page: 'course'; game: string }
  | { page: 'lesson'; game: string; lesson: string }
  | { page: 'rules'; game: string };

const PARTS = /^\/(learn|rules)(?:\/(\w+))?(?:\/(\w+))?\/?$/;

/** What a path leads to; null: no lesson and no rulebook. */
export function placeOf(path: string): Place | null {
  const [, first, game, lesson] = PARTS.exec(path) ?? [];
  if (first === 'rules') return game && !lesson ? { page: 'rules', game } : null;
  if (first !== 'learn') return null;
  if (!game) return { page: 'courses' };
  return lesson ? { page: 'lesson', game, lesson } : { page: 'course', game };
}

export const lessonAddress = (game: string, lesson: string): string => `/learn/${game}/${lesson}`;

export const ruleAddress = (game: string, clause = ''): string => `/rules/${game}${clause && `#${clause}`}`;
