import { describe, expect, it } from 'vitest';
import { cursorY, layLine, RAIL } from '../src/boards/plus4/geometry';
import { empty, gridOf, place, push, sweep, turnTo } from '../src/boards/plus4/scene';
import { cellOf, lineKind, type Push, railTop } from '../src/boards/plus4/view';

const FULL = ['b...', 'r...', 'B...', 'r...'];

const turn = (column: string, seat: 0 | 1, grid: string[], bonus = false): Push => ({
  seat, column, bonus, grid, ejected: null, lines: [], points: [0, 0], round_over: false,
});

describe('the scene', () => {
  it('shows what the server says', () => {
    const grid = ['.rB.', 'b...', '..R.', '...r'];
    expect(gridOf(place(empty, grid))).toEqual(grid);
  });

  it('a push sinks the column, and the fifth pawn falls out', () => {
    const before = place(empty, FULL);
    const after = push(before, { column: 'a', seat: 1, bonus: false });
    expect(gridOf(after)).toEqual(['r...', 'b...', 'r...', 'B...']);
    expect(after.fallen.map((pawn) => pawn.id)).toEqual([before.pawns[3]?.id]);
    expect(after.pawns.filter((pawn) => pawn.fresh)).toHaveLength(1);
  });

  it('pawns that stay keep their identity, so that they are seen to move', () => {
    const before = place(empty, FULL);
    const after = push(before, { column: 'a', seat: 0, bonus: false });
    for (const pawn of before.pawns.slice(0, 3)) {
      expect(after.pawns.find(({ id }) => id === pawn.id)?.floor).toBe(pawn.floor + 1);
    }
  });

  it('a turn starts from the position before it, whatever is shown', () => {
    const after = turnTo(place(empty, ['....', '....', '....', 'rrrr']), FULL, turn('a', 1, ['r...', 'b...', 'r...', 'B...']));
    expect(gridOf(after)).toEqual(['r...', 'b...', 'r...', 'B...']);
    expect(after.fallen).toHaveLength(1);
  });

  it('takes the server’s grid if it differs', () => {
    const grid = ['b..r', '....', '....', '....'];
    expect(gridOf(turnTo(empty, ['....', '....', '....', '....'], turn('a', 0, grid)))).toEqual(grid);
  });

  it('the end of a round empties the grid', () => {
    const after = sweep(place(empty, FULL));
    expect(after.pawns).toEqual([]);
    expect(after.fallen).toHaveLength(4);
  });
});

describe('the drawing', () => {
  it('knows where a cell is', () => {
    expect(cellOf('a1')).toEqual({ column: 0, floor: 3 });
    expect(cellOf('d4')).toEqual({ column: 3, floor: 0 });
  });

  it('tells rows, columns and diagonals apart', () => {
    expect(lineKind(['a1', 'b1', 'c1', 'd1'])).toBe('row');
    expect(lineKind(['c1', 'c2', 'c3', 'c4'])).toBe('column');
    expect(lineKind(['a4', 'b3', 'c2', 'd1'])).toBe('diagonal');
  });

  it('outlines a line', () => {
    expect(layLine(['a1', 'b2', 'c3', 'd4'].map(cellOf))).toMatchObject({ x: 340, slope: -45 });
    expect(layLine(['b1', 'b2', 'b3', 'b4'].map(cellOf))).toMatchObject({ x: 290, length: 300, slope: 90 });
  });

  it('the score cursor climbs from the bottom and stops at the top', () => {
    expect([0, 11, 13].map((score) => cursorY(score, 11))).toEqual([RAIL.bottom, RAIL.top, RAIL.top]);
  });

  it('the rails go up to the points or to what the rounds can bring', () => {
    const tops = [[null, null], [11, null], [null, 3]].map(([target = null, rounds = null]) => railTop({ target, rounds }));
    expect(tops).toEqual([0, 11, 6]);
  });
});
