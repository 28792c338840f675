// A tournament apart from its drawing.

import { cardOf } from '../boards';
import { m } from '../lib/i18n';
import { nameInWords } from '../lib/names';
import { prefs } from '../lib/prefs.svelte';
import { locale } from '../people/games';
import type { Player, Round, Statement, Tournament, TournamentTable } from './api';
import { t } from './messages';

export const nameOf = (player: Player | undefined): string =>
  player?.level ? m().engine(player.level) : nameInWords(player?.name ?? '');

/** Points with at most two decimals, as the visitor's language writes them. */
export const figure = (points: number): string => points.toLocaleString(prefs.lang, { maximumFractionDigits: 2 });

export const lastRound = (tournament: Tournament): Round | null => tournament.rounds.at(-1) ?? null;

/** The table of this round where the visitor plays. */
export function myTable(tournament: Tournament): TournamentTable | null {
  return lastRound(tournament)?.tables.find((table) => tournament.you !== null && table.players.includes(tournament.you)) ?? null;
}

/** The number of a table in its round. */
export const numberOf = (tournament: Tournament, table: TournamentTable): number => (lastRound(tournament)?.tables.indexOf(table) ?? -1) + 1;

/** How many games of this round are still being played. */
export const stillPlayed = (tournament: Tournament): number => lastRound(tournament)?.tables.filter((table) => !table.ranking).length ?? 0;

/** Whether the next round can be drawn up. */
export const canPair = (tournament: Tournament): boolean => tournament.status !== 'over' && stillPlayed(tournament) === 0 && tournament.entered >= tournament.seats;

/** Whether the current round is the last one. */
export function isLastRound(tournament: Tournament): boolean {
  const round = lastRound(tournament);
  if (!round) return false;
  if (tournament.format === 'swiss') return tournament.planned !== null && tournament.round >= tournament.planned;
  if (tournament.format === 'knockout') return round.tables.length === 1 && !round.byes.length;
  return haveAllMet(tournament);
}

/** Whether every remaining player has met, or is now meeting, every other. */
function haveAllMet({ players, rounds }: Tournament): boolean {
  const met = new Set(rounds.flatMap(({ tables }) => tables.flatMap((table) => table.players.flatMap((one) => table.players.map((other) => `${one}/${other}`)))));
  const inside = players.flatMap((player, number) => (player.withdrawn ? [] : [number]));
  return inside.every((one) => inside.every((other) => one === other || met.has(`${one}/${other}`)));
}

/** How many take part: before the start, out of how many places; then all who have played. */
export function playersInWords(tournament: { status: string; entered: number; most: number; players?: readonly unknown[] }): string {
  if (tournament.status === 'open') return t().players(tournament.entered, tournament.most);
  return t().playersIn(tournament.players?.length ?? tournament.entered);
}

/** Names from a text with one name a line. */
export const namesIn = (text: string): string[] => text.split('\n').map((line) => line.trim()).filter(Boolean);

/** Places as people choose them (1, 2, 2) as standings count them: equals share the better place (1, 2, 2; 1, 1, 3). */
export const placesFrom = (chosen: number[]): number[] => chosen.map((own) => 1 + chosen.filter((other) => other < own).length);

export interface Place {
  player: number;
  table: number | null; // null: a bye
  others: number[];
  over: boolean; // the game has a result
}

/** Who plays at which table of this round, by name. */
export function places(tournament: Tournament): Place[] {
  const round = lastRound(tournament);
  const playing = round?.tables.flatMap((table, i) =>
    table.players.map((player) => ({ player, table: i + 1, others: table.players.filter((other) => other !== player), over: table.ranking !== null })),
  );
  const byes = round?.byes.map((player) => ({ player, table: null, others: [], over: true }));
  const name = ({ player }: Place): string => nameOf(tournament.players[player]);
  return [...(playing ?? []), ...(byes ?? [])].sort((a, b) => name(a).localeCompare(name(b), prefs.lang));
}

