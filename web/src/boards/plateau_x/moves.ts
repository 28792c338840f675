// The list of legal moves, sorted by what a player picks first: a brick, a pawn to bring in, a pawn to move, the end.

import type { Size } from './view';

export interface Moves {
  all: Set<string>;
  bricks: Record<Size, string[][]>; // the cells of every place, by size
  entries: string[]; // cells where a pawn can come in
  steps: Map<string, string[]>; // from a pawn's cell to those it can reach
  end: boolean; // may be declared
}

export type Move =
  | { kind: 'brick'; cells: string[] }
  | { kind: 'enter'; cell: string }
  | { kind: 'move'; from: string; to: string }
  | { kind: 'end' };

const CELL = /[A-Z]\d+/g;

/** A move's text taken apart: +B2C1C2, @F3, F3-A5, end. */
export function parse(text: string): Move {
  const cells = text.match(CELL) ?? [];
  const [first = '', second = ''] = cells;
  if (text.startsWith('+')) return { kind: 'brick', cells };
  if (text.startsWith('@')) return { kind: 'enter', cell: first };
  return text === 'end' ? { kind: 'end' } : { kind: 'move', from: first, to: second };
}

export function readMoves(texts: readonly string[]): Moves {
  const moves: Moves = { all: new Set(texts), bricks: { 1: [], 2: [], 3: [] }, entries: [], steps: new Map(), end: false };
  for (const move of texts.map(parse)) {
    if (move.kind === 'brick') moves.bricks[move.cells.length as Size].push(move.cells);
    else if (move.kind === 'enter') moves.entries.push(move.cell);
    else if (move.kind === 'move') moves.steps.set(move.from, [...(moves.steps.get(move.from) ?? []), move.to]);
    else moves.end = true;
  }
  return moves;
}

/** The cells a move covers or ends on. */
export function targetOf(move: Move): string[] {
  if (move.kind === 'brick') return move.cells;
  return move.kind === 'end' ? [] : [move.kind === 'enter' ? move.cell : move.to];
}
