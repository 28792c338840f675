// Every text exists in the three languages (checked by its type), is not empty, and is used.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { de } from '../src/lib/i18n/de';
import { en } from '../src/lib/i18n/en';
import { fr } from '../src/lib/i18n/fr';
import { french } from '../src/lib/i18n/french';

const SRC = join(import.meta.dirname, '../src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|svelte)$/.test(name));
const read = (name: string): string => readFileSync(join(SRC, name), 'utf8');
type Lang = 'en' | 'fr' | 'de';
const LANGS: readonly Lang[] = ['en', 'fr', 'de'];
const BY_CODE = ['errors']; // looked up by codes of the server

type Texts = Record<string, unknown>;
let messages: Record<string, Record<Lang, Texts>> = {};

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('navigator', { languages: ['en'] });
  for (const name of files.filter((name) => /\/messages\.ts$/.test(name))) {
    const module = await import(join(SRC, name));
    messages = { ...messages, [name]: module.ALL_MESSAGES };
  }
});

/** Every text below a group, as path and value; functions are called with plausible arguments. */
function texts(group: Texts, path = ''): [string, string][] {
  return Object.entries(group).flatMap(([key, value]): [string, string][] => {
    const at = path ? `${path}.${key}` : key;
    if (typeof value === 'function') return [[at, value(2, 3, 4)]];
    return typeof value === 'string' ? [[at, value]] : texts(value as Texts, at);
  });
}

const ALIKE = ['Orange', 'Points', 'Chat', 'Moderation', 'Puzzles', 'Notation', 'Expert', 'Novice', 'Double', 'Triple', 'online', 'Table', 'Tables', 'Lobby', 'Date', 'Total', '14 × 14 (Duo)']; // the same word in two of them

const same = (one: Texts, other: Texts): string[] => {
  const there = new Map(texts(other));
  const isWord = (text: string): boolean => /[a-z]{4}/i.test(text) && !ALIKE.includes(text);
  return texts(one).flatMap(([at, text]) => (there.get(at) === text && isWord(text) ? [at] : []));
};

/** The words that the glossary bans, by language. */
const banned = [...readFileSync(join(SRC, '../../docs/glossary.md'), 'utf8').matchAll(/^\| (en|fr|de) \| (.+?) \| .+ \|$/gm)].map(
  ([, lang, word]) => [lang as Lang, word ?? ''] as const,
);

/** What the lessons and the rulebooks say, with the file. */
function taught(lang: Lang): [string, string][] {
  const read = (folder: string): [string, string][] =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]);
  const lessons = read(join(SRC, '../../quatuor/learn/courses')).flatMap(([name, file]) =>
    [...file.matchAll(new RegExp(`(?:^\\s*\\w+\\.|[{ ])${lang} = "(.*?)"(?=$|[ ,])`, 'gm'))].map(([, text]): [string, string] => [name, text ?? '']),
  );
  expect(lessons.length).toBeGreaterThan(100);
  return [...lessons, ...read(join(SRC, '../../docs/rulebook', lang))];
}

