// A turn, a position and a result in words.

import type { Entry, Reason, Snapshot } from '../../lib/types';
import { type Colour, colourOf, lineKind, positionOf, type Position, pushOf } from './view';
import { t } from './messages';

export const seatName = (seat: number): string => t().colours[seat] ?? '';

export function moveName(move: string): string {
  const column = move.slice(0, 1);
  return move.endsWith('*') ? t().columnBonus(column) : t().column(column);
}

export function describe(entry: Entry): string {
  const turn = pushOf(entry);
  const who = seatName(turn.seat);
  const parts = [turn.bonus ? t().pushesBonus(who, turn.column) : t().pushes(who, turn.column)];
  if (turn.ejected) parts.push(t().fallenPawns[colourOf(turn.ejected)] ?? '');
  for (const colour of [0, 1] as Colour[]) {
    const kinds = turn.lines.filter((line) => line.colour === colour).map((line) => t().lines[lineKind(line.cells)]);
    if (!kinds.length) continue;
    const lines = kinds.join(t().and);
    const points = turn.points[colour];
    parts.push(points ? t().completesFor(seatName(colour), lines, points) : t().completes(seatName(colour), lines));
  }
  if (turn.round_over) parts.push(t().roundOver);
  return parts.join(' ');
}

/** What stands in a column, from the top, for screen readers. */
export function columnInWords(position: Position, column: number, name: string): string {
  const pawns = position.grid.map((row) => t().pawns[row[column] ?? '.'] ?? '');
  return t().columnHolds(name, pawns.join(', '));
}

export function explain(table: Snapshot, reason: Reason): string {
  const reasons = t().reasons;
  const winner = typeof reason.winner === 'number' ? seatName(reason.winner) : '';
  const score = positionOf(table.position).scores.join(' : ');
  switch (reason.code) {
    case 'line':
      return reasons.line(winner);
    case 'line_given':
      return reasons.line_given(winner);
    case 'both_lines':
      return reasons.both_lines;
    case 'target':
      return reasons.target(score);
    case 'rounds':
      return reasons.rounds(score);
    case 'repetition':
      return reasons.repetition;
    default:
      return '';
  }
}
