import { describe, expect, it } from 'vitest';
import { heart, outline, sideBySide } from '../src/boards/blokus/draw';
import { coveredCells, faultOf, flip, type HeldPiece, grab, nearestFit, next, nudge, snap, textOf, turn } from '../src/boards/blokus/heldPiece';
import { actionOf } from '../src/boards/blokus/keys';
import { indexMoves, openCorners, placesOf, reach } from '../src/boards/blokus/moves';
import { flipped, formsOf, isSame, nameOf, NAMES, shapeOf, turned } from '../src/boards/blokus/pieces';
import { Fingers, roll, twist } from '../src/boards/blokus/gestures';
import { type } from '../src/boards/blokus/typing';
import { cellName, cellOf, cellsOf, colourAt, type Hand, handInSight, moveText, type Position } from '../src/boards/blokus/view';

const SIZE = 6;

const hand = (colour: 0 | 1 | 2 | 3, more: Partial<Hand> = {}): Hand => ({
  colour, seat: colour, pieces: [...NAMES], score: -89, out: false, start: [], ...more,
});

const position = (board: string[], attach: string[], more: Partial<Position> = {}): Position => ({
  size: board.length, board, colour: 0, attach, last: [], last_colour: null, colours: [hand(0), hand(1)], ...more,
});

describe('the pieces', () => {
  it('are all free polyominoes of up to five squares', () => {
    expect(NAMES).toHaveLength(21);
    expect(NAMES.reduce((sum, name) => sum + shapeOf(name).length, 0)).toBe(89);
    expect(NAMES.flatMap((name) => formsOf(shapeOf(name)))).toHaveLength(91);
  });

  it('are recognised in any form', () => {
    for (const name of NAMES) {
      for (const form of formsOf(shapeOf(name))) expect(nameOf(form.map(({ x, y }) => ({ x: x + 3, y: y + 7 })))).toBe(name);
    }
    expect(nameOf(cellsOf('a1,c1', SIZE))).toBe('');
  });

  it('come back after four turns or two flips', () => {
    for (const shape of NAMES.map(shapeOf)) {
      expect(isSame(turned(turned(turned(turned(shape)))), shape)).toBe(true);
      expect(isSame(flipped(flipped(shape)), shape)).toBe(true);
    }
  });
});

describe('cells', () => {
  it('are named from the bottom left', () => {
    expect(cellName({ x: 0, y: 5 }, SIZE)).toBe('a1');
    expect(cellOf('t20', 20)).toEqual({ x: 19, y: 0 });
  });

  it('make a move text in the server’s order: rows from the bottom, then columns', () => {
    expect(moveText(cellsOf('a18,b17,a17', 20), 20)).toBe('a17,b17,a18');
  });
});

describe('the legal moves', () => {
  const moves = indexMoves(['a6', 'a6,b6', 'a5,a6', 'a5,a6,b6'], SIZE);

  it('are found by piece', () => {
    expect(placesOf(moves, '2').map(({ move }) => move).sort()).toEqual(['a5,a6', 'a6,b6']);
    expect(placesOf(moves, 'V3')).toHaveLength(1);
    expect(placesOf(moves, 'X')).toEqual([]);
  });

  it('tell what a piece reaches and through which corners', () => {
    expect([...reach(placesOf(moves, '2'))].sort()).toEqual(['a5', 'a6', 'b6']);
    expect(openCorners(moves, ['a6', 'f1'], '2')).toEqual(['a6']);
    expect(openCorners(moves, ['a6', 'f1'], 'X')).toEqual([]);
    expect(openCorners(moves, ['a6', 'f1'], null)).toEqual(['a6']);
  });
});