/** What games, variants and options are called: `Text("en", "fr", "de")`, also over several lines. */
function named(lang: Lang): [string, string][] {
  const games = join(SRC, '../../quatuor/games');
  const names = readdirSync(games, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('__'))
    .flatMap(({ name }) => [...readFileSync(join(games, name, '__init__.py'), 'utf8').matchAll(/Text\(\s*"([^"]+)",\s*"([^"]+)",\s*"([^"]+)",?\s*\)/g)]
      .map((found): [string, string] => [name, found[LANGS.indexOf(lang) + 1] ?? '']));
  expect(names.length).toBeGreaterThan(70);
  return names;
}

/** All texts of the page in a language, with where they are. */
const shown = (lang: Lang): [string, string][] => [...texts({ en, fr, de }[lang]), ...Object.values(messages).flatMap((group) => texts(group[lang]))];

describe('French', () => {
  it('breaks no line before : ; ! ? or inside quotation marks', () => {
    expect(french({ ask: 'Qui joue ?', say: [(name: string) => `${name} : « Bravo ! »`], n: 3 }).ask).toBe('Qui joue\u00a0?');
    expect(french((name: string) => `${name} : « Bravo ! »`)('Zoé')).toBe('Zoé\u00a0: «\u00a0Bravo\u00a0!\u00a0»');
    for (const [name, all] of Object.entries(messages)) {
      for (const [at, text] of texts(all.fr)) expect(text, `${name} ${at}`).not.toMatch(/ [:;!?»]|« /);
    }
  });
});

describe('the glossary', () => {
  it.each(LANGS)('bans words that no %s text uses', (lang) => {
    const words = banned.filter(([of]) => of === lang).map(([, word]) => word);
    expect(words.length).toBeGreaterThan(5);
    const found = [...shown(lang), ...taught(lang), ...named(lang)].filter(([, text]) => words.some((word) => new RegExp(`(?<![\\p{L}])${word}(?![\\p{L}])`, 'iu').test(text)));
    expect(found).toEqual([]);
  });
});

describe('the lessons', () => {
  it.each([['en', /“(.+?)”/g], ['fr', /« (.+?) »/g], ['de', /„(.+?)“/g]] as const)('call buttons by their names, in %s', (lang, quoted) => {
    const names = new Set(shown(lang).map(([, text]) => text));
    const called = taught(lang).flatMap(([name, text]) => (name.endsWith('.toml') ? [...text.matchAll(quoted)].map(([, word]) => word ?? '') : []));
    expect(called.length).toBeGreaterThan(3);
    expect(called.filter((word) => !names.has(word))).toEqual([]);
  });
});

describe('numbers', () => {
  it('take their forms from Intl.PluralRules, not from a comparison', () => {
    const compared = files.filter((name) => /messages\.ts$|i18n\/(en|fr|de)\.ts$/.test(name)).flatMap((name) =>
      [...read(name).matchAll(/.*\b\w+ (?:=== 1|!== 1|[<>]=? [12]) \?.*/g)].map(([line]) => line.trim()).filter((line) => !/^(hintWin|place):/.test(line)),
    ); // "wins at once" and "1er" are words of their own
    expect(compared).toEqual([]);
  });

  it('take the plural form of their language', () => {
    expect([0, 1, 2].map((n) => fr.points(n))).toEqual(['0 point', '1 point', '2 points']);
    expect([0, 1, 2].map((n) => en.points(n))).toEqual(['0 points', '1 point', '2 points']);
    expect([1, 2, 3, 4, 11, 22].map((n) => en.placed(n))).toEqual(['1st', '2nd', '3rd', '4th', '11th', '22nd'].map((n) => `You finished ${n}.`));
  });
});

describe('the page', () => {
  it.each(Object.entries({ en, fr, de }))('%s has the same texts, none empty', (_, language) => {
    expect(texts(language).map(([at]) => at)).toEqual(texts(en).map(([at]) => at));
    expect(texts(language).filter(([, text]) => !text.trim())).toEqual([]);
  });

  it('has no untranslated text', () => {
    expect(same(fr, en)).toEqual(['tableTitle', 'points']); // the same in both
    expect(same(de, en)).toEqual(['tableTitle']);
  });

  it('uses every text', () => {
    const code = files.filter((name) => !name.startsWith('lib/i18n/') || name.endsWith('index.ts')).map(read).join('\n');
    const unused = Object.keys(en).filter((key) => !BY_CODE.includes(key) && !code.includes(`m().${key}`));
    expect(unused).toEqual([]);
  });

  it('has a text for every error code of the page', () => {
    const codes = files.flatMap((name) => [...read(name).matchAll(/new Failure\('(\w+)'/g)].map((match) => match[1]));
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(en.errors).toHaveProperty(code as string);
  });
});

describe('the boards', () => {
  it('have texts in three languages, none empty, none untranslated', () => {
    expect(Object.keys(messages).length).toBeGreaterThan(0);
    for (const { en, fr, de } of Object.values(messages)) {
      expect(texts(fr).map(([at]) => at)).toEqual(texts(en).map(([at]) => at));
      expect(texts(de).map(([at]) => at)).toEqual(texts(en).map(([at]) => at));
      expect([...texts(en), ...texts(fr), ...texts(de)].filter(([, text]) => !text.trim())).toEqual([]);
      expect(same(fr, en)).toEqual([]);
      expect(same(de, en)).toEqual([]);
    }
  });

  it('use all of them', () => {
    for (const [name, { en }] of Object.entries(messages)) {
      const folder = name.slice(0, name.lastIndexOf('/') + 1);
      const code = files.filter((file) => file.startsWith(folder) && file !== name).map(read).join('\n');
      const uses = Object.keys(en).map((key) => `t().${key}`);
      const reasons = Object.keys((en['reasons'] ?? {}) as Texts).map((key) => `reasons.${key}`);
      expect([...uses, ...reasons].filter((use) => !code.includes(use))).toEqual([]);
    }
  });
});
