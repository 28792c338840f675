import { describe, expect, it } from 'vitest';
import { changedOptions, optionsFor, requestsOf, rowsFor, seatsFor, shuffled, withKind } from '../src/lib/setup';
import type { GameInfo, Option } from '../src/lib/types';

const text = { en: '', fr: '', de: '' };
const option = (name: string, usual: Option['default'], variants: string[] = []): Option => ({
  name, kind: 'number', title: text, text, default: usual, values: null, low: 1, high: 99, none: null, variants,
});
const game: GameInfo = {
  name: 'g', title: text, text, variants: [], clause_prefix: null, endings: {}, puzzles: false, options: [option('target', 11, ['long']), option('rounds', null)],
};

describe('house rules', () => {
  it('are those of the variant', () => {
    expect(optionsFor(game, 'short').map(({ name }) => name)).toEqual(['rounds']);
    expect(optionsFor(game, 'long').map(({ name }) => name)).toEqual(['target', 'rounds']);
  });

  it('only what differs from the rulebook is sent, and nothing of another variant', () => {
    expect(changedOptions(game.options, { target: 11, rounds: 3 })).toEqual({ rounds: 3 });
    expect(changedOptions(optionsFor(game, 'short'), { target: 5, rounds: null })).toEqual({});
  });
});

describe('seats', () => {
  it('on one device all are mine', () => {
    expect(seatsFor('here', 3, 5, 'lot', 0).map(({ kind }) => kind)).toEqual(['me', 'me', 'me']);
  });

  it('the player who begins has the first seat', () => {
    expect(seatsFor('engine', 2, 5, 'me', 0.9)).toEqual([{ kind: 'me' }, { kind: 'engine', level: 5 }]);
    expect(seatsFor('engine', 2, 5, 'other', 0)).toEqual([{ kind: 'engine', level: 5 }, { kind: 'me' }]);
  });

  it('chosen one by one, they may be mixed, and only one is the visitor', () => {
    const rows = withKind(rowsFor('here', 4, 3), 1, 'me');
    expect(rows.map(({ kind }) => kind)).toEqual(['here', 'me', 'here', 'here']);
    const mixed = withKind(withKind(rows, 2, 'friend'), 3, 'anyone');
    expect(requestsOf(mixed, (n) => `Player ${n}`)).toEqual([
      { kind: 'me', name: 'Player 1' }, { kind: 'me' }, { kind: 'open', invited: true }, { kind: 'open', invited: false },
    ]);
  });

  it('people on one device need no names', () => {
    expect(requestsOf(rowsFor('here', 2, 3), String)).toEqual([{ kind: 'me' }, { kind: 'me' }]);
    const named = rowsFor('here', 2, 3).map((row, seat) => ({ ...row, name: seat ? ' Ben ' : '' }));
    expect(requestsOf(named, String)).toEqual([{ kind: 'me' }, { kind: 'me', name: 'Ben' }]);
    expect(shuffled([1, 2, 3]).sort()).toEqual([1, 2, 3]);
  });

  it('drawing lots reaches every seat', () => {
    const mine = [0, 0.3, 0.6, 0.99].map((lot) => seatsFor('invite', 4, 1, 'lot', lot).findIndex(({ kind }) => kind === 'me'));
    expect(mine).toEqual([0, 1, 2, 3]);
  });
});
