// Plus 4 on paper: the grid with its arrows, and the pawns of both sides with their bonus pawns.

import { board, disc, discs, label, type Drawing, path, placed, type Sheet } from '../../print/drawing';

const [CELL, PAWN, EACH] = [36, 28, 16]; // as many pawns as the grid has cells: none runs out
const ARROWS = 14; // above the grid
const SIDES = [
  { face: '#2766b0', light: '#a5cef5', sign: (x: number, y: number) => disc(x, y, 6) },
  { face: '#c0392b', light: '#f7b3a6', sign: (x: number, y: number) => `M${x} ${y - 7}l7 12h-14z` },
];

function empty(): Drawing {
  const plain = board(4, 4, CELL, 'abcd');
  const arrows = [0, 1, 2, 3].map((column) => path(`M${5 + (column + 0.5) * CELL} 1v9m-3.500-4l3.500 4 3.500-4`, { width: 0.8 }));
  return { ...plain, height: plain.height + ARROWS, marks: [...arrows, ...placed(plain.marks, 0, ARROWS)] };
}

/** Blue has a ring, red a triangle; the bonus pawn is light and has a plus. */
function pawns(): Drawing {
  return discs(2 * (EACH + 1), PAWN, (i, x, y) => {
    const side = SIDES[i <= EACH ? 0 : 1];
    const bonus = i % (EACH + 1) === EACH;
    if (!side) return [];
    const face = path(disc(x, y, PAWN / 2), { fill: bonus ? side.light : side.face });
    return [face, path(side.sign(x, y), { line: bonus ? '#222' : '#fff', width: 0.8 }), ...(bonus ? [label(x, y + 2.4, '+', 6)] : [])];
  });
}

export const sheets = (): Sheet[] => [
  { name: 'board', kind: 'board', detail: '4 × 4', size: CELL, drawings: () => [empty()] },
  { name: 'pieces', kind: 'pieces', detail: '', size: PAWN, round: true, drawings: () => [pawns()] },
];
