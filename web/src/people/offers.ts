// Offers between players in words: a draw, a take-back, a rematch.

import type { Board } from '../boards/board';
import { list } from '../lib/i18n';
import { playerName, seatInWords } from '../lib/names';
import type { Snapshot } from '../lib/types';
import { t } from './messages';

export const declinedInWords = (name: string): string => t().offerDeclined(name);

/** The names of these players, each once. */
export function namesOf(table: Snapshot, seats: number[]): string[] {
  return [...new Set(seats.flatMap((seat) => (table.seats[seat] ? [playerName(table.seats[seat])] : [])))];
}

export function rematchInWords(table: Snapshot): string {
  const names = namesOf(table, table.rematch_offer ?? []);
  return t().rematchOffered(list(names), names.length);
}

/** What another player offers this visitor; '' if there is no offer to answer. */
export function offerInWords(table: Snapshot, board: Board): string {
  const { offer, you, rematch_offer } = table;
  if (offer) return !you.length || you.some((seat) => offer.seats.includes(seat)) ? '' : t().offered[offer.kind](seatInWords(table, board, offer.seat));
  return you.length && rematch_offer?.length && !you.some((seat) => rematch_offer.includes(seat)) ? rematchInWords(table) : '';
}
