// Texts in the visitor's language: m() for the page's own, localize() for those the server sends in all three.

import { Failure } from '../api';
import { prefs } from '../prefs.svelte';
import type { Lang, Text } from '../types';
import { de } from './de';
import { en, type Messages } from './en';
import { fr } from './fr';
import { french } from './french';

const ALL: Record<Lang, Messages> = { en, fr: french(fr), de };

export const LANGUAGES: Record<Lang, string> = { en: 'English', fr: 'Français', de: 'Deutsch' };

export const m = (): Messages => ALL[prefs.lang];

export const localize = (text: Text): string => (prefs.lang === 'fr' ? french(text.fr) : text[prefs.lang]);

/** A failure in friendly words; a code we have no words for says that something went wrong. */
export function errorMessage(error: unknown): string {
  const code = error instanceof Failure ? error.code : 'server';
  const errors: Record<string, string> = m().errors;
  return errors[code] ?? m().errors.server;
}

export function list(names: string[]): string {
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${m().and} ${names.at(-1)}`;
}
