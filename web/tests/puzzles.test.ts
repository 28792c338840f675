import { describe, expect, it } from 'vitest';
import { asTime, Stopwatch } from '../src/boards/blokus/puzzles/clock';
import { Field, mayTake } from '../src/boards/blokus/puzzles/rules';
import { indexAt, itemOn, type Kind, lay, leftOf, ownOf, plus, type Position, startOf, toPlace, without } from '../src/boards/blokus/puzzles/position';
import { decode, encode } from '../src/boards/blokus/puzzles/share';
import { begun, type Begun, bestTime, keep, record, type Store, unfinished } from '../src/boards/blokus/puzzles/localSave';
import { addressOf, dailyAddress, levelOf, today, withOwn } from '../src/boards/blokus/puzzles/task';
import { cellOf, cellsOf } from '../src/boards/blokus/view';

const COLOURS = ['blue', 'yellow', 'red', 'green'];
const text = { en: '', fr: '', de: '' };
const TETRO: Kind = { name: 'tetro20', title: text, colours: COLOURS, sizes: [4], boards: [{ rows: 8, columns: 10 }], fills: true, hard: true, open: {} };
const ALL: Kind = { ...TETRO, name: 'all84', sizes: [1, 2, 3, 4, 5], boards: [{ rows: 20, columns: 20 }], fills: false };

const tetro: Position = {
  puzzle: 'tetro20', hard: true, rows: 8, columns: 10, given: 1,
  pieces: [{ colour: 'blue', cells: ['a1', 'b1', 'a2', 'b2'] }, { colour: 'red', cells: ['c1', 'd1', 'e1', 'f1'] }],
};
const all84: Position = {
  puzzle: 'all84', hard: false, rows: 20, columns: 20, given: 0,
  pieces: [
    { colour: 'green', cells: ['a1', 'b1'] },
    { colour: 'green', cells: ['c2'] },
    { colour: 'green', cells: ['d3', 'e3', 'f3'] },
    { colour: 'blue', cells: ['a20'] },
  ],
};

const against = (kind: Kind, position: Position, colour: 0 | 1 | 2 | 3, move: string) =>
  new Field(kind, position).against(colour, cellsOf(move, position.rows))?.code ?? null;

describe('a shared position', () => {
  it.each([tetro, all84, { ...tetro, pieces: [], given: 0 }])('comes back as it was', (position) => {
    expect(decode(encode(position))).toEqual(position);
  });

  it('fits into a link', () => {
    expect(encode(tetro)).toMatch(/^tetro20-hard-8x10-1-ba1b1a2b2_rc1d1e1f1-[0-9a-z]+$/);
  });

  it('is refused if any letter is missing or changed', () => {
    const code = encode(tetro);
    for (let i = 0; i < code.length; i++) {
      expect(decode(code.slice(0, i))).toBeNull();
      expect(decode(code.slice(0, i) + code.slice(i + 1))).toBeNull();
      expect(decode(`${code.slice(0, i)}${code[i] === 'q' ? 'p' : 'q'}${code.slice(i + 1)}`)).toBeNull();
    }
  });
});

describe('the pieces', () => {
  it('to place are those not given, and are left until they are placed', () => {
    expect(toPlace(TETRO, tetro)).toHaveLength(19);
    expect(leftOf(TETRO, tetro)).toHaveLength(18);
    expect(toPlace(TETRO, tetro).map(({ key }) => key)).not.toContain('0O4');
    expect(leftOf(TETRO, tetro).map(({ key }) => key)).not.toContain('2I4');
    expect(toPlace(ALL, startOf(all84))).toHaveLength(84);
  });

  it('are placed and taken back', () => {
    const item = { key: '3T4', colour: 3, name: 'T4' } as const;
    const more = plus(tetro, lay(item, cellsOf('a3,b3,c3,b4', 8), 8));
    expect(more.pieces.at(-1)).toEqual({ colour: 'green', cells: ['a3', 'b3', 'c3', 'b4'] });
    expect(itemOn(more.pieces[2] ?? { colour: '', cells: [] }, 8)).toEqual(item);
    expect(indexAt(more, 'b4')).toBe(2);
    expect(without(more, 2)).toEqual(tetro);
    expect(ownOf(startOf(more))).toEqual([]);
    expect(withOwn(more, ownOf(tetro))).toEqual(tetro);
  });
});

