// A lesson in progress: its step, the step's table, and the results of tries.

import { showError } from '../lib/notice.svelte';
import type { Snapshot } from '../lib/types';
import { getStep, tryMove } from './api';
import { firstOpen, keepStep, stepsDone } from './progress';
import type { Attempt, Lesson } from './types';

export type Whose = 'own' | 'shown' | 'slip';

export class Learning {
  at = $state(0); // the step
  table: Snapshot | null = $state.raw(null); // null: loading
  attempt: Attempt | null = $state.raw(null); // the last try; null: none yet
  shown = $state(false); // the solution was shown
  busy = $state(false);
  lost = $state(false); // the table could not be loaded
  done: number[] = $state([]); // steps

  private start: Snapshot | null = null; // the step's table before any try

  constructor(
    readonly game: string,
    readonly lesson: Lesson,
    private readonly answered: (attempt: Attempt, shown: boolean) => void, // an answer has come
  ) {
    this.done = stepsDone(game, lesson.name);
    void this.go(firstOpen(game, { name: lesson.name, steps: lesson.steps.length }));
  }

  get step() {
    return this.lesson.steps[this.at];
  }

  get isLast(): boolean {
    return this.at === this.lesson.steps.length - 1;
  }

  /** Whether the board takes moves now. */
  get open(): boolean {
    return this.table !== null && this.table === this.start && !this.busy;
  }

  async go(step: number): Promise<void> {
    this.at = step;
    this.table = this.start = this.attempt = null;
    this.lost = false;
    try {
      const found = await getStep(this.game, this.lesson.name, step);
      if (this.at === step) this.table = this.start = found;
    } catch (error) {
      this.lost = this.at === step;
      showError(error);
    }
  }

  /** Back to the step's own position. */
  again(): void {
    this.table = this.start;
    this.attempt = null;
  }

  /** Try a move: the learner's own, one that we show, or an illegal one that a gesture stands for. */
  async play(move: string, whose: Whose = 'own'): Promise<void> {
    if (this.busy || !this.start) return;
    const step = this.at;
    this.table = this.start;
    this.busy = true;
    try {
      const attempt = await tryMove(this.game, this.lesson.name, step, move);
      if (this.at === step) this.take(attempt, whose);
    } catch (error) {
      showError(error);
    } finally {
      this.busy = false;
    }
  }

  private take(attempt: Attempt, whose: Whose): void {
    const done = attempt.verdict === 'done';
    const carried = done || whose !== 'slip'; // a slip is only commented on, unless the step is about it
    this.attempt = carried ? attempt : { ...attempt, table: null };
    this.shown = whose === 'shown';
    if (this.attempt.table) this.table = this.attempt.table;
    if (done) {
      keepStep(this.game, this.lesson.name, this.at);
      this.done = stepsDone(this.game, this.lesson.name);
    }
    this.answered(this.attempt, this.shown);
  }
}
