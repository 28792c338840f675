// This visitor's choices, kept in the browser.

import { engineChoice } from './engineChoice';
import type { Lang } from './types';

export type Theme = 'light' | 'dark';

interface Prefs {
  lang: Lang;
  theme: Theme | null; // null: as the system is set
  sound: boolean;
  notify: boolean; // by the system, where it is allowed
  levels: Record<string, number>; // of the computer last played, by game
  notation: boolean; // moves in the list as records write them
  engine: 'device' | 'server'; // where the computer thinks, once the kit is there
  plain: boolean; // moves as a list instead of a board, whatever the game
}

const KEY = 'quatuor';
const LANGS: readonly Lang[] = ['en', 'fr', 'de'];

/** The first of the browser's languages that we speak. */
export function pickLang(wanted: readonly string[]): Lang {
  for (const tag of wanted) {
    const lang = LANGS.find((known) => tag.toLowerCase().startsWith(known));
    if (lang) return lang;
  }
  return 'en';
}

function load(): Prefs {
  const fresh: Prefs = { lang: pickLang(navigator.languages), theme: null, sound: true, notify: false, levels: {}, notation: false, engine: 'device', plain: false };
  try {
    return { ...fresh, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return fresh; // storage is blocked or damaged
  }
}

export const prefs: Prefs = $state(load());
engineChoice.place = load().engine;

export const LEVELS: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];
const FIRST_LEVEL = 3;

export const levelFor = (game: string): number => prefs.levels[game] ?? FIRST_LEVEL;

export const setLevel = (game: string, level: number): void => void (prefs.levels = { ...prefs.levels, [game]: level });

const system = matchMedia('(prefers-color-scheme: dark)');

export function toggleTheme(): void {
  const now = prefs.theme ?? (system.matches ? 'dark' : 'light');
  prefs.theme = now === 'dark' ? 'light' : 'dark';
}

/** Apply every change of the choices to the page and store it; call once. */
export function followPrefs(): void {
  $effect(() => {
    const root = document.documentElement;
    root.lang = prefs.lang;
    engineChoice.place = prefs.engine;
    if (prefs.theme) root.dataset.theme = prefs.theme;
    try {
      localStorage.setItem(KEY, JSON.stringify(prefs));
    } catch {
      // Not kept, then; the page works all the same.
    }
  });
}
