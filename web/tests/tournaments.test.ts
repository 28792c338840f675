// A tournament without its components: tables, the next round, the cross table, announcements.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Tournament } from '../src/tournaments/api';

let logic: typeof import('../src/tournaments/tournament');

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('navigator', { languages: ['en'] });
  logic = await import('../src/tournaments/tournament');
});

const row = (player: number, place: number, points: number) => ({ place, player, points, firsts: 0, buchholz: 0, games: 1, byes: 0 });
const player = (name: string, level: number | null = null) => ({ name, level, by_name: false, profile: null, withdrawn: false });

const CUP: Tournament = {
  id: 'x', title: 'Tournament', game: 'plus4', variant: 'elementary', format: 'swiss', pace: { total: 0, increment: 0, days: 0 },
  status: 'running', entered: 3, most: 8, round: 1, planned: 2, options: {}, late: true, auto: false, listed: false, words: true,
  by: 'Ann', by_profile: null, seats: 2, scored: false, version: 5, players: [player('Ann'), player('Guest 1234'), player('Engine 3', 3)],
  standings: [row(1, 1, 2), row(2, 1, 2), row(0, 3, 0)], cross: [{ 1: 0 }, { 0: 2 }, {}],
  rounds: [{ tables: [{ id: 't', players: [1, 0], ranking: [1, 2], points: [2, 0], stated: [], note: '' }], byes: [2] }],
  entry: null, you: 0, organiser: true,
};
const playing: Tournament = { ...CUP, rounds: [{ tables: [{ id: 't', players: [1, 0], ranking: null, points: null, stated: [], note: '' }], byes: [2] }] };

describe('a tournament', () => {
  it('names people and engines in the visitor’s language', () => {
    expect(CUP.players.map(logic.nameOf)).toEqual(['Ann', 'Guest 1234', 'Computer, level\u00a03']);
    expect([2, 1.5, 2 / 3, -40].map(logic.figure)).toEqual(['2', '1.5', '0.67', '-40']);
  });

  it('knows the visitor’s table and opponents', () => {
    const table = logic.myTable(playing);
    expect(table?.id).toBe('t');
    expect(table && logic.opponents(playing, table)).toEqual(['Guest 1234']);
    expect(logic.myTable({ ...playing, you: 2 })).toBe(null);
    expect(logic.myTable({ ...playing, you: null })).toBe(null);
    expect(logic.myTable({ ...playing, rounds: [] })).toBe(null);
  });

  it('can continue once all games of the round are over, with enough players', () => {
    expect(logic.canPair(CUP)).toBe(true);
    expect(logic.canPair(playing)).toBe(false);
    expect(logic.canPair({ ...CUP, status: 'over' })).toBe(false);
    expect(logic.canPair({ ...CUP, rounds: [], entered: 1 })).toBe(false);
  });

  it('has a cross table in the order of the standings', () => {
    expect(logic.crossTable(CUP)).toEqual([[null, undefined, 2], [undefined, null, undefined], [0, undefined, null]]);
  });

  it('announces what has happened since', () => {
    expect(logic.news(playing, CUP)).toBe('Guest 1234 2, Ann 0.');
    expect(logic.news(CUP, CUP)).toBe('');
    const later: Tournament = { ...CUP, round: 2, rounds: [...CUP.rounds, ...playing.rounds], players: [...CUP.players, player('Zoe')] };
    expect(logic.news(CUP, later)).toBe('Zoe joined. Round 2 has started.');
    expect(logic.news(CUP, { ...CUP, status: 'over' })).toBe('The tournament is over.');
  });

  it('is described in one line', () => {
    expect(logic.stateOf(CUP)).toBe('Round 1 of 2');
    expect(logic.stateOf({ ...CUP, planned: null })).toBe('Round 1');
    expect(logic.stateOf({ ...CUP, status: 'open' })).toBe('Waiting for players');
  });

  it('says by name who plays at which table', () => {
    expect(logic.places(playing).map(({ player, table, others, over }) => [player, table, others, over])).toEqual([
      [0, 1, [1], false],
      [2, null, [], true],
      [1, 1, [0], false],
    ]);
  });

  it('takes names one a line, and places in which equals share the better one', () => {
    expect(logic.namesIn(' Ann \n\nBen\r\n')).toEqual(['Ann', 'Ben']);
    expect([[1, 2, 2], [1, 1, 2], [3, 1, 2]].map(logic.placesFrom)).toEqual([[1, 2, 2], [1, 1, 3], [3, 1, 2]]);
  });

  it('starts at the time of the field, in the browser’s time zone', () => {
    const time = new Date(2026, 10, 20, 19, 5).getTime();
    expect(logic.fieldFromTime(time)).toBe('2026-11-20T19:05');
    expect(logic.timeFromField('2026-11-20T19:05')).toBe(time);
    expect([logic.timeFromField(''), logic.fieldFromTime(null)]).toEqual([null, '']);
    expect(logic.startInWords(time)).toMatch(/^Starts Friday.* 20.*7:05/);
    expect(logic.startInWords(new Date(2099, 0, 2, 19, 30).getTime())).toContain('2099');
  });
});
