// Continues a game at another table: moves it from this device to the server, or from the server to this device.

import { getRecord, json, openTable } from '../lib/api';
import { go } from '../lib/router.svelte';
import type { SeatRequest, Snapshot } from '../lib/types';

/** Open a table with this game as played so far, and go there. */
export async function openCopy(table: Snapshot, seats: SeatRequest[]): Promise<void> {
  const opening = table.history.map(({ moves }) => moves);
  const { begins } = await json<{ begins: string }>('POST', '/analysis/game', { text: await getRecord(table.id) });
  const { id } = await openTable(table.game, table.variant, table.options, seats, { opening, position: begins });
  go(`/t/${id}`);
}

/** Whether only the visitor and the computer play at a table of the server, and nothing but the game depends on it. */
export const couldBeHere = ({ seats, you, rated, tournament, over, pace }: Snapshot): boolean =>
  !(over || rated || tournament || pace.total || pace.days) &&
  seats.some(({ kind }) => kind === 'engine') &&
  seats.every(({ seat, kind, out }) => out === null && (kind === 'engine' || you.includes(seat)));
