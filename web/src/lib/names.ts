// What people and programs at a table are called, and how it ended, in the visitor's language.

import type { Board } from '../boards/board';
import { list, m } from './i18n';
import { isNameless, isShared, openSeats, winners } from './table';
import type { Hint, Seat, Snapshot } from './types';

/** A game and its variant, whose name may begin with the game's: Blokus · Duo, but Blokus for four. */
export const titleOf = (game: string, variant: string): string => (variant.startsWith(`${game} `) ? variant : `${game} · ${variant}`);

/** Who plays the seat: a name, the engine and its level, or that the seat is free. */
export function playerName(seat: Seat): string {
  if (seat.kind === 'open') return m().openSeat;
  if (seat.kind === 'engine') return m().engine(seat.level ?? 1);
  return seat.name === null ? m().player(seat.seat + 1) : nameInWords(seat.name);
}

/** The name the server gave to a guest without one, in the visitor's language; any other as it is. */
export function nameInWords(name: string): string {
  const number = /^Guest (\d+)$/.exec(name)?.[1];
  return number ? m().guest(number) : name;
}

/** The seat in a sentence: by who plays it, or by its colour where people share a device without giving names. */
export function seatInWords(table: Snapshot, board: Board, seat: number): string {
  const info = table.seats[seat];
  if (!info || info.kind === 'open' || isNameless(table, seat)) return board.seatName(seat, table);
  return playerName(info);
}

/** Whom the table waits for: first for players of free seats, then for those who are to move. */
export function turnInWords(table: Snapshot, board: Board): string {
  const free = openSeats(table);
  if (free.length) return m().waitingFor(list(free.map((seat) => board.seatName(seat, table))));
  const mine = table.to_move.filter((seat) => table.you.includes(seat) && !table.ready.includes(seat));
  const others = table.to_move.filter((seat) => !table.you.includes(seat));
  if (mine.length && table.to_move.length + table.ready.length > 1 && !isShared(table)) return m().secretTurn;
  if (mine.length) return isShared(table) ? m().toMove(seatInWords(table, board, mine[0] ?? 0)) : m().yourTurn;
  if (table.ready.some((seat) => table.you.includes(seat))) return m().orderIn;
  if (others.some((seat) => table.seats[seat]?.kind === 'engine')) return m().thinking;
  return m().toMove(list(others.map((seat) => seatInWords(table, board, seat))), others.length);
}

export function resultInWords(table: Snapshot, board: Board): string {
  const best = winners(table);
  if (table.ended_by === 'aborted') return m().aborted;
  if (best.length === table.seats.length) return m().draw;
  const [me] = table.you;
  if (me !== undefined && !isShared(table)) {
    if (best.includes(me) && best.length === 1) return m().youWin;
    if (!best.includes(me)) return table.seats.length === 2 ? m().youLose : m().placed(table.ranking?.[me] ?? table.seats.length);
  }
  const names = best.map((seat) => seatInWords(table, board, seat));
  return best.length === 1 ? m().wins(names[0] ?? '') : m().winsShared(list(names));
}

export function reasonInWords(table: Snapshot, board: Board): string {
  const sentences = { resign: m().resigned, time: m().timeUp, left: m().left };
  if (table.ended_by === 'aborted') return m().abortedText;
  if (table.ended_by === 'agreed') return m().agreed;
  if (table.ended_by === 'length') return m().tooLong(table.history.length);
  if (table.ended_by && table.ended_by !== 'rules') {
    const out = table.seats.filter((seat) => seat.out === table.ended_by);
    return sentences[table.ended_by](list(out.map((seat) => seatInWords(table, board, seat.seat))), out.length);
  }
  return board.explain(table, table.reason) || m().finalScores(table.scores.join(' : '));
}

/** The best move and what it is worth. */
export function hintInWords(hint: Hint, board: Board): string {
  const best = hint.moves[0];
  return best ? m().hintBest(board.moveName(best.move), worthInWords(best)) : m().errors.no_hint;
}

function worthInWords(best: Hint['moves'][number]): string {
  if (best.outcome === 'win') return m().hintWin(best.distance);
  if (best.outcome === 'loss') return m().hintLoss(best.distance);
  return best.outcome === 'draw' ? m().hintDraw : m().hintValue(Math.round((best.value + 1) * 50));
}
