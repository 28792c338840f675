import { describe, expect, it } from 'vitest';
import { CORNERS, moved, readLayout, writeLayout } from '../src/boards/trois_six/layout';
import { arrow, layLine, middle } from '../src/boards/trois_six/geometry';
import {
  BLOCK, canBlock, cellOf, type Draft, nothing, numberOf, pick, pickNoMove, tap, targetsOf, type, type Typed,
} from '../src/boards/trois_six/orders';
import { clash, pieces } from '../src/boards/trois_six/scene';
import { CELLS, type Order, type Pile, type Position, quietLeft, type Side, type Turn } from '../src/boards/trois_six/view';

const pile = (owner: Side, number: number, cell: string, height = 1): Pile => ({ owner, number, cell, height });

const position = (...cells: Pile[]): Position => ({ cells, ready: [false, false], quiet: 0, quiet_turns: 50, lines: [] });

const board = position(pile(0, 1, 'A1'), pile(0, 2, 'B1'), pile(1, 3, 'A2'));
const LEGAL = ['1>A2', '1>B2', '2>A2', '2>B2', '2>C2', '-'];
const BLOCKING = [...LEGAL, '0>A1', '0>B2'];

const taps = (legal: string[], ...cells: string[]): Draft =>
  cells.reduce((draft, cell) => tap(draft, cell, 0, board, legal), nothing);

const keys = (legal: string[], ...typed: string[]): Typed =>
  typed.reduce((so: Typed, key) => type(so, key, 0, board, legal) ?? so, { draft: nothing, letter: '' });

describe('an order by taps', () => {
  it('a pawn, then a cell it can reach', () => {
    expect(taps(LEGAL, 'A1')).toEqual({ number: 1, order: null });
    expect(taps(LEGAL, 'A1', 'B2')).toEqual({ number: 1, order: '1>B2' });
    expect(targetsOf(LEGAL, 1)).toEqual(['A2', 'B2']);
  });

  it('another pawn or another cell replaces the choice', () => {
    expect(taps(LEGAL, 'A1', 'B2', 'A2').order).toBe('1>A2');
    expect(taps(LEGAL, 'A1', 'B2', 'B1')).toEqual({ number: 2, order: null });
  });

  it('the same pawn again, or a cell out of reach, puts it back', () => {
    expect(taps(LEGAL, 'A1', 'A1')).toEqual(nothing);
    expect(taps(LEGAL, 'A1', 'F6')).toEqual(nothing);
  });

  it('the other side’s pawn or an empty cell cannot be taken', () => {
    expect(taps(LEGAL, 'A2')).toEqual(nothing);
    expect(taps(LEGAL, 'C3')).toEqual(nothing);
  });

  it('where stacking is allowed, an own pawn is a target, not a new choice', () => {
    expect(taps([...LEGAL, '1>B1'], 'A1', 'B1').order).toBe('1>B1');
  });

  it('no move is an order too, and can be taken back', () => {
    expect(pickNoMove(nothing).order).toBe('-');
    expect(pickNoMove(pickNoMove(nothing))).toEqual(nothing);
  });

  it('a cell can be blocked only where the rules list it, also under one’s own pawn', () => {
    expect(canBlock(LEGAL)).toBe(false);
    expect(pick(nothing, BLOCK, LEGAL)).toEqual(nothing);
    expect(tap(pick(nothing, BLOCK, BLOCKING), 'A1', 0, board, BLOCKING).order).toBe('0>A1');
  });

  it('gives an order’s pawn and cell', () => {
    expect(['3>B4', '0>B4', '-'].map(numberOf)).toEqual([3, null, null]);
    expect(['3>B4', '0>B4', '-'].map(cellOf)).toEqual(['B4', 'B4', null]);
  });
});

describe('an order by keys', () => {
  it('the pawn’s number, then the cell', () => {
    expect(keys(LEGAL, '2', 'c', '2').draft.order).toBe('2>C2');
    expect(keys(LEGAL, '2', 'a', 'C', '2').draft.order).toBe('2>C2'); // the letter can be corrected
  });

  it('a cell can name the pawn', () => {
    expect(keys(LEGAL, 'b', '1', 'b', '2').draft.order).toBe('2>B2');
  });

  it('a dash, a zero where cells can be blocked, Escape', () => {
    expect(keys(LEGAL, '-').draft.order).toBe('-');
    expect(keys(BLOCKING, '0', 'a', '1').draft.order).toBe('0>A1');
    expect(keys(LEGAL, '1', 'b', '2', 'Escape').draft).toEqual(nothing);
  });

  it('other keys mean nothing', () => {
    for (const key of ['0', '7', 'g', 'Tab', ' ']) expect(type({ draft: nothing, letter: '' }, key, 0, board, LEGAL)).toBeNull();
  });
});

