import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { firstOpen, isDone, keepStep, lessonsDone, nextLesson, stepsDone, type Store } from '../src/learn/progress';
import { clauseOf, held, parse, piecesOf } from '../src/learn/rulebook';
import { lessonAddress, placeOf, ruleAddress } from '../src/learn/addresses';

const DOCS = join(import.meta.dirname, '../../docs');
const LANGS = ['en', 'fr', 'de'] as const;
const GAMES = readdirSync(join(DOCS, 'rules')).filter((name) => name !== 'README.md').map((name) => name.replace('.md', ''));

function memory(first?: string): Store {
  const kept = new Map(first === undefined ? [] : [['quatuor-learn', first]]);
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

describe('progress', () => {
  const lesson = { name: 'push', steps: 3 };

  it('is stored step by step, and continues at the first open step', () => {
    const store = memory();
    expect(firstOpen('plus4', lesson, store)).toBe(0);
    keepStep('plus4', 'push', 0, store);
    keepStep('plus4', 'push', 2, store);
    keepStep('plus4', 'push', 2, store);
    expect(stepsDone('plus4', 'push', store)).toEqual([0, 2]);
    expect(firstOpen('plus4', lesson, store)).toBe(1);
    expect(isDone('plus4', lesson, store)).toBe(false);
    keepStep('plus4', 'push', 1, store);
    expect(isDone('plus4', lesson, store)).toBe(true);
    expect(firstOpen('plus4', lesson, store)).toBe(0); // once more from the start
    expect(isDone('blokus', lesson, store)).toBe(false);
  });

  it('offers the next lesson', () => {
    const store = memory('{"plus4":{"push":[0,1,2]}}');
    const lessons = [lesson, { name: 'lines', steps: 6 }];
    expect(lessonsDone('plus4', lessons, store)).toBe(1);
    expect(nextLesson('plus4', lessons, store)).toBe('lines');
    expect(nextLesson('plus4', [lesson], store)).toBe('push');
    expect(nextLesson('plus4', [], store)).toBeUndefined();
  });

  it.each(['', 'nonsense', '[]', 'null', '{"plus4":{"push":"all"}}', '{"plus4":7}'])('survives a damaged store: %s', (text) => {
    const store = memory(text);
    expect(stepsDone('plus4', 'push', store)).toEqual([]);
    keepStep('plus4', 'push', 1, store);
    expect(stepsDone('plus4', 'push', store)).toEqual([1]);
  });

  it('works where nothing can be stored', () => {
    const closed: Store = {
      getItem: () => {
        throw new Error('closed');
      },
      setItem: () => {
        throw new Error('closed');
      },
    };
    keepStep('plus4', 'push', 1, closed);
    expect(stepsDone('plus4', 'push', closed)).toEqual([]);
  });
});

describe('addresses', () => {
  it('lead to pages', () => {
    expect(placeOf('/learn')).toEqual({ page: 'courses' });
    expect(placeOf('/learn/')).toEqual({ page: 'courses' });
    expect(placeOf('/learn/plus4')).toEqual({ page: 'course', game: 'plus4' });
    expect(placeOf(lessonAddress('plus4', 'push'))).toEqual({ page: 'lesson', game: 'plus4', lesson: 'push' });
    expect(placeOf('/rules/trois_six')).toEqual({ page: 'rules', game: 'trois_six' });
    for (const path of ['/', '/rules', '/rules/plus4/push', '/learning', '/learn/a/b/c']) expect(placeOf(path)).toBeNull();
  });

  it('of clauses name their game', () => {
    expect(ruleAddress('plus4')).toBe('/rules/plus4');
    expect(ruleAddress('plateau_x', 'PX-13')).toBe('/rules/plateau_x#PX-13');
  });
});

describe('a rulebook', () => {
  const source = `# Title\n\nLead, on\ntwo lines.\n\n## Part\n\n### One thing {#P4-1}\n\nText with **weight**, see P4-20.\n\n- first\n- second,\n  longer\n\n!!! ruling "Ours"\n    We say\n    so.\n\n![A picture.](../pictures/P4-1.svg)\n`;

  it('is read from Markdown', () => {
    const book = parse(source);
    expect(book.title).toBe('Title');
    expect(book.lead).toEqual([{ kind: 'text', text: 'Lead, on two lines.' }]);
    expect(book.sections.map(({ title }) => title)).toEqual(['Part']);
    expect(clauseOf(book, 'P4-1')).toEqual({
      id: 'P4-1',
      title: 'One thing',
      blocks: [
        { kind: 'text', text: 'Text with **weight**, see P4-20.' },
        { kind: 'list', items: ['first', 'second, longer'] },
        { kind: 'ruling', label: 'Ours', text: 'We say so.' },
        { kind: 'example', clause: 'P4-1', text: 'A picture.' },
      ],
    });
    expect(clauseOf(book, 'P4-2')).toBeUndefined();
  });

  it('is split into pieces', () => {
    expect(piecesOf('Push **now** with `a*`, see P4-20.')).toEqual([
      { kind: 'plain', text: 'Push ' },
      { kind: 'strong', text: 'now' },
      { kind: 'plain', text: ' with ' },
      { kind: 'code', text: 'a*' },
      { kind: 'plain', text: ', see ' },
      { kind: 'clause', text: 'P4-20' },
      { kind: 'plain', text: '.' },
    ]);
  });

  it('keeps French punctuation on the line of its word', () => {
    expect(held('Oui ! « Non » : si ?')).toBe('Oui\u00a0! «\u00a0Non\u00a0»\u00a0: si\u00a0?');
  });

  it.each(GAMES.flatMap((game) => LANGS.map((lang) => [game, lang] as const)))('%s in %s says something about every clause', (game, lang) => {
    const ids = [...readFileSync(join(DOCS, `rules/${game}.md`), 'utf8').matchAll(/^\s*- ([A-Z0-9]+-\d+) /gm)].map(([, id]) => id);
    const book = parse(readFileSync(join(DOCS, `rulebook/${lang}/${game}.md`), 'utf8'));
    const clauses = book.sections.flatMap((section) => section.clauses);
    expect(book.lead.length).toBeGreaterThan(0);
    expect(clauses.map(({ id }) => id)).toEqual(ids); // all of them, in their order
    expect(clauses.filter(({ blocks }) => !blocks.length)).toEqual([]);
  });

  it.each(GAMES)('%s marks the same rulings in all languages', (game) => {
    const [en, ...others] = LANGS.map((lang) => parse(readFileSync(join(DOCS, `rulebook/${lang}/${game}.md`), 'utf8')));
    const shape = (book: typeof en): unknown =>
      book?.sections.map(({ clauses }) => clauses.map(({ id, blocks }) => [id, ...blocks.map(({ kind }) => kind)]));
    for (const book of others) expect(shape(book)).toEqual(shape(en));
  });
});

describe('the end of a game', () => {
  const rule = async (game: string, variant: string, code: string): Promise<string | null> =>
    (await import(`../src/boards/${game}/ending.ts`)).endingClause({ variant }, code);

  it('names its clause', async () => {
    expect(await rule('plus4', 'endless', 'target')).toBe('P4-25');
    expect(await rule('plus4', 'rounds', 'target')).toBe('P4-34');
    expect(await rule('blokus', 'teams', 'blocked')).toBe('BK-10');
    expect(await rule('plus4', 'endless', 'unheard_of')).toBeNull();
  });

  it.each(GAMES)('%s has a clause for every reason its rules can give', async (game) => {
    const source = readdirSync(join(DOCS, `../quatuor/games/${game}`)).filter((name) => name.endsWith('.py'));
    const code = source.map((name) => readFileSync(join(DOCS, `../quatuor/games/${game}`, name), 'utf8')).join('\n');
    const named = /^REASONS = \(([^)]*)\)/m.exec(code)?.[1] ?? /"code": ("\w+")/.exec(code)?.[1] ?? '';
    const codes = [...named.matchAll(/"(\w+)"/g)].map(([, name]) => name ?? '').filter((name) => name !== 'none');
    const book = parse(readFileSync(join(DOCS, `rulebook/en/${game}.md`), 'utf8'));
    expect(codes.length).toBeGreaterThan(0);
    for (const reason of codes) expect(clauseOf(book, (await rule(game, '', reason)) ?? ''), reason).toBeDefined();
  });
});

