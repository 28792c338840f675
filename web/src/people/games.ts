// The visitor's games, apart from their drawing: results in words, dates, filters.

import type { GameInfo } from '../lib/types';
import { localize, m } from '../lib/i18n';
import { nameInWords, titleOf as titleInWords } from '../lib/names';
import { prefs } from '../lib/prefs.svelte';
import type { GameFilter, TableSummary } from './api';
import { t } from './messages';

export type Result = 'won' | 'lost' | 'drawn' | 'place' | 'shared' | 'off'; // shared: several people played here; off: called off

export function resultOf({ ranking, you, ended_by }: TableSummary): Result {
  if (ended_by === 'aborted') return 'off';
  const places = ranking ?? [];
  if (places.every((place) => place === 1)) return 'drawn';
  if (you.length > 1) return 'shared';
  if (you.some((seat) => places[seat] === 1)) return 'won';
  return places.length === 2 ? 'lost' : 'place';
}

/** You won: Ada resigned. */
export function resultInWords(card: TableSummary): string {
  const result = resultOf(card);
  const place = Math.min(...card.you.map((seat) => card.ranking?.[seat] ?? card.seats.length));
  const text = { won: t().won, lost: t().lost, drawn: t().drawn, shared: winnerOf(card) ?? t().finished, off: '', place: m().placed(place).replace(/\.$/, '') }[result];
  const how = card.ended_by ? t().endedBy[card.ended_by as keyof ReturnType<typeof t>['endedBy']] : undefined;
  return [text, how].filter(Boolean).join(' · ');
}

const seatName = ({ kind, level, name }: TableSummary['seats'][number]): string =>
  kind === 'open' ? t().freeSeat : kind === 'engine' ? t().engine(level ?? 1) : nameInWords(name ?? '');

/** Who won among several people at one device, if they have given their names. */
function winnerOf(card: TableSummary): string | null {
  const names = card.seats.map(seatName);
  const best = new Set(names.filter((_, seat) => card.ranking?.[seat] === 1));
  const [name] = best;
  return name !== undefined && best.size === 1 && new Set(names).size > 1 ? m().wins(name).replace(/\s*!$/, '') : null;
}

/** The names of the others, including those on this device: without me, and each once. */
export function opponentsOf(card: TableSummary): { name: string; profile: string | null | undefined }[] {
  const others = card.seats.flatMap((seat, index) => {
    if (card.you.includes(index) && seat.name === card.seats[card.you[0] ?? 0]?.name) return [];
    return [{ name: seatName(seat), profile: seat.profile }];
  });
  const times = (name: string): number => others.filter((other) => other.name === name).length;
  const once = others.filter(({ name }, i) => others.findIndex((other) => other.name === name) === i);
  return once.map(({ name, profile }) => ({ name: times(name) > 1 ? `${name} ×\u00a0${times(name)}` : name, profile }));
}

export const opponents = (card: TableSummary): string => opponentsOf(card).map(({ name }) => name).join(', ') || t().onOneDevice;

export function titleOf(card: Pick<TableSummary, 'game' | 'variant'>, games: GameInfo[]): string {
  const game = games.find((item) => item.name === card.game);
  const variant = game?.variants.find((item) => item.name === card.variant);
  return game && variant ? titleInWords(localize(game.title), localize(variant.title)) : card.game;
}

const DAY = 86_400_000;

/** The visitor's own form of the chosen language, for dates: en-GB writes times differently from en-US. */
export const locale = (): string => navigator.languages.find((tag) => tag.startsWith(prefs.lang)) ?? prefs.lang;

/** Today and yesterday by name, else the date. */
export function dateInWords(at: number, now: number): string {
  const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / DAY);
  const time = new Date(at).toLocaleTimeString(locale(), { hour: 'numeric', minute: '2-digit' });
  if (days > -2) return `${new Intl.RelativeTimeFormat(prefs.lang, { numeric: 'auto' }).format(days, 'day')}, ${time}`;
  return new Date(at).toLocaleDateString(locale(), { dateStyle: 'medium' });
}

export function shownOf(cards: TableSummary[], filter: GameFilter, games: GameInfo[]): TableSummary[] {
  const wanted = filter.text.trim().toLocaleLowerCase();
  return cards.filter((card) => {
    if (filter.game && card.game !== filter.game) return false;
    const people = card.seats.some((seat, index) => seat.kind !== 'engine' && !card.you.includes(index));
    if (filter.against === 'people' && !people) return false;
    if (filter.against === 'engine' && (people || card.you.length === card.seats.length)) return false;
    return `${titleOf(card, games)} ${opponents(card)}`.toLocaleLowerCase().includes(wanted);
  });
}
