import { describe, expect, it } from 'vitest';
import { along, around, CELL, EDGE, shadows } from '../src/boards/plateau_x/draw';
import { aimAt, cover, type Hand, handFor, isUseful, neighbour, nextPawn, reachOf, turned } from '../src/boards/plateau_x/hand';
import { parse, readMoves, targetOf } from '../src/boards/plateau_x/moves';
import { allCells, inOrder, levelAt, plateauAt, type Position, type Size } from '../src/boards/plateau_x/view';

// Three by three: a double on A1 B1 with a pawn of seat 0 on A1, a single on C3, a pawn of seat 1 on it.
const position: Position = {
  size: 3,
  levels: [[1, 1, 0], [0, 0, 0], [0, 0, 1]],
  bricks: [{ cells: ['A1', 'B1'], level: 1 }, { cells: ['C3'], level: 1 }],
  pawns: [{ seat: 0, cell: 'A1', level: 1, since: 2 }, { seat: 1, cell: 'C3', level: 1, since: 3 }],
  plateaus: [{ cells: ['A1', 'B1'], level: 1, owners: [0] }, { cells: ['C3'], level: 1, owners: [1] }],
  stocks: [{ singles: 1, doubles: 0, pawns: 1 }, { singles: 1, doubles: 1, pawns: 0 }],
  triples: 5,
  standing: [],
};
const moves = readMoves(['+B1', '+C1', '+A2A3B3', '+B2C1C2', '@A3', 'A1-A2', 'A1-C1', 'A1-A1', 'end']);
const brick = (size: Size, turn = 0): Hand => ({ kind: 'brick', size, turn });

describe('the list of moves', () => {
  it('is parsed', () => {
    expect(parse('+B2C1C2')).toEqual({ kind: 'brick', cells: ['B2', 'C1', 'C2'] });
    expect(parse('@F3')).toEqual({ kind: 'enter', cell: 'F3' });
    expect(parse('F3-A5')).toEqual({ kind: 'move', from: 'F3', to: 'A5' });
    expect(parse('end')).toEqual({ kind: 'end' });
  });

  it('is grouped by the piece that a player picks first', () => {
    expect(moves.bricks).toEqual({ 1: [['B1'], ['C1']], 2: [], 3: [['A2', 'A3', 'B3'], ['B2', 'C1', 'C2']] });
    expect(moves.entries).toEqual(['A3']);
    expect(moves.steps.get('A1')).toEqual(['A2', 'C1', 'A1']);
    expect(moves.end).toBe(true);
    expect(readMoves(['+A1']).end).toBe(false);
  });

  it('gives the cells of a hint', () => {
    expect(['+B2C1C2', '@A3', 'A1-C1', 'end'].map((text) => targetOf(parse(text)))).toEqual([['B2', 'C1', 'C2'], ['A3'], ['C1'], []]);
  });
});

describe('a brick in hand', () => {
  it('turns clockwise around the cell under the pointer', () => {
    expect([0, 1, 2, 3].map((turn) => cover('B2', 2, turn, 3))).toEqual([['B2', 'C2'], ['B1', 'B2'], ['A2', 'B2'], ['B2', 'B3']]);
    expect([0, 1, 2, 3].map((turn) => cover('B2', 3, turn, 3))).toEqual([['B1', 'B2', 'C2'], ['A2', 'B1', 'B2'], ['A2', 'B2', 'B3'], ['B2', 'B3', 'C2']]);
  });

  it('can be placed everywhere by tapping', () => {
    const found = new Set(allCells(3).flatMap((cell) => [0, 1, 2, 3].map((turn) => cover(cell, 3, turn, 3).join())));
    expect(found.size).toBe(16); // four squares of two by two, each without one of its corners
  });

  it('never crosses the edge of the board', () => {
    for (const cell of allCells(3)) {
      for (const size of [1, 2, 3] as const) {
        for (const turn of [0, 1, 2, 3]) expect(allCells(3)).toEqual(expect.arrayContaining(cover(cell, size, turn, 3)));
      }
    }
    expect(cover('C1', 2, 0, 3)).toEqual(['B1', 'C1']);
  });

  it('makes a move of the notation', () => {
    expect(aimAt(brick(3, 1), 'C2', moves, position)).toEqual({ cells: ['B2', 'C1', 'C2'], move: '+B2C1C2', fault: null });
    expect(inOrder([{ column: 1, row: 0 }, { column: 0, row: 2 }, { column: 0, row: 1 }])).toEqual(['A2', 'A3', 'B1']);
  });

  it('says why it does not fit', () => {
    expect(aimAt(brick(1), 'A1', moves, position)?.fault).toBe('pawn');
    expect(aimAt(brick(2), 'B1', moves, position)?.fault).toBe('levels');
    const alone = { ...position, pawns: [] };
    expect(aimAt(brick(2), 'A1', moves, alone)?.fault).toBe('same');
  });

  it('turns both ways', () => {
    expect(turned(brick(3, 3), 1)).toEqual(brick(3, 0));
    expect(turned(brick(3, 0), -1)).toEqual(brick(3, 3));
    expect(turned({ kind: 'enter' }, 1)).toEqual({ kind: 'enter' });
  });
});

