// A table's snapshot and what events make of it. Plain data in, plain data out.

import type { Entry, Message, Snapshot, SpectatorMessage, TableEvent, View } from './types';

// What an event may carry besides its history: each replaces what was known.
const NEWS = [
  'to_move', 'ready', 'orders', 'legal', 'over', 'scores', 'ranking', 'reason', 'ended_by', 'undo',
  'you', 'seats', 'invites', 'position', 'rematch', 'rematch_offer', 'offer', 'abort', 'seals', 'owner', 'watching', 'words', 'spectator_chat',
] as const;

const CHAT = 100; // messages kept

/** The snapshot after an event, or null if something in between was missed. */
export function apply(table: Snapshot, event: TableEvent): Snapshot | null {
  if (event.version <= table.version) return table; // received before
  if (event.version > table.version + 1) return null;
  const news = Object.fromEntries(NEWS.filter((name) => name in event).map((name) => [name, event[name]]));
  const history = historyAfter(table.history, event);
  const chat = withMessage(table.chat, event, event.message);
  const spectator_chat = withMessage<SpectatorMessage>(table.spectator_chat ?? [], event, event.spectator_message);
  const next: Snapshot = { ...table, version: event.version, history, chat, spectator_chat, ...news };
  return 'position' in news ? next : { ...next, position: positionAt(next, history.length) };
}

/** One of the two chats after an event. A message that came with the whole chat before is not added again. */
function withMessage<T extends Message | SpectatorMessage>(chat: T[], event: TableEvent, message: T | undefined): T[] {
  if (event.kind === 'chat_removed') {
    return chat.map((said) => (said.number === event.number ? { ...said, phrase: null, words: null, removed: true } : said));
  }
  return message && !chat.some(({ number }) => number === message.number) ? [...chat, message].slice(-CHAT) : chat;
}

function historyAfter(history: Entry[], event: TableEvent): Entry[] {
  if (event.kind === 'move' && event.entry) return [...history, event.entry];
  return event.kind === 'undo' ? history.slice(0, event.ply) : history;
}

/** The position after that number of turns. */
export function positionAt(table: Snapshot, ply: number): View {
  return ply === 0 ? table.start : (table.history[ply - 1]?.position ?? table.position);
}

export function entryAt(table: Snapshot, ply: number): Entry | null {
  return table.history[ply - 1] ?? null;
}

/** Whether no other person plays, so that hints are fair. */
export function isAlone(table: Snapshot): boolean {
  return !table.tournament && !table.rated && table.you.length > 0 && table.seats.every((seat) => seat.kind === 'engine' || table.you.includes(seat.seat));
}

/** Whether several people play on this device. */
export const isShared = (table: Snapshot): boolean => table.you.length > 1;

/** Whether people on this device play all seats. */
const isAllHere = (table: Snapshot): boolean => isShared(table) && table.you.length === table.seats.length;

/** Whether a seat is known by its colour only: several people play on this device, and they gave no names. */
export function isNameless(table: Snapshot, seat: number): boolean {
  if (!isShared(table) || !table.you.includes(seat)) return false;
  return new Set(table.you.map((own) => table.seats[own]?.name)).size === 1;
}

/** The seats that nobody has taken yet. */
export const openSeats = (table: Snapshot): number[] => table.seats.filter(({ kind }) => kind === 'open').map(({ seat }) => seat);

export const isWaiting = (table: Snapshot): boolean => openSeats(table).length > 0;

/** Whether the table waits for this visitor, who may have another page open. */
export function awaits(table: Snapshot): boolean {
  if (table.over || isAllHere(table) || isWaiting(table)) return false;
  return table.to_move.some((seat) => table.you.includes(seat) && !table.ready.includes(seat));
}

/** Whether another player made an offer that this visitor has not answered. */
export function hasOffer(table: Snapshot): boolean {
  if (table.offer) return table.you.length > 0 && !table.you.some((seat) => table.offer?.seats.includes(seat));
  const offered = table.rematch_offer ?? [];
  return table.over && !table.rematch && offered.length > 0 && table.you.some((seat) => !offered.includes(seat));
}

/** The seats that share the best place; empty while the game runs. */
export function winners(table: Snapshot): number[] {
  if (!table.over || !table.ranking) return [];
  return table.ranking.flatMap((place, seat) => (place === 1 ? [seat] : []));
}
