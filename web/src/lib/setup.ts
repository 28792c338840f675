// Choices on the first page, apart from their drawing.

import type { GameInfo, Option, Options, OptionValue, SeatRequest } from './types';

export type Way = 'engine' | 'here' | 'invite' | 'public'; // public: listed in the lobby
export type Beginner = 'lot' | 'me' | 'other';

/** The options that apply to a way to play. */
export function optionsFor(game: GameInfo, variant: string): Option[] {
  return game.options.filter((option) => !option.variants.length || option.variants.includes(variant));
}

/** What differs from the rulebook: all that needs to be said to the server. */
export function changedOptions(options: Option[], values: Options): Options {
  return Object.fromEntries(
    options.flatMap(({ name, default: usual }) => {
      const value: OptionValue | undefined = values[name];
      return value === undefined || value === usual ? [] : [[name, value]];
    }),
  );
}

/** Who takes which seat. ``lot`` is a number from 0 to below 1 that decides where lots are drawn. */
export function seatsFor(way: Way, count: number, level: number, begins: Beginner, lot: number): SeatRequest[] {
  if (way === 'here') return Array.from({ length: count }, () => ({ kind: 'me' }));
  const mine = begins === 'me' ? 0 : begins === 'other' ? 1 : Math.floor(lot * count);
  const other: SeatRequest = way === 'engine' ? { kind: 'engine', level } : { kind: 'open' };
  return Array.from({ length: count }, (_, seat) => (seat === mine ? { kind: 'me' } : other));
}