describe('a lesson', () => {
  it('tries moves, only comments on slips, and stores finished steps', async () => {
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    vi.stubGlobal('navigator', { languages: ['en'] });
    const store = memory();
    vi.stubGlobal('localStorage', store);
    const start = { history: [] };
    const after = { history: [{}] };
    const verdicts: Record<string, string> = { b: 'done', c: 'wrong', e: 'refused' };
    const asked: string[] = [];
    vi.stubGlobal('fetch', (path: string, { method, body }: { method: string; body: string | null }) => {
      asked.push(`${method} ${path}`);
      const verdict = verdicts[body ? JSON.parse(body).move : ''];
      const answer = method === 'GET' ? start : { verdict, says: null, clause: null, table: verdict === 'refused' ? null : after };
      return Promise.resolve(new Response(JSON.stringify(answer)));
    });
    const { Learning } = await import('../src/learn/lesson.svelte');
    const text = { en: '', fr: '', de: '' };
    const step = { clauses: [], show: 'b', text, task: text, done: text };
    const answers: string[] = [];
    const learning = new Learning('plus4', { name: 'push', title: text, steps: [step, step] }, ({ verdict }) => answers.push(verdict));
    await vi.waitFor(() => expect(learning.open).toBe(true));

    await learning.play('e', 'slip');
    expect([learning.attempt?.verdict, learning.open]).toEqual(['refused', true]);
    await learning.play('c', 'slip');
    expect([learning.attempt?.verdict, learning.attempt?.table, learning.open]).toEqual(['wrong', null, true]);
    await learning.play('c');
    expect([learning.table, learning.open]).toEqual([after, false]);
    learning.again();
    expect([learning.attempt, learning.open]).toEqual([null, true]);
    await learning.play('b', 'shown');
    expect([learning.shown, learning.done, learning.isLast]).toEqual([true, [0], false]);
    await learning.go(1);
    expect([learning.attempt, learning.open, learning.isLast]).toEqual([null, true, true]);
    expect(answers).toEqual(['refused', 'wrong', 'wrong', 'done']);
    expect(stepsDone('plus4', 'push', store)).toEqual([0]);
    expect(asked[0]).toBe('GET /api/learn/plus4/push/0');
    expect(asked.at(-1)).toBe('GET /api/learn/plus4/push/1');
  });
});