describe('a pawn in hand', () => {
  const pawn: Hand = { kind: 'pawn', from: 'A1' };

  it('knows where it can go', () => {
    expect([...reachOf(pawn, moves)]).toEqual(['A2', 'C1', 'A1']);
    expect([...reachOf({ kind: 'enter' }, moves)]).toEqual(['A3']);
    expect(aimAt(pawn, 'C1', moves, position)).toEqual({ cells: ['C1'], move: 'A1-C1', fault: null });
    expect(aimAt({ kind: 'enter' }, 'A3', moves, position)).toEqual({ cells: ['A3'], move: '@A3', fault: null });
  });

  it('says why it cannot go there', () => {
    expect(aimAt(pawn, 'C3', moves, position)?.fault).toBe('pawn');
    expect(aimAt(pawn, 'B3', moves, position)?.fault).toBe('way');
    expect(aimAt(pawn, 'C3', moves, { ...position, pawns: position.pawns.slice(0, 1) })?.fault).toBe('barred');
    expect(aimAt({ kind: 'enter' }, 'B1', moves, position)?.fault).toBe('raised');
  });

  it('may have no place to go', () => {
    expect(isUseful({ kind: 'pawn', from: 'B1' }, moves)).toBe(false);
    expect(aimAt(null, 'A1', moves, position)).toBeNull();
  });
});

describe('the hand', () => {
  it('keeps the kind of brick for the next turn, or takes the largest that fits', () => {
    expect(handFor(brick(1), moves)).toEqual(brick(1));
    expect(handFor(brick(2, 3), moves)).toEqual(brick(3));
    expect(handFor({ kind: 'enter' }, moves)).toEqual(brick(3));
    expect(handFor(brick(3), readMoves(['A1-A2']))).toBeNull();
  });

  it('goes from pawn to pawn', () => {
    const first = nextPawn(brick(3), moves);
    expect(first).toEqual({ kind: 'enter' });
    expect(nextPawn(first, moves)).toEqual({ kind: 'pawn', from: 'A1' });
    expect(nextPawn({ kind: 'pawn', from: 'A1' }, moves)).toEqual({ kind: 'enter' });
    expect(nextPawn(brick(3), readMoves(['+A1']))).toEqual(brick(3));
  });

  it('moves from cell to cell and stops at the edge', () => {
    expect(neighbour('B2', 1, 0, 3)).toBe('C2');
    expect(neighbour('B2', 0, 1, 3)).toBe('B3');
    expect(neighbour('A1', -1, -1, 3)).toBe('A1');
  });
});

describe('the drawing', () => {
  it('has the cells from the top left', () => {
    expect(allCells(3)).toEqual(['A3', 'B3', 'C3', 'A2', 'B2', 'C2', 'A1', 'B1', 'C1']);
    expect(levelAt(position, 'C3')).toBe(1);
    expect(plateauAt(position, 'B1')?.owners).toEqual([0]);
  });

  it('outlines a group of cells: corners, and a separate line for a hole', () => {
    const corners = (path: string): number => path.match(/Q/g)?.length ?? 0;
    const loops = (path: string): number => path.match(/Z/g)?.length ?? 0;
    expect(corners(around(['A1'], 3, 2, 5))).toBe(4);
    expect(corners(around(['A1', 'A2', 'B1'], 3, 2, 5))).toBe(6);
    const ring = around(allCells(3).filter((cell) => cell !== 'B2'), 3, 2, 5);
    expect([loops(ring), corners(ring)]).toEqual([2, 8]);
    expect(loops(around(['A1', 'B2'], 3, 2, 5))).toBe(2); // they only touch
  });

  it('stays inside the cell by the inset', () => {
    const numbers = around(['A3'], 3, 10, 0).match(/-?\d+/g)?.map(Number) ?? [];
    expect(Math.min(...numbers)).toBe(EDGE + 10);
    expect(Math.max(...numbers)).toBe(EDGE + CELL - 10);
  });

  it('throws shadows to the right and down', () => {
    expect(shadows(position)).toEqual([{ d: `M${EDGE + 2 * CELL} ${EDGE + 2 * CELL}h14v${CELL}h-14Z`, flat: false }, { d: `M${EDGE + 2 * CELL} ${EDGE + CELL}h${CELL}v14h-${CELL}Z`, flat: true }]);
  });

  it('draws a path through the middles of cells', () => {
    expect(along(['A3', 'B3'], 3)).toBe(`M${EDGE + 50} ${EDGE + 50}L${EDGE + 150} ${EDGE + 50}`);
  });
});
