// Blokus on paper: both boards, the 21 pieces of the four colours, and the puzzles of the day.

import { localize } from '../../lib/i18n';
import { here } from '../../lib/router.svelte';
import { board, disc, type Drawing, label, type Mark, middleOf, path, placed, ROOM, type Sheet } from '../../print/drawing';
import { CELL as UNITS, outline, sideBySide, signs, squares } from './draw';
import type { Item } from './pieceInput.svelte';
import { NAMES, shapeOf } from './pieces';
import { cellsOn, colourOf, givenOf, toPlace } from './puzzles/position';
import { dailyAddress, openTask, type Task, today } from './puzzles/task';
import { t } from './puzzles/messages';
import type { Cell } from './view';

const CELL = 9; // millimetres: the large board fits on one sheet
const FACES = ['#2766b0', '#e6b73f', '#c0392b', '#3b8a5d'];
const SIGN = ['#fff', '#5a3d00', '#fff', '#fff'];
const FULL = [false, true, true, false]; // signs that are filled
const IN_LINE = 20; // cells
const LETTERS = 'abcdefghijklmnopqrst';
const DAILY = ['easy', 'medium', 'expert'] as const;

/** Squares of one colour with their sign, for printers without colours. */
function tiles(cells: readonly Cell[], colour: number): Mark[] {
  const sign = FULL[colour] ? { fill: SIGN[colour], width: 0.5 } : { width: 2.2 };
  return [
    path(squares(cells), { fill: FACES[colour], line: '#0006', width: 0.8 }),
    path(signs(cells, colour), { line: SIGN[colour], ...sign }),
  ];
}

/** Squares with a thick outline. */
const cutOut = (cells: readonly Cell[], colour: number): Mark[] => [...tiles(cells, colour), path(outline(cells), { width: 1.6 })];

/** The pieces in lines, each with an outline to cut along. */
function pieces(colour: number): Drawing {
  const cells = sideBySide(NAMES.map(shapeOf), IN_LINE);
  const height = (Math.max(...cells.map(({ y }) => y)) + 1) * CELL;
  return { width: IN_LINE * CELL + 1, height: height + 1, marks: placed(cutOut(cells, colour), 0.5, 0.5, CELL / UNITS) };
}

/** In each corner of the large board its colour, on the small one the two start cells. */
function starts(size: number): Mark[] {
  const cells: [number, number][] = size === 20 ? [[0, 0], [19, 0], [19, 19], [0, 19]] : [[4, 4], [9, 9]];
  return cells.map(([column, row], i) => path(disc(...middleOf(column, row, CELL), 2.4), { fill: size === 20 ? FACES[i] : '#bbb' }));
}

const empty = (size: number): Drawing => board(size, size, CELL, LETTERS, starts(size));

/** The board with what is given, and below it the pieces that are left to place, as large as there is room for. */
export function puzzle({ kind, position, daily, difficulty }: Task): Drawing {
  const { rows, columns } = position;
  const plain = board(columns, rows, CELL, LETTERS);
  const [x, y] = middleOf(0, 0, CELL);
  const given = givenOf(position).flatMap((laid) => placed(cutOut(cellsOn(laid, rows), colourOf(laid)), x - CELL / 2, y - CELL / 2, CELL / UNITS));
  const items = toPlace(kind, position);
  const top = plain.height + 7;
  const left = fitted(items, ROOM.height - top);
  const level = difficulty && difficulty in t().difficulties ? t().difficulties[difficulty as keyof ReturnType<typeof t>['difficulties']] : '';
  const title = [localize(kind.title), daily ?? '', level].filter(Boolean).join(' · ');
  return { width: ROOM.width, height: top + left.height, title, marks: [...given, ...plain.marks, label(20, plain.height + 4.5, t().toLay(items.length), 4), ...placed(left.marks, 5, top, left.unit)] };
}

/** The largest pieces that fit into lines of a given height: their marks, in units of the board's drawing. */
function fitted(items: readonly Item[], room: number): { marks: Mark[]; height: number; unit: number } {
  for (let cell = CELL / 2; ; cell -= 0.25) {
    const cells = sideBySide(items.map(({ name }) => shapeOf(name)), Math.floor((ROOM.width - 6) / cell));
    const height = (Math.max(-1, ...cells.map((one) => one.y)) + 1) * cell + 1;
    if (height > room && cell > 1) continue;
    let from = 0;
    const marks = items.flatMap(({ name, colour }) => cutOut(cells.slice(from, (from += shapeOf(name).length)), colour));
    return { marks, height, unit: cell / UNITS };
  }
}

async function puzzles(): Promise<Drawing[]> {
  const asked = here.search.includes('difficulty') || here.hash.length > 1;
  const addresses = asked ? [[here.search, here.hash] as const] : DAILY.map((difficulty) => [dailyAddress(today(), difficulty), ''] as const);
  return (await Promise.all(addresses.map(([search, hash]) => openTask(search, hash)))).map(puzzle);
}

export const sheets = (): Sheet[] => [
  { name: 'board', kind: 'board', detail: '20 × 20', size: CELL, drawings: () => [empty(20)] },
  { name: 'board-duo', kind: 'board', detail: '14 × 14 (Duo)', size: CELL, drawings: () => [empty(14)] },
  { name: 'pieces', kind: 'pieces', detail: '', size: CELL, drawings: () => [0, 1, 2, 3].map(pieces) },
  { name: 'puzzles', kind: 'puzzles', detail: '', size: CELL, drawings: puzzles },
];
