// Games to watch, apart from their drawing.

import type { Snapshot, WatchedTable } from '../lib/types';

export interface Watched {
  ids: string[]; // in the order in which they are shown
  tables: WatchedTable[]; // of a message: those that have changed
}

/** What is shown after a message: all tables in their order. */
export function merged(before: Watched | null, news: Watched): Watched {
  const known = new Map([...(before?.tables ?? []), ...news.tables].map((table) => [table.id, table]));
  return { ids: news.ids, tables: news.ids.flatMap((id) => known.get(id) ?? []) };
}

/** The table as a snapshot for a spectator, so that the same functions give names and words. */
export function asSnapshot(table: WatchedTable): Snapshot {
  return {
    ...table,
    you: [], ready: [], orders: {}, seals: {}, legal: {}, scores: [], reason: {}, offer: null, undo: false, abort: false, owner: false, invites: {},
    options: {}, history: table.entry ? [table.entry] : [], start: table.position, rematch: null, rematch_offer: [],
    takeback: false, listed: true, tournament: null, rated: false, words: true, host: null, host_profile: null, chat: [], spectator_chat: [],
  }; // prettier-ignore
}
