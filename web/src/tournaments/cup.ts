// A tournament apart from its drawing.

import { m } from '../lib/i18n';
import { nameInWords } from '../lib/names';
import { prefs } from '../lib/prefs.svelte';
import type { Cup, CupTable, Player, Round } from './api';
import { w } from './words';

export const nameOf = (player: Player | undefined): string =>
  player?.level ? m().engine(player.level) : nameInWords(player?.name ?? '');

/** Points with at most two decimals, as the visitor's language writes them. */
export const figure = (points: number): string => points.toLocaleString(prefs.lang, { maximumFractionDigits: 2 });

export const lastRound = (cup: Cup): Round | null => cup.rounds.at(-1) ?? null;

/** The table of this round where the visitor plays. */
export function myTable(cup: Cup): CupTable | null {
  return lastRound(cup)?.tables.find((table) => cup.you !== null && table.players.includes(cup.you)) ?? null;
}

/** How many games of this round are still played. */
export const stillPlayed = (cup: Cup): number => lastRound(cup)?.tables.filter((table) => !table.ranking).length ?? 0;

/** Whether the next round can be drawn up. */
export const canPair = (cup: Cup): boolean => cup.status !== 'over' && stillPlayed(cup) === 0 && cup.entered >= cup.seats;

/** Whom the visitor meets at a table. */
export const opponents = (cup: Cup, table: CupTable): string[] =>
  table.players.filter((player) => player !== cup.you).map((player) => nameOf(cup.players[player]));

/** Whether people are waited for at a table; engines among themselves play only while somebody watches. */
export const hasPeople = (cup: Cup, table: CupTable): boolean => table.players.some((player) => !cup.players[player]?.level);

/** The cross table in the order of the standings: null where two are the same, undefined where they have not met. */
export function crossTable(cup: Cup): (number | null | undefined)[][] {
  const order = cup.standings.map((row) => row.player);
  return order.map((one) => order.map((other) => (one === other ? null : cup.cross[one]?.[other])));
}

/** What has happened since, for those who listen. */
export function news(before: Cup, now: Cup): string {
  const said: string[] = [];
  for (const player of now.players.slice(before.players.length)) said.push(w().entered(nameOf(player)));
  now.rounds.forEach((round, r) => {
    round.tables.forEach((table, t) => {
      if (table.points && r < before.rounds.length && !before.rounds[r]?.tables[t]?.points) said.push(resultOf(now, table));
    });
  });
  if (now.round > before.round) said.push(w().roundBegins(now.round));
  if (now.status === 'over' && before.status !== 'over') said.push(w().finished);
  return said.join(' ');
}

const resultOf = (cup: Cup, table: CupTable): string =>
  `${table.players.map((player, seat) => `${nameOf(cup.players[player])} ${figure(table.points?.[seat] ?? 0)}`).join(', ')}.`;

/** What is told of a tournament in one line. */
export function stateOf(cup: { status: string; round: number; planned: number | null }): string {
  if (cup.status === 'open') return w().waiting;
  if (cup.status === 'over') return w().over;
  return cup.planned ? w().roundOf(cup.round, cup.planned) : w().round(cup.round);
}