const order = (number: number | null, from: string | null, to: string | null, result: Order['result'], under?: Pile): Order => ({
  number, from, to, result, ...(under ? { under } : {}),
});

const turn = (white: Order, black: Order, swap = false): Turn => ({ orders: { 0: white, 1: black }, swap, lines: [] });

const where = (shown: { id: string; cell: string }[]): Record<string, string> =>
  Object.fromEntries(shown.map(({ id, cell }) => [id, cell]));

describe('the animation of a turn', () => {
  const capture = turn(order(1, 'A1', 'A2', 'captured', pile(1, 3, 'A2')), order(null, null, null, 'passed'));
  const after = position(pile(0, 1, 'A2', 2), pile(0, 2, 'B1'));

  it('orders first: nothing has moved', () => {
    expect(where(pieces(board, after, capture, 'orders'))).toEqual({ '01': 'A1', '02': 'B1', '13': 'A2' });
  });

  it('then the mover arrives, above what it lands on', () => {
    const moving = pieces(board, after, capture, 'moving');
    expect(where(moving)).toEqual({ '01': 'A2', '02': 'B1', '13': 'A2' });
    expect(moving.at(-1)?.id).toBe('01');
    expect(moving.find(({ id }) => id === '13')?.buried).toBe(true);
    expect(moving.find(({ id }) => id === '01')?.height).toBe(1);
  });

  it('then what the server says', () => {
    const still = pieces(board, after, capture, 'still');
    expect(where(still)).toEqual({ '01': 'A2', '02': 'B1' });
    expect(still.find(({ id }) => id === '01')?.height).toBe(2);
  });

  it('two pawns ordered to the same cell start and come back', () => {
    const both = turn(order(1, 'A1', 'B2', 'same_target'), order(3, 'A2', 'B2', 'same_target'));
    const moving = pieces(board, board, both, 'moving');
    expect(moving.map(({ id, cell, towards }) => [id, cell, towards])).toEqual([
      ['02', 'B1', null], ['01', 'A1', 'B2'], ['13', 'A2', 'B2'],
    ]);
    expect(clash(both)).toBe('B2');
    expect(clash(capture)).toBeNull();
  });

  it('an impossible order shakes its pawn, even one about to be landed on', () => {
    const beaten = turn(order(1, 'A1', 'A2', 'captured', pile(1, 3, 'A2')), order(3, 'A2', 'F6', 'void'));
    const black = pieces(board, after, beaten, 'moving').find(({ id }) => id === '13');
    expect(black).toMatchObject({ cell: 'A2', stuck: true, buried: true });
  });

  it('an order that names no pawn moves none', () => {
    const block = turn(order(null, null, 'B2', 'void'), order(null, null, null, 'passed'));
    expect(where(pieces(board, board, block, 'moving'))).toEqual(where(pieces(board, board, null, 'still')));
  });
});

describe('the drawing', () => {
  it('knows where a cell is: A1 bottom left', () => {
    expect(CELLS).toHaveLength(36);
    expect([CELLS[0], CELLS.at(-1)]).toEqual(['A6', 'F1']);
    expect(middle('A1').y).toBeGreaterThan(middle('A6').y);
    expect(middle('F1').x).toBeGreaterThan(middle('A1').x);
  });

  it('two arrows of a swap do not overlap', () => {
    const [there, back] = [arrow('A1', 'B1', false, true), arrow('B1', 'A1', false, true)];
    expect(there.tip.y - back.tip.y).toBeGreaterThan(40);
  });

  it('outlines three in line', () => {
    expect(layLine(['A1', 'B2', 'C3'])).toMatchObject({ ...middle('B2'), slope: -45 });
  });

  it('shows the quiet turns when few are left', () => {
    const left = (quiet: number, quiet_turns: number | null): number | null => quietLeft({ ...board, quiet, quiet_turns });
    expect([left(0, 50), left(39, 50), left(40, 50), left(49, 50), left(900, null)]).toEqual([null, null, 10, 1, null]);
    expect([left(0, 3), left(1, 3)]).toEqual([null, 2]);
  });
});

describe('the starting cells', () => {
  it('are read, changed and written in the format of the option', () => {
    const start = readLayout('corners');
    expect(writeLayout(start)).toBe(CORNERS);
    expect(start.get('A1')).toEqual({ side: 0, number: 1 });
    const next = moved(start, 'A1', 'C3');
    expect([next.get('A1'), next.get('C3')]).toEqual([undefined, { side: 0, number: 1 }]);
    expect(writeLayout(next)).toBe('C3 E1 F2 A5 B6 F6 / B1 F1 A2 F5 A6 E6');
    expect(writeLayout(moved(start, 'A1', 'B1'))).toBe('B1 E1 F2 A5 B6 F6 / A1 F1 A2 F5 A6 E6');
  });
});
