// 3/6 on paper: the board with its start cells, and two sides of six numbered pawns.

import { board, disc, discs, label, type Drawing, middleOf, path, type Sheet } from '../../print/drawing';
import { CORNERS, readLayout } from './layout';

const [CELL, PAWN] = [28, 22];

/** Where White starts there is a ring, where Black starts a dot. */
function empty(): Drawing {
  const marks = [...readLayout(CORNERS)].map(([cell, { side }]) => {
    const [x, y] = middleOf(cell.charCodeAt(0) - 65, 6 - Number(cell[1]), CELL);
    return path(disc(x, y, 3), { fill: side === 0 ? '#fff' : '#222' });
  });
  return board(6, 6, CELL, 'ABCDEF', marks);
}

const pawns = (): Drawing =>
  discs(12, PAWN, (i, x, y) => {
    const black = i >= 6;
    return [path(disc(x, y, PAWN / 2), { fill: black ? '#222' : '#fff', width: 0.5 }), label(x, y + 3.6, String((i % 6) + 1), 10, black ? '#fff' : '#222')];
  });

export const sheets = (): Sheet[] => [
  { name: 'board', kind: 'board', detail: '6 × 6', size: CELL, drawings: () => [empty()] },
  { name: 'pieces', kind: 'pieces', detail: '', size: PAWN, round: true, drawings: () => [pawns()] },
];
