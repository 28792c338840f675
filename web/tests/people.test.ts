// The digits of clocks, the request for a new table, and the filters of the lobby.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { TableSummary } from '../src/people/api';
import { inviteRequest, DEFAULTS } from '../src/people/invitation';

let clock: typeof import('../src/people/clock');
let lobby: typeof import('../src/people/lobby');

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('window', { addEventListener: vi.fn(), removeEventListener: vi.fn() });
  clock = await import('../src/people/clock');
  lobby = await import('../src/people/lobby');
});

describe('a clock', () => {
  it.each([
    [-5, '0:00'],
    [0, '0:00'],
    [9_960, '0:09.9'],
    [10_000, '0:10'],
    [59_001, '1:00'],
    [61_000, '1:01'],
    [3_599_000, '59:59'],
    [3_600_000, '1:00:00'],
    [7_265_000, '2:01:05'],
    [86_400_000 * 3 + 3_600_000 * 5, '3 d 5 h'],
  ])('of %d milliseconds shows %s', (left, shown) => expect(clock.figures(left)).toBe(shown));

  it('changes its digits ten times a second at the end, rarely when days are left', () => {
    expect(clock.untilNext(5_000)).toBe(100);
    expect(clock.untilNext(60_400)).toBe(410);
    expect(clock.untilNext(86_400_000 * 3)).toBeGreaterThan(60_000);
  });

  it('is described in words', () => {
    expect(clock.paceInWords({ total: 0, increment: 0, days: 0 })).toBe('No clock');
    expect(clock.paceInWords({ total: 300, increment: 3, days: 0 })).toBe('5 min + 3 s per move');
    expect(clock.paceInWords({ total: 90, increment: 0, days: 0 })).toBe('1.5 min');
    expect(clock.paceInWords({ total: 0, increment: 0, days: 1 })).toBe('1 day per move');
  });
});

describe('the request for a new table', () => {
  it('has the form that the server expects', () => {
    expect(inviteRequest(DEFAULTS)).toEqual({ pace: null, listed: false, takeback: false, words: true });
    expect(inviteRequest({ ...DEFAULTS, pace: '5+3', listed: true })).toMatchObject({ pace: { total: 300, increment: 3 }, listed: true });
    expect(inviteRequest({ ...DEFAULTS, pace: '7d' })['pace']).toEqual({ days: 7 });
  });
});

describe('the lobby', () => {
  const card = (id: string, game: string, total: number, days: number, free: number): TableSummary => ({
    id, game, variant: 'classic', pace: { total, increment: 0, days }, takeback: false, status: 'open', ply: 0, touched: 0,
    seats: Array.from({ length: 4 }, (_, seat) => ({ kind: seat < free ? 'open' : 'human', level: null, name: null, account: false, profile: null, invited: false })),
    you: [], your_turn: false, until: null, ended_by: null, ranking: null, scores: null, rated: false,
  });
  const tables = [card('a', 'blokus', 0, 0, 3), card('b', 'blokus', 300, 0, 1), card('c', 'plus4', 0, 3, 1)];
  const any = { game: '', variant: '', pace: '', free: 1 } as const;
  const ids = (filter: Parameters<typeof lobby.filtered>[1]): string => lobby.filtered(tables, filter).map(({ id }) => id).join('');

  it('is narrowed down by game, variant, pace and free seats', () => {
    expect(ids(any)).toBe('abc');
    expect(ids({ ...any, game: 'blokus' })).toBe('ab');
    expect(ids({ ...any, variant: 'duo' })).toBe('');
    expect(ids({ ...any, pace: 'clock' })).toBe('b');
    expect(ids({ ...any, pace: 'days' })).toBe('c');
    expect(ids({ ...any, pace: 'none' })).toBe('a');
    expect(ids({ ...any, free: 2 })).toBe('a');
  });
});
