// Lessons over HTTP.

import { json } from '../lib/api';
import type { Snapshot } from '../lib/types';
import type { Attempt, Course, CourseSummary } from './types';

export const getCourses = async (): Promise<CourseSummary[]> =>
  (await json<{ courses: CourseSummary[] }>('GET', '/learn')).courses;

const courses = new Map<string, Promise<Course>>(); // they do not change while the page is open

export function getCourse(game: string): Promise<Course> {
  const known = courses.get(game);
  if (known) return known;
  const asked = json<Course>('GET', `/learn/${encodeURIComponent(game)}`);
  courses.set(game, asked);
  asked.catch(() => courses.delete(game)); // ask again next time
  return asked;
}

const at = (game: string, lesson: string, step: number): string => `/learn/${game}/${lesson}/${step}`;

export const getStep = (game: string, lesson: string, step: number): Promise<Snapshot> =>
  json('GET', at(game, lesson, step));

export const tryMove = (game: string, lesson: string, step: number, move: string): Promise<Attempt> =>
  json('POST', at(game, lesson, step), { move });
