// Plateau X on paper: both boards, all bricks (8 singles, 4 doubles, 37 triples) and the pawns of four sides.

import { board, box, disc, label, type Drawing, type Mark, path, placed, type Sheet } from '../../print/drawing';

const CELL = 24;
const [SINGLES, DOUBLES, TRIPLES] = [8, 4, 37];
const A_PAGE = 18; // triples: nine pairs, three in a line
const WOOD = ['#f1e2c4', '#e6cfa4', '#d9b982'] as const; // singles, doubles, triples: also distinguished by their shapes
const SIDES = ['#d97706', '#2766b0', '#7c3aed', '#2f855a'];
const PAWN = 16;

/** Two triples that fill a block of two columns and three rows, in cells. */
const PAIR = ['M0 0h2v1h-1v1h-1z', 'M1 1h1v2h-2v-1h1z'];

function triple(i: number, from = 0): Mark[] {
  const pair = Math.floor(i / 2);
  const [x, y] = [(pair % 3) * (2 * CELL + 3), Math.floor(pair / 3) * (3 * CELL + 3)];
  return placed([path(PAIR[i % 2] ?? '', { fill: WOOD[2], width: 0.5 / CELL })], from + x + 0.5, y + 0.5, CELL);
}

const triples = (): Drawing => ({ width: 6 * CELL + 8, height: 9 * CELL + 8, marks: Array.from({ length: A_PAGE }, (_, i) => triple(i)).flat() });

/** Singles, doubles, pawns, and the triples that are left over. */
function small(): Drawing {
  const singles = Array.from({ length: SINGLES }, (_, i) => path(box(0.5 + (i % 4) * (CELL + 3), 0.5 + Math.floor(i / 4) * (CELL + 3), CELL), { fill: WOOD[0], width: 0.5 }));
  const top = 2 * (CELL + 3);
  const doubles = Array.from({ length: DOUBLES }, (_, i) => path(box(0.5 + (i % 2) * (2 * CELL + 3), top + 0.5 + Math.floor(i / 2) * (CELL + 3), 2 * CELL, CELL), { fill: WOOD[1], width: 0.5 }));
  const left = Array.from({ length: TRIPLES % A_PAGE }, (_, i) => triple(i, 4.6 * CELL)).flat();
  const pawns = SIDES.flatMap((face, side) =>
    [0, 1].flatMap((n) => {
      const [x, y] = [(side + 0.5) * (PAWN + 4), 2 * top + 6 + (n + 0.5) * (PAWN + 4)];
      return [path(disc(x, y, PAWN / 2), { fill: face }), label(x, y + 2.8, String(side + 1), 8, '#fff')];
    }),
  );
  return { width: 7 * CELL, height: 2 * top + 8 + 2 * (PAWN + 4), marks: [...singles, ...doubles, ...left, ...pawns] };
}

const bricks = (): Drawing[] => [...Array.from({ length: Math.floor(TRIPLES / A_PAGE) }, triples), small()];

export const sheets = (): Sheet[] => [
  { name: 'board-7', kind: 'board', detail: '7 × 7', size: CELL, drawings: () => [board(7, 7, CELL, 'ABCDEFG')] },
  { name: 'board-6', kind: 'board', detail: '6 × 6', size: CELL, drawings: () => [board(6, 6, CELL, 'ABCDEF')] },
  { name: 'pieces', kind: 'pieces', detail: '', size: CELL, drawings: bricks },
];
