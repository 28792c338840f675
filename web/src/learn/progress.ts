// A learner's progress, stored on this device: the steps done, by game and lesson.

type Done = Record<string, Record<string, number[]>>; // game -> lesson -> steps

interface Sized {
  name: string;
  steps: number;
}

const KEY = 'quatuor-learn';

export type Store = Pick<Storage, 'getItem' | 'setItem'>;

function read(store: Store): Done {
  try {
    const found: unknown = JSON.parse(store.getItem(KEY) ?? '{}');
    return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as Done) : {};
  } catch {
    return {}; // storage is blocked or damaged
  }
}

export function stepsDone(game: string, lesson: string, store: Store = localStorage): number[] {
  const found: unknown = read(store)[game]?.[lesson];
  return Array.isArray(found) ? found.filter(Number.isInteger) : [];
}

export function keepStep(game: string, lesson: string, step: number, store: Store = localStorage): void {
  const all = read(store);
  const steps = [...new Set([...stepsDone(game, lesson, store), step])].sort((a, b) => a - b);
  try {
    store.setItem(KEY, JSON.stringify({ ...all, [game]: { ...all[game], [lesson]: steps } }));
  } catch {
    // Not kept, then; the lesson goes on all the same.
  }
}

/** Where to go on in a lesson: its first step not done yet, or the start once all are. */
export function firstOpen(game: string, { name, steps }: Sized, store: Store = localStorage): number {
  const done = stepsDone(game, name, store);
  const open = Array.from({ length: steps }, (_, step) => step).find((step) => !done.includes(step));
  return open ?? 0;
}

export const isDone = (game: string, { name, steps }: Sized, store: Store = localStorage): boolean => {
  const done = stepsDone(game, name, store);
  return Array.from({ length: steps }, (_, step) => step).every((step) => done.includes(step));
};

export const lessonsDone = (game: string, lessons: Sized[], store: Store = localStorage): number =>
  lessons.filter((lesson) => isDone(game, lesson, store)).length;

/** The lesson to offer: the first not done, or the first of all. */
export const nextLesson = (game: string, lessons: Sized[], store: Store = localStorage): string | undefined =>
  (lessons.find((lesson) => !isDone(game, lesson, store)) ?? lessons[0])?.name;
