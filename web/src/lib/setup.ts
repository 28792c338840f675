// Choices on the first page, apart from their drawing.

import type { GameInfo, Option, Options, OptionValue, SeatRequest } from './types';

export type Way = 'engine' | 'here' | 'invite' | 'public'; // public: listed in the lobby
export type Beginner = 'lot' | 'me' | 'other';

/** The options that apply to a variant. */
export function optionsFor(game: GameInfo, variant: string): Option[] {
  return game.options.filter((option) => !option.variants.length || option.variants.includes(variant));
}

/** The options that differ from the rulebook: only these are sent to the server. */
export function changedOptions(options: Option[], values: Options): Options {
  return Object.fromEntries(
    options.flatMap(({ name, default: usual }) => {
      const value: OptionValue | undefined = values[name];
      return value === undefined || value === usual ? [] : [[name, value]];
    }),
  );
}

export type SeatKind = 'me' | 'here' | 'engine' | 'friend' | 'anyone'; // here: another person on this device

/** A seat as it is chosen in the dialog. */
export interface SeatRow {
  kind: SeatKind;
  name: string; // of a person here
  level: number; // of the computer
}

const OTHERS: Record<Way, SeatKind> = { engine: 'engine', here: 'here', invite: 'friend', public: 'anyone' };

/** The usual seats for this way to play (alone, with friends, …), one by one. */
export const rowsFor = (way: Way, count: number, level: number): SeatRow[] =>
  Array.from({ length: count }, (_, seat) => ({ kind: seat ? OTHERS[way] : 'me', name: '', level }));

/** The rows after one of them changes its kind: only one of them is the visitor. */
export const withKind = (rows: SeatRow[], index: number, kind: SeatKind): SeatRow[] =>
  rows.map((row, at) => (at === index ? { ...row, kind } : kind === 'me' && row.kind === 'me' ? { ...row, kind: 'here' } : row));

/** In the server's format. People without a name get one from ``player``, unless all play here without any. */
export function requestsOf(rows: SeatRow[], player: (number: number) => string): SeatRequest[] {
  const here = ({ kind }: SeatRow): boolean => kind === 'me' || kind === 'here';
  const nameless = rows.every((row) => here(row) && !row.name.trim());
  return rows.map((row, index) => {
    if (row.kind === 'engine') return { kind: 'engine', level: row.level };
    if (row.kind === 'here' && !nameless) return { kind: 'me', name: row.name.trim() || player(index + 1) };
    return here(row) ? { kind: 'me' } : { kind: 'open', invited: row.kind === 'friend' };
  });
}

export function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, lot: Math.random() }))
    .sort((one, other) => one.lot - other.lot)
    .map(({ item }) => item);
}

/** Who takes which seat. ``lot`` is a random number from 0 to below 1, used where seats are drawn by lot. */
export function seatsFor(way: Way, count: number, level: number, begins: Beginner, lot: number): SeatRequest[] {
  if (way === 'here') return Array.from({ length: count }, () => ({ kind: 'me' }));
  const mine = begins === 'me' ? 0 : begins === 'other' ? 1 : Math.floor(lot * count);
  const other: SeatRequest = way === 'engine' ? { kind: 'engine', level } : { kind: 'open' };
  return Array.from({ length: count }, (_, seat) => (seat === mine ? { kind: 'me' } : other));
}