/** This browser's time zone, as its names are written everywhere: Europe/Paris. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** What a date-and-time field says, in this browser's time zone; null: nothing. */
export const timeFromField = (value: string): number | null => (value ? new Date(value).getTime() : null);

export function fieldFromTime(time: number | null): string {
  if (time === null) return '';
  const at = new Date(time);
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** When a tournament starts, with this browser's time zone. */
export function startInWords(starts: number): string {
  const at = new Date(starts);
  const year = at.getFullYear() === new Date().getFullYear() ? undefined : 'numeric'; // only if it is another one
  return t().startsOn(at.toLocaleString(locale(), { weekday: 'long', day: 'numeric', month: 'long', year, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }));
}

/** The visitor's opponents at a table. */
export const opponents = (tournament: Tournament, table: TournamentTable): string[] =>
  table.players.filter((player) => player !== tournament.you).map((player) => nameOf(tournament.players[player]));

/** Over the board: who begins, or in which order the players move; '' where all move at once. */
export function orderInWords(tournament: Tournament, table: TournamentTable): string {
  if (cardOf(tournament.game).simultaneous) return '';
  const names = table.players.map((player) => nameOf(tournament.players[player]));
  if (names.length > 2) return t().order(names.join(' – '));
  return table.players[0] === tournament.you ? t().youBegin : t().begins(names[0] ?? '');
}

/** What a player says about the result of a game: Ann wins. */
export function statementInWords(tournament: Tournament, table: TournamentTable, said: Statement): string {
  const names = table.players.map((player) => nameOf(tournament.players[player]));
  if (said.scores.length) return names.map((name, seat) => `${name} ${figure(said.scores[seat] ?? 0)}`).join(', ');
  if (names.length > 2) return names.map((name, seat) => `${said.ranking[seat]}. ${name}`).sort().join(', ');
  const best = names.filter((_, seat) => said.ranking[seat] === 1);
  return best.length === 1 ? t().wins(best[0] ?? '') : t().draw;
}

export const saysTheSame = (one: Statement, other: Statement): boolean =>
  String(one.ranking) === String(other.ranking) && String(one.scores) === String(other.scores);

/** Who entered a result over the board that counts: the players who agree on it, or none of them. */
export const enteredBy = (table: TournamentTable): number[] =>
  table.stated.filter(({ ranking }) => String(ranking) === String(table.ranking)).map(({ player }) => player);

/** Whether a table waits for people; games between engines continue only while a spectator watches. */
export const hasPeople = (tournament: Tournament, table: TournamentTable): boolean => table.players.some((player) => !tournament.players[player]?.level);

/** The cross table in the order of the standings: null where two are the same, undefined where they have not met. */
export function crossTable(tournament: Tournament): (number | null | undefined)[][] {
  const order = tournament.standings.map((row) => row.player);
  return order.map((one) => order.map((other) => (one === other ? null : tournament.cross[one]?.[other])));
}

/** What has happened since, for screen readers. */
export function news(before: Tournament, now: Tournament): string {
  const said: string[] = [];
  for (const player of now.players.slice(before.players.length)) said.push(t().entered(nameOf(player)));
  now.rounds.forEach((round, r) => {
    round.tables.forEach((table, t) => {
      if (table.points && r < before.rounds.length && !before.rounds[r]?.tables[t]?.points) said.push(resultOf(now, table));
    });
  });
  if (now.round > before.round) said.push(t().roundBegins(now.round));
  if (now.status === 'over' && before.status !== 'over') said.push(t().finished);
  return said.join(' ');
}

export const resultOf = (tournament: Tournament, table: TournamentTable): string =>
  `${table.players.map((player, seat) => `${nameOf(tournament.players[player])} ${figure(table.points?.[seat] ?? 0)}`).join(', ')}.`;

/** A tournament in one line. */
export function stateOf(tournament: { status: string; round: number; planned: number | null }): string {
  if (tournament.status === 'open') return t().waiting;
  if (tournament.status === 'over') return t().over;
  return tournament.planned ? t().roundOf(tournament.round, tournament.planned) : t().round(tournament.round);
}
