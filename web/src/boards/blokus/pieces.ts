// The 21 pieces: their shapes, and how they turn and flip.

import type { Cell } from './view';

export type Shape = readonly Cell[]; // moved to the top left

const DRAWN: Record<string, string> = {
  '1': '#', '2': '##', I3: '###', V3: '#. ##', I4: '####', L4: '#.. ###', T4: '.#. ###', O4: '## ##',
  Z4: '##. .##', F: '.## ##. .#.', I5: '#####', L5: '#... ####', N: '###. ..##', P: '##. ###',
  T5: '### .#. .#.', U: '#.# ###', V5: '#.. #.. ###', W: '#.. ##. .##', X: '.#. ### .#.', Y: '.#.. ####',
  Z5: '##. .#. .##',
};

const squares = (drawn: string): number => drawn.split('#').length - 1;

/** By the usual names, from large to small: the usual order of placing. */
export const NAMES: readonly string[] = Object.entries(DRAWN)
  .sort(([, a], [, b]) => squares(b) - squares(a))
  .map(([name]) => name);

/** Moved to the top left and sorted, so that equal shapes are equal lists. */
export function normal(cells: readonly Cell[]): Shape {
  const left = Math.min(...cells.map(({ x }) => x));
  const top = Math.min(...cells.map(({ y }) => y));
  return cells.map(({ x, y }) => ({ x: x - left, y: y - top })).sort((a, b) => a.y - b.y || a.x - b.x);
}

export const turned = (shape: Shape): Shape => normal(shape.map(({ x, y }) => ({ x: -y, y: x }))); // clockwise
export const flipped = (shape: Shape): Shape => normal(shape.map(({ x, y }) => ({ x: -x, y })));

export const widthOf = (shape: Shape): number => Math.max(...shape.map(({ x }) => x)) + 1;
export const heightOf = (shape: Shape): number => Math.max(...shape.map(({ y }) => y)) + 1;

export const keyOf = (shape: Shape): string => shape.map(({ x, y }) => `${x}${y}`).join();

export const isSame = (one: Shape, other: Shape): boolean => keyOf(one) === keyOf(other);

export const SHAPES: Record<string, Shape> = Object.fromEntries(
  Object.entries(DRAWN).map(([name, drawn]) => [
    name,
    normal(drawn.split(' ').flatMap((row, y) => [...row].flatMap((mark, x) => (mark === '#' ? [{ x, y }] : [])))),
  ]),
);

/** All ways to turn and flip it. */
export function formsOf(shape: Shape): Shape[] {
  const forms = new Map<string, Shape>();
  for (let form of [shape, flipped(shape)]) {
    for (let i = 0; i < 4; i++, form = turned(form)) forms.set(keyOf(form), form);
  }
  return [...forms.values()];
}

const NAME_OF = new Map(NAMES.flatMap((name) => formsOf(shapeOf(name)).map((form) => [keyOf(form), name])));

export function shapeOf(name: string): Shape {
  const shape = SHAPES[name];
  if (!shape) throw new Error(`no piece is called ${name}`);
  return shape;
}

/** What the piece on these cells is called. */
export const nameOf = (cells: readonly Cell[]): string => NAME_OF.get(keyOf(normal(cells))) ?? '';