describe('the held piece', () => {
  const at = (piece: string, x: number, y: number): HeldPiece => ({ ...grab(piece, SIZE), x, y });

  it('is under the pointer', () => {
    expect(textOf(at('1', 2.4, 3.9), SIZE)).toBe('c3');
    expect(textOf(at('2', 2.4, 3.9), SIZE)).toBe('b3,c3');
    expect(textOf(at('2', 2.6, 3.9), SIZE)).toBe('c3,d3');
  });

  it('never crosses the edge of the board', () => {
    for (const [x, y] of [[-3, -3], [9, 9], [0, 9]] as const) {
      for (const cell of coveredCells(at('I5', x, y), SIZE)) expect(cell.x >= 0 && cell.x < SIZE && cell.y >= 0 && cell.y < SIZE).toBe(true);
    }
  });

  it('turns around its middle: four turns change nothing', () => {
    const held = at('L4', 2.7, 3.1);
    expect(textOf(turn(held, 4), SIZE)).toBe(textOf(held, SIZE));
    expect(textOf(turn(turn(held, 1), 3), SIZE)).toBe(textOf(held, SIZE));
    expect(textOf(turn(held, 1), SIZE)).not.toBe(textOf(held, SIZE));
    expect(textOf(flip(flip(held)), SIZE)).toBe(textOf(held, SIZE));
  });

  it('moves by whole cells and stops at the edge', () => {
    const held = at('2', 1, 0.5);
    expect(textOf(nudge(held, 1, 2, SIZE), SIZE)).toBe('b4,c4');
    expect(textOf(nudge(held, -1, -1, SIZE), SIZE)).toBe('a6,b6');
    expect(textOf(nudge(nudge(held, -1, 0, SIZE), 1, 0, SIZE), SIZE)).toBe('b6,c6'); // pushing against the edge is not remembered
  });

  const moves = indexMoves(['a6,b6', 'e1,f1', 'a5,a6', 'c3,c4'], SIZE);

  it('goes to the nearest place where it fits, as it is turned', () => {
    expect(textOf(nearestFit(at('2', 3.5, 3.5), moves), SIZE)).toBe('e1,f1');
    expect(textOf(nearestFit(turn(at('2', 3, 3), 1), moves), SIZE)).toBe('c3,c4');
    expect(nearestFit(at('X', 3, 3), moves)).toEqual(at('X', 3, 3));
  });

  it('snaps under a fingertip only close by', () => {
    expect(textOf(snap(at('2', 2, 1), moves), SIZE)).toBe('a6,b6');
    expect(textOf(snap(at('2', 3, 3), moves), SIZE)).toBe('c3,d3');
  });

  it('cycles through every place', () => {
    const seen: string[] = [];
    let held = nearestFit(at('2', 0, 0), moves);
    for (let i = 0; i < 4; i++, held = next(held, moves, SIZE)) seen.push(textOf(held, SIZE));
    expect(seen.toSorted()).toEqual([...moves.all].toSorted());
    expect(textOf(held, SIZE)).toBe(seen[0]);
  });
});

describe('why a piece does not fit', () => {
  const board = ['bb....', '......', '...y..', '......', '......', '......'];
  const now = position(board, ['c5']);
  const moves = indexMoves(['c5,d5'], SIZE);
  const fault = (text: string): string | null => {
    const cells = cellsOf(text, SIZE);
    const [x, y] = [Math.min(...cells.map((cell) => cell.x)), Math.min(...cells.map((cell) => cell.y))];
    const held = nudge({ piece: nameOf(cells), shape: cells.map((cell) => ({ x: cell.x - x, y: cell.y - y })), x: 0, y: 0 }, x, y, SIZE);
    return faultOf(held, moves, now, 0);
  };

  it('follows the list of legal moves, and gives a reason', () => {
    expect(fault('c5,d5')).toBeNull();
    expect(fault('d4')).toBe('taken');
    expect(fault('b5,c5')).toBe('edge');
    expect(fault('e1')).toBe('corner');
    expect(fault('c5')).toBe('other'); // no rule is broken, but the server does not list it
  });

  it('names the start cell for a first piece', () => {
    const start = position(['......', '......', '......', '......', '......', '......'], ['a6'], { colours: [hand(0, { start: ['a6'] })] });
    expect(faultOf(grab('X', SIZE), indexMoves(['a6'], SIZE), start, 0)).toBe('start');
  });
});

describe('typing a name', () => {
  it('finds one as soon as it is complete', () => {
    expect(type('', 'x', NAMES)).toEqual({ text: '', piece: 'X' });
    expect(type('', 'l', NAMES)).toEqual({ text: 'L', piece: null });
    expect(type('L', '5', NAMES)).toEqual({ text: '', piece: 'L5' });
  });

  it('starts again after a typing error, and finds only pieces that are left', () => {
    expect(type('L', 'x', NAMES)).toEqual({ text: '', piece: 'X' });
    expect(type('', 'q', NAMES)).toEqual({ text: '', piece: null });
    expect(type('', 'x', ['I5'])).toEqual({ text: '', piece: null });
  });
});

describe('keys', () => {
  const idle = { onBoard: false, holding: false, shift: false };
  const busy = { onBoard: true, holding: true, shift: false };

  it('without a piece in hand, letters choose pieces', () => {
    expect(actionOf('F', idle)).toEqual({ do: 'spell', letter: 'f' });
    expect(actionOf('n', { ...idle, onBoard: true })).toEqual({ do: 'spell', letter: 'n' });
    expect(actionOf('Escape', idle)).toBeNull();
  });

  it('with a piece in hand they turn, flip and look for a place', () => {
    expect(actionOf('f', busy)).toEqual({ do: 'flip' });
    expect(actionOf('n', busy)).toEqual({ do: 'next' });
    expect(actionOf('r', busy)).toEqual({ do: 'turn', quarters: 1 });
    expect(actionOf('R', { ...busy, shift: true })).toEqual({ do: 'turn', quarters: 3 });
    expect(actionOf('x', busy)).toEqual({ do: 'spell', letter: 'x' }); // another piece
    expect(actionOf('Escape', { ...busy, onBoard: false })).toEqual({ do: 'back' });
  });

  it('arrows and Enter work only on the board', () => {
    expect(actionOf('ArrowUp', busy)).toEqual({ do: 'step', by: { x: 0, y: -1 } });
    expect(actionOf('ArrowUp', { ...busy, onBoard: false })).toBeNull();
    expect(actionOf('Enter', busy)).toEqual({ do: 'lay' });
    expect(actionOf('Enter', { ...idle, onBoard: true })).toEqual({ do: 'hand' });
    expect(actionOf('Enter', idle)).toBeNull();
  });
});

