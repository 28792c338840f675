import { describe, expect, it } from 'vitest';
import { apply, awaits, entryAt, isAlone, isNameless, isShared, positionAt, winners } from '../src/lib/table';
import type { Entry, Snapshot } from '../src/lib/types';

const entry = (ply: number): Entry => ({ ply, moves: { 0: 'a' }, effects: {}, position: { after: ply } });

const seat = (number: number, kind: 'human' | 'engine' | 'open') => ({
  seat: number, kind, name: null, level: null, online: false, out: null,
  stand_in: false, left: null, until: null, claim: null, bot: false, account: false, profile: null, invited: false, free: false,
});

const table: Snapshot = {
  rematch_offer: [], rated: false, seals: {}, invites: {}, offer: null, abort: false, host: null, host_profile: null, spectator_chat: [],
  id: 't', version: 3, game: 'plus4', variant: 'elementary', options: {},
  seats: [seat(0, 'human'), seat(1, 'engine')], you: [0],
  history: [entry(1), entry(2)], start: { after: 0 }, position: { after: 2 },
  to_move: [0], ready: [], orders: {}, legal: { 0: ['a'] }, over: false, scores: [0, 0], ranking: null, reason: {},
  ended_by: null, undo: true, rematch: null, owner: true, pace: { total: 0, increment: 0, days: 0 },
  takeback: false, listed: false, tournament: null, words: true, chat: [], watching: 0,
};

describe('events', () => {
  it('a move adds its turn and changes the position', () => {
    const next = apply(table, { version: 4, kind: 'move', entry: entry(3), to_move: [1], legal: {} });
    expect(next).toMatchObject({ version: 4, position: { after: 3 }, to_move: [1], legal: {}, scores: [0, 0] });
    expect(next?.history).toHaveLength(3);
  });

  it('an undo cuts the history down to what is left', () => {
    const next = apply(table, { version: 4, kind: 'undo', ply: 0, to_move: [0] });
    expect(next?.history).toEqual([]);
    expect(next?.position).toEqual({ after: 0 });
  });

  it('a repeated one changes nothing', () => {
    expect(apply(table, { version: 3, kind: 'move', entry: entry(2) })).toBe(table);
  });

  it('one after a gap asks for the whole table', () => {
    expect(apply(table, { version: 5, kind: 'move', entry: entry(4) })).toBeNull();
  });

  it('a viewer’s own position replaces the public one', () => {
    expect(apply(table, { version: 4, kind: 'ready', ready: [0], position: { mine: 1 } })?.position).toEqual({ mine: 1 });
  });

  it('only fields of a table are taken over', () => {
    expect(apply(table, { version: 4, kind: 'join', seat: 1 })).not.toHaveProperty('seat');
  });
});

describe('looking back', () => {
  it('finds any position and the turn that led to it', () => {
    expect([0, 1, 2].map((ply) => positionAt(table, ply))).toEqual([{ after: 0 }, { after: 1 }, { after: 2 }]);
    expect(entryAt(table, 0)).toBeNull();
    expect(entryAt(table, 2)?.ply).toBe(2);
  });
});

describe('who plays', () => {
  it('alone with the engine is not sharing a device', () => {
    expect([isAlone(table), isShared(table)]).toEqual([true, false]);
  });

  it('having both seats is sharing a device', () => {
    const shared = { ...table, seats: [seat(0, 'human'), seat(1, 'human')], you: [0, 1] };
    expect([isAlone(shared), isShared(shared)]).toEqual([true, true]);
  });

  it('people who share a device are known by their names if they gave any', () => {
    const seats = [seat(0, 'human'), seat(1, 'human'), seat(2, 'engine')];
    const nameless = { ...table, seats, you: [0, 1] };
    const named = { ...nameless, seats: seats.map((one) => (one.seat === 1 ? { ...one, name: 'Ben' } : one)) };
    expect([0, 1, 2].map((one) => isNameless(nameless, one))).toEqual([true, true, false]);
    expect([isShared(named), isNameless(named, 1), awaits(named)]).toEqual([true, false, true]);
  });

  it('a free seat or another person means company', () => {
    expect(isAlone({ ...table, seats: [seat(0, 'human'), seat(1, 'open')] })).toBe(false);
    expect(isAlone({ ...table, seats: [seat(0, 'human'), seat(1, 'human')] })).toBe(false);
  });

  it('the best place can be shared, and nobody has won before the end', () => {
    expect(winners({ ...table, ranking: [1, 2] })).toEqual([]);
    expect(winners({ ...table, over: true, ranking: [2, 1] })).toEqual([1]);
    expect(winners({ ...table, over: true, ranking: [1, 1] })).toEqual([0, 1]);
  });
});
