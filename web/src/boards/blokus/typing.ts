// Choosing a piece by typing its name. No name begins another one, so a name is complete once it is found.

export interface Typed {
  text: string; // so far
  piece: string | null; // found
}

export function type(before: string, key: string, names: readonly string[]): Typed {
  for (const text of [before + key, key].map((text) => text.toUpperCase())) {
    if (names.includes(text)) return { text: '', piece: text };
    if (names.some((name) => name.startsWith(text))) return { text, piece: null };
  }
  return { text: '', piece: null };
}
