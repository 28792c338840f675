// "1 player", "2 players": the form that a language wants for a number.

import type { Lang } from '../types';

export interface Forms {
  one: string;
  other: string;
}

/** A number with its noun in the right form. */
export function pluralsIn(lang: Lang): (n: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(lang);
  return (n, forms) => `${n} ${rules.select(n) === 'one' ? forms.one : forms.other}`;
}
