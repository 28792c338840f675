// One puzzle being solved: placed pieces, whether it can still be solved, the time. This file draws nothing.

import { untrack } from 'svelte';
import { showError } from '../../../lib/notice.svelte';
import { play as sound } from '../../../lib/sound';
import { askHint, check, type Fault, reportSolved, solvable, solution } from './api';
import { Stopwatch } from './clock';
import { type Laid, leftOf, ownOf, plus, type Position, startOf, without } from './position';
import { keep, record, type Stage } from './localSave';
import { levelOf, type Task, withOwn } from './task';

const PAUSE = 300; // milliseconds without a change before the server is asked whether it can be solved
const SHOW = 5000; // milliseconds for the whole solution, and for each piece at most
const EACH = 400;

export type Outlook = 'yes' | 'no' | 'unknown' | 'asking';

export class Solving {
  position = $state.raw<Position>() as Position;
  stage = $state<Stage>('playing');
  outlook = $state<Outlook>('asking');
  faults = $state.raw<Fault[]>([]); // why not, where that can be seen
  hint = $state.raw<Laid | null>(null);
  helped = $state(false);
  busy = $state(false); // a hint or the solution is being searched for
  seconds = $state(0);
  isRecord = $state(false);

  private readonly watch: Stopwatch;
  private givenUp: boolean;
  private witness: Position | null = null;
  private stop = new AbortController(); // ends the search for the latest question: earlier answers are not needed
  private timer: ReturnType<typeof setTimeout> | undefined;
  private show: ReturnType<typeof setInterval> | undefined;

  constructor(readonly task: Task) {
    const { before, position } = task;
    this.position = before ? withOwn(position, before.pieces) : position;
    this.stage = before?.stage ?? 'playing';
    this.helped = before?.helped ?? false;
    this.givenUp = before?.givenUp ?? false;
    this.watch = new Stopwatch(before?.seconds ?? 0);
    this.seconds = this.watch.seconds;
  }

  /** Run the clock until the returned function is called. It stops while the page is hidden. */
  begin(): () => void {
    const look = (): void => {
      if (this.stage === 'playing' && document.visibilityState === 'visible') this.watch.start();
      else this.watch.stop();
      this.save();
    };
    const tick = setInterval(() => (this.seconds = this.watch.seconds), 500);
    document.addEventListener('visibilitychange', look);
    addEventListener('pagehide', look);
    untrack(() => {
      look();
      this.ask(0);
    });
    return () => {
      clearInterval(tick);
      clearInterval(this.show);
      clearTimeout(this.timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('pagehide', look);
      this.save();
      this.stop.abort();
    };
  }

  lay(laid: Laid): void {
    sound('push');
    this.change(plus(this.position, laid));
  }

  take(index: number): void {
    this.change(without(this.position, index));
  }

  restart(): void {
    clearInterval(this.show);
    this.stage = 'playing';
    this.change(startOf(this.position));
    this.watch.start();
  }

  private change(position: Position): void {
    this.position = position;
    this.hint = null;
    this.save();
    const full = !leftOf(this.task.kind, position).length;
    if (full) void this.finish();
    else this.ask(PAUSE);
  }

  private save(): void {
    const { puzzle, hard } = this.position;
    const { helped, givenUp, stage } = this;
    const own = stage === 'shown' ? [] : ownOf(this.position);
    const entry = { puzzle, hard, difficulty: this.task.difficulty ?? '', pieces: own, seconds: this.watch.seconds, helped, givenUp };
    keep(this.task.address, { ...entry, stage: stage === 'shown' ? 'playing' : stage, at: Date.now() });
  }

  /** The signal for a new question; the searches for earlier ones end. */
  private question(): AbortSignal {
    this.stop.abort();
    this.stop = new AbortController();
    return this.stop.signal;
  }

  private async finish(): Promise<void> {
    const signal = this.question();
    try {
      const { solved } = await check(this.position);
      if (signal.aborted) return;
      if (!solved) return this.ask(0);
    } catch (error) {
      return this.failed(signal, error);
    }
    this.watch.stop();
    this.seconds = this.watch.seconds;
    this.stage = 'solved';
    this.outlook = 'yes';
    const { difficulty } = this.task;
    this.isRecord = difficulty !== null && !this.helped && record(levelOf({ ...this.position, difficulty }), this.seconds);
    this.save();
    void reportSolved(this.position, this.seconds, this.helped);
    sound('win');
  }

  /** Ask whether this can still be solved. */
  private ask(after: number): void {
    clearTimeout(this.timer);
    if (this.stage !== 'playing') return;
    const signal = this.question();
    this.outlook = 'asking';
    this.faults = [];
    this.timer = setTimeout(async () => {
      try {
        const { answer, completion, faults } = await solvable(this.position, this.witness, signal);
        if (signal.aborted) return;
        this.witness = completion ?? this.witness;
        this.faults = faults;
        this.outlook = answer;
      } catch (error) {
        this.failed(signal, error);
      }
    }, after);
  }

  private failed(signal: AbortSignal, error: unknown): void {
    if (signal.aborted) return;
    this.outlook = 'unknown';
    showError(error);
  }

  /** Place one correct piece on the board; whether there is one. */
  async findHint(): Promise<boolean> {
    const signal = this.question();
    clearTimeout(this.timer);
    this.busy = true;
    try {
      const { piece, answer, completion, faults } = await askHint(this.position, this.witness, signal);
      if (signal.aborted) return false;
      this.witness = completion ?? this.witness;
      [this.outlook, this.faults, this.hint] = [answer, faults, piece];
      if (piece) this.helped = true;
      this.save();
      return piece !== null;
    } catch (error) {
      this.failed(signal, error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** The solution from here, or if there is none from the start, piece by piece. */
  async giveUp(calm: boolean): Promise<void> {
    const { position } = this;
    const signal = this.question();
    this.busy = true;
    clearTimeout(this.timer);
    try {
      const here = await solution(position, this.witness, signal);
      const whole = here.completion ?? (await solution(startOf(position), this.witness, signal)).completion;
      if (signal.aborted) return;
      if (whole) this.reveal(whole, here.completion ? position : startOf(position), calm);
      else this.outlook = 'unknown';
    } catch (error) {
      this.failed(signal, error);
    } finally {
      this.busy = false;
    }
  }

  private reveal(whole: Position, from: Position, calm: boolean): void {
    this.watch.stop();
    this.hint = null;
    this.faults = [];
    this.helped = true;
    this.stage = 'shown';
    this.givenUp = true;
    this.save();
    this.position = calm ? whole : from;
    const rest = whole.pieces.slice(from.pieces.length);
    this.show = setInterval(() => {
      const next = calm ? undefined : rest.shift();
      if (!next) return clearInterval(this.show);
      this.position = plus(this.position, next);
      sound('push');
    }, Math.min(EACH, SHOW / rest.length));
  }
}
