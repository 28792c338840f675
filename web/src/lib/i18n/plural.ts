// "1 player", "2 players": the form that a language uses for a number.

import type { Lang } from '../types';

export interface Forms {
  one: string;
  other: string;
}

/** The form for a number, without the number. */
export function formsIn(lang: Lang): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(lang);
  return (n, forms) => (rules.select(n) === 'one' ? forms.one : forms.other);
}

/** A number with its noun in the right form. */
export function pluralsIn(lang: Lang): (n: number, forms: Forms) => string {
  const form = formsIn(lang);
  return (n, forms) => `${n} ${form(n, forms)}`;
}