describe('the reasons seen without a search', () => {
  it('on a board to fill', () => {
    expect(against(TETRO, tetro, 3, 'b2,b3,b4,b5')).toBe('overlap');
    expect(against(TETRO, tetro, 0, 'c2,d2,c3,d3')).toBe('touches');
    expect(against(TETRO, tetro, 3, 'c2,d2,c3,d3')).toBeNull();
    expect(against(TETRO, { ...tetro, hard: false }, 0, 'c2,d2,c3,d3')).toBeNull();
    expect(new Field(TETRO, tetro).against(0, cellsOf('c2,d2,c3,d3', 8))?.cells).toEqual([cellOf('b2', 8)]);
  });

  it('where pieces are placed as in the game', () => {
    expect(against(ALL, all84, 2, 's1,s2')).toBe('not_in_corner');
    expect(against(ALL, all84, 2, 't1,t2')).toBeNull();
    expect(against(ALL, all84, 0, 'b20,b19')).toBe('touches');
    expect(against(ALL, all84, 0, 'c18,c17')).toBe('not_attached');
    expect(against(ALL, all84, 0, 'b19,c19')).toBeNull();
    expect(against(ALL, { ...all84, hard: true }, 0, 'b19,c19')).toBe('too_early');
  });

  it('is the same for the list of places', () => {
    const places = new Field(TETRO, tetro).places({ key: '0O4', colour: 0, name: 'O4' });
    expect(places.all.has('c2,d2,c3,d3')).toBe(false);
    expect(places.all.has('d2,e2,d3,e3')).toBe(true);
    expect(places.all.size).toBe(7 * 9 - 4 - 4 - 3); // on the blue piece, beside it, on the red one
  });

  it('allows taking back neither given pieces nor those that others depend on', () => {
    expect([0, 1].map((i) => mayTake(TETRO, tetro, i))).toEqual([false, true]);
    expect([0, 1, 2, 3].map((i) => mayTake(ALL, all84, i))).toEqual([false, false, true, true]);
  });
});

describe('the time', () => {
  it('does not run during pauses', () => {
    let now = 100;
    const watch = new Stopwatch(5, () => now);
    expect(watch.seconds).toBe(5);
    watch.start();
    now += 10;
    watch.start(); // a second call changes nothing
    now += 2.5;
    expect(watch.seconds).toBe(17);
    watch.stop();
    now += 100;
    expect(watch.seconds).toBe(17);
    watch.start();
    now += 1;
    expect(watch.seconds).toBe(18);
  });

  it('is written as on a clock', () => {
    expect([0, 65, 600, 3605].map(asTime)).toEqual(['0:00', '1:05', '10:00', '1:00:05']);
  });
});

describe('the browser’s storage', () => {
  const saved = (): Store & { text: string | null } => ({
    text: null,
    getItem() { return this.text; },
    setItem(_: string, value: string) { this.text = value; },
  });
  const entry = (at: number, more: Partial<Begun> = {}): Begun => ({
    puzzle: 'tetro20', hard: false, difficulty: 'easy', pieces: ownOf(tetro), seconds: 9, helped: false, stage: 'playing', at, ...more,
  });

  it('keeps unfinished puzzles, the latest first, and drops the oldest', () => {
    const store = saved();
    for (let at = 1; at <= 31; at++) keep(`?${at}`, entry(at), store);
    expect(begun('?1', store)).toBeNull();
    expect(begun('?2', store)).toEqual(entry(2));
    keep('?31', entry(40, { stage: 'solved' }), store);
    keep('?30', entry(41, { pieces: [] }), store);
    expect(unfinished(store)[0]?.[0]).toBe('?29');
  });

  it('keeps best times', () => {
    const store = saved();
    expect(bestTime('a', store)).toBeNull();
    expect([90, 95, 80].map((seconds) => record('a', seconds, store))).toEqual([true, false, true]);
    expect(bestTime('a', store)).toBe(80);
    expect(bestTime('b', store)).toBeNull();
  });

  it('may be damaged or closed', () => {
    const store = { ...saved(), text: '{"begun":' };
    expect(begun('?1', store)).toBeNull();
    const closed: Store = { getItem() { throw new Error('closed'); }, setItem() { throw new Error('closed'); } };
    expect(record('a', 5, closed)).toBe(true);
  });
});

describe('addresses', () => {
  it('name the task', () => {
    const choice = { puzzle: 'tetro20', difficulty: 'easy', hard: true, rows: 8, columns: 10 };
    expect(addressOf(choice, 3)).toBe('?puzzle=tetro20&difficulty=easy&rows=8&columns=10&seed=3&hard=true');
    expect(levelOf(choice)).toBe('tetro20-hard-easy-8x10');
    expect(dailyAddress(today(new Date(2026, 0, 5, 23)), 'medium')).toBe('?daily=2026-01-05&difficulty=medium');
  });
});
