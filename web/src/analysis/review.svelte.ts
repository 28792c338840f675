// A game being analysed: the results so far, and the position on show.

import type { Hint } from '../lib/types';
import { type Decision, follow, type Now, type Row, type Shown, type Turn } from './api';

export interface Choice {
  seat: number;
  moves: Row[]; // the best first
  played: string | null; // null: the game is at this position
}

export class Review {
  turns = $state.raw<Turn[]>([]); // in order, as far as they are known
  now = $state.raw<Now>({});
  stage = $state<'working' | 'done' | 'failed'>('working');
  ply = $state(0);
  private readonly stop = new AbortController();

  constructor(
    readonly table: Shown,
    private readonly text: string,
  ) {
    this.ply = table.history.length;
  }

  get length(): number {
    return this.table.history.length;
  }

  async begin(): Promise<void> {
    this.stage = 'working';
    this.turns = [];
    const listener = {
      turn: (turn: Turn) => (this.turns = [...this.turns, turn]),
      now: (now: Now) => (this.now = now),
    };
    try {
      await follow(this.text, listener, this.stop.signal);
      this.stage = 'done';
    } catch {
      if (!this.stop.signal.aborted) this.stage = 'failed';
    }
  }

  end(): void {
    this.stop.abort();
  }

  look(ply: number): void {
    this.ply = Math.min(this.length, Math.max(0, ply));
  }

  /** What can be done in the position on show. */
  get choices(): Choice[] {
    const next = this.turns[this.ply];
    if (next) return next.decisions.map(({ seat, moves, move }) => ({ seat, moves, played: move }));
    if (this.ply < this.length) return [];
    return Object.entries(this.now).map(([seat, { moves }]) => ({ seat: Number(seat), moves, played: null }));
  }

  /** The same as a hint, for the board, where one seat acts. */
  get hint(): Hint | null {
    const [only, other] = this.choices;
    return only && !other ? { moves: only.moves, exact: false } : null;
  }

  /** The judgement of the turn that led here. */
  get verdicts(): Decision[] {
    return this.turns[this.ply - 1]?.decisions ?? [];
  }

  /** What the position was worth to a seat after each turn, from the start on; null: not known. */
  line(seat: number): (number | null)[] {
    const first = this.turns[0]?.decisions.find((decision) => decision.seat === seat)?.moves[0]?.value;
    const rival = this.turns[0]?.decisions[0]?.moves[0]?.value;
    const start = first ?? (this.table.seats.length === 2 && rival !== undefined ? -rival : null);
    return [start, ...this.turns.map(({ values }) => values[seat] ?? null)];
  }

  /** The turns that were not the best, by number. */
  get marks(): [number, Decision['mark']][] {
    return this.turns.map(({ number, decisions }) => [number, worst(decisions)]);
  }
}

const ORDER = ['blunder', 'mistake', 'inaccuracy'] as const;

const worst = (decisions: Decision[]): Decision['mark'] =>
  ORDER.find((mark) => decisions.some((decision) => decision.mark === mark)) ?? null;
