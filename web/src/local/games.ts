// The list of the games on this device, read from the database without the kit.

import type { TableSummary } from '../people/api';
import { Games } from './database';

const ME = 'me'; // the person at this device, as the host calls it

interface Summary {
  game: string;
  status: TableSummary['status'];
  acting: number; // seats, as bits
  touched: number;
  people: Record<string, number>;
  facts: Omit<TableSummary, 'id' | 'game' | 'status' | 'touched' | 'you' | 'your_turn' | 'seats'> & {
    seats: { kind: TableSummary['seats'][number]['kind']; guest: string | null; level: number | null }[];
  };
}

export async function summaries(over: boolean, name: string): Promise<TableSummary[]> {
  const games = await Games.open(() => undefined);
  const found = (await games.all()).map(({ id, summary }) => card(id, JSON.parse(summary) as Summary, name));
  const wanted = found.filter(({ status }) => (status === 'over') === over);
  return wanted.sort((a, b) => Number(b.your_turn) - Number(a.your_turn) || b.touched - a.touched);
}

function card(id: string, { game, status, acting, touched, people, facts }: Summary, name: string): TableSummary {
  const mine = people[ME] ?? 0;
  return {
    ...facts,
    id,
    game,
    status,
    touched,
    seats: facts.seats.map(({ kind, guest, level }) => ({ kind, level, name: guest ? name || null : null, account: false, profile: null, invited: false })),
    you: facts.seats.map((_, seat) => seat).filter((seat) => (mine >> seat) & 1),
    your_turn: Boolean(mine & acting),
    until: null,
  };
}