describe('fingers and wheel', () => {
  it('one finger taps', () => {
    const fingers = new Fingers();
    fingers.put(1, { x: 10, y: 10 });
    expect(fingers.move(1, { x: 12, y: 11 })).toBeNull();
    expect(fingers.lift(1)).toEqual({ kind: 'tap' });
  });

  it('one finger that moves drags instead', () => {
    const fingers = new Fingers();
    fingers.put(1, { x: 10, y: 10 });
    expect(fingers.move(1, { x: 30, y: 10 })).toEqual({ kind: 'draw', by: { x: 20, y: 0 } });
    expect(fingers.move(1, { x: 31, y: 14 })).toEqual({ kind: 'draw', by: { x: 1, y: 4 } });
    expect(fingers.lift(1)).toBeNull();
  });

  it('two fingers turn either way', () => {
    const fingers = new Fingers();
    fingers.put(1, { x: 0, y: 0 });
    fingers.put(2, { x: 100, y: 0 });
    expect(fingers.move(2, { x: 95, y: 20 })).toBeNull();
    expect(fingers.move(2, { x: 20, y: 95 })).toEqual({ kind: 'turn', quarters: 1 });
    expect(fingers.move(2, { x: -10, y: 95 })).toBeNull(); // a quarter turn of the fingers turns the piece by a quarter
    expect(fingers.move(2, { x: 100, y: 0 })).toEqual({ kind: 'turn', quarters: 3 });
    expect(fingers.lift(2)).toBeNull();
    expect(fingers.move(1, { x: 50, y: 50 })).toBeNull(); // the finger that stays neither drags nor taps
    expect(fingers.lift(1)).toBeNull();
  });

  it('angles take the short way round', () => {
    expect(twist(3, -3)).toEqual({ quarters: 0, from: 3 });
    expect(twist(3, -2.4)).toEqual({ quarters: 1, from: 3 + Math.PI / 2 });
  });

  it('a notch of the wheel is a turn, small movements add up', () => {
    expect(roll(0, 100)).toEqual({ quarters: 1, rest: 0 });
    expect(roll(0, -100)).toEqual({ quarters: 3, rest: 0 });
    expect(roll(40, 10)).toEqual({ quarters: 0, rest: 50 });
    expect(roll(50, -10)).toEqual({ quarters: 0, rest: -10 });
  });
});

describe('the drawing', () => {
  it('outlines a piece without its inner lines', () => {
    expect(outline(cellsOf('a1,b1', SIZE)).match(/M/g)).toHaveLength(6);
  });

  it('puts a number on the piece, not beside it', () => {
    expect(heart(cellsOf('a1,b1,c1', SIZE))).toEqual(cellOf('b1', SIZE));
    expect(cellsOf('a1,b1,c1,a2,a3', SIZE)).toContainEqual(heart(cellsOf('a1,b1,c1,a2,a3', SIZE)));
  });

  it('places all pieces side by side in two lines without overlap', () => {
    const cells = sideBySide(NAMES.map(shapeOf), 48);
    expect(new Set(cells.map(({ x, y }) => `${x},${y}`)).size).toBe(89);
    expect(Math.max(...cells.map(({ x }) => x))).toBeLessThan(48);
    expect(Math.max(...cells.map(({ y }) => y))).toBeLessThan(7);
  });

  it('reads the letters of the board', () => {
    expect(['b', 'y', 'r', 'g', '.'].map((letter) => colourAt([letter], { x: 0, y: 0 }))).toEqual([0, 1, 2, 3, null]);
  });
});

describe('the hand shown', () => {
  const four = [hand(0), hand(1), hand(2), hand(3)].map((one) => ({ ...one, seat: one.colour % 2 }));

  it('is the visitor’s colour that comes next', () => {
    expect(handInSight(position(['.'], [], { colour: 0, colours: four }), [1])).toBe(1);
    expect(handInSight(position(['.'], [], { colour: 2, colours: four }), [1])).toBe(3);
    expect(handInSight(position(['.'], [], { colour: 2, colours: four }), [0])).toBe(2);
  });

  it('skips a colour that is out', () => {
    const out = four.map((one) => ({ ...one, out: one.colour === 3 }));
    expect(handInSight(position(['.'], [], { colour: 2, colours: out }), [1])).toBe(1);
  });

  it('is the colour to move for spectators', () => {
    expect(handInSight(position(['.'], [], { colour: 2, colours: four }), [])).toBe(2);
  });
});
