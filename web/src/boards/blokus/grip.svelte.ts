// The piece in hand, and what mouse, finger and keys do with it: one for the game and for the puzzles. What may be laid
// where, and what follows from it, its host knows.

import { stepOn } from '../facing';
import { flip, type Ghost, home, nudge, next, snap, turn } from './ghost';
import { type Command, commandOf } from './keys';
import type { Moves } from './moves';
import { shapeOf } from './pieces';
import type { Point } from './turning';
import { type } from './typing';
import type { Cell } from './view';

export interface Host {
  columns: () => number;
  rows: () => number;
  usable: () => boolean; // something may be done now
  places: () => Moves | null; // where the piece in hand fits
  names: () => readonly string[]; // of the pieces that can be called by typing
  locate: (event: PointerEvent) => Point | null; // on the board, in cells
  call: (piece: string) => void; // a name was typed
  lay: () => void;
  back: () => void; // out of the hand
  enter: () => void; // Enter with empty hands
  turned?: () => number; // quarters that the board is seen turned by
}

const PAUSE = 1200; // milliseconds until half a name is forgotten

export class Grip {
  held = $state.raw<Ghost | null>(null);
  shown = $state(false); // it has a place on the board
  cursor = $state.raw<Cell | null>(null); // for keyboards, while no piece is held
  inside = $state(false); // the keyboard is on the board
  reach = $state(false); // to be shown
  numbers = $state(false); // to be shown
  refused = $state(0); // counts attempts, so that each one shakes
  latest: Cell | null = null; // where the cursor begins
  private typed = '';
  private typedAt = 0;

  constructor(private readonly host: Host) {}

  /** A piece comes into the hand: as advised, or where it fits, near the one held before. */
  take(piece: string, places: Moves, advised: Ghost | null = null): void {
    const from = this.held ?? { x: this.host.columns() / 2, y: this.host.rows() / 2, shape: shapeOf(piece) };
    this.hold(advised ?? home({ ...from, piece, shape: shapeOf(piece) }, places));
  }

  hold(ghost: Ghost): void {
    this.held = ghost;
    this.shown = true;
  }

  release(): void {
    this.held = null;
    this.shown = false;
  }

  // ---- what can be done with it

  rotate = (quarters: number): void => this.change((ghost) => turn(ghost, quarters));

  flip = (): void => this.change(flip);

  /** To the next place where it fits. */
  jump = (): void => {
    const places = this.host.places();
    if (places) this.change((ghost) => next(ghost, places, this.host.columns(), this.host.rows()), true);
  };

  // ---- mouse and fingers

  point = (at: Point): void => this.change((ghost) => ({ ...ghost, ...at }), true);

  tap = (at: Point): void => this.change((ghost) => this.snapped({ ...ghost, ...at }), true);

  shift = ({ x, y }: Point): void => this.change((ghost) => ({ ...ghost, x: ghost.x + x, y: ghost.y + y }), true);

  /** Over the board, a drag brings the piece; whether it is there. */
  bring = (event: PointerEvent): boolean => {
    const at = this.host.locate(event);
    if (at) this.point(at);
    else this.shown = false;
    return at !== null;
  };

  /** Let go over the board: a mouse lays it, a finger leaves it there. */
  drop = (mouse: boolean): void => {
    if (mouse) this.host.lay();
    else this.change((ghost) => this.snapped(ghost));
  };

  // ---- keys

  key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const onBoard = event.target instanceof HTMLElement && event.target.matches('[data-board]');
    const command = commandOf(event.key, { onBoard, holding: this.held !== null, shift: event.shiftKey });
    if (!command || !this.obey(command)) return;
    event.preventDefault();
    event.stopPropagation(); // the same keys step through the game elsewhere
  };

  /** The letters work from anywhere on the page but from inside, where the keys are heard before, and from fields. */
  keyElsewhere = (event: KeyboardEvent, inside: string): void => {
    if (event.target instanceof HTMLElement && !event.target.closest(`${inside}, input, select, textarea`)) this.key(event);
  };

  private obey(command: Command): boolean {
    if (command.do === 'spell') return this.host.usable() && this.spell(command.letter);
    if (command.do === 'step') this.step(stepOn(command.by, this.host.turned?.() ?? 0));
    else if (command.do === 'turn') this.rotate(command.quarters);
    else if (command.do === 'flip') this.flip();
    else if (command.do === 'next') this.jump();
    else if (command.do === 'lay') this.host.lay();
    else if (command.do === 'back') this.host.back();
    else if (command.do === 'hand') this.host.enter();
    else if (command.do === 'reach') this.reach = !this.reach;
    else this.numbers = !this.numbers;
    return true;
  }

  private step({ x, y }: Point): void {
    const [columns, rows] = [this.host.columns(), this.host.rows()];
    this.inside = true; // a hand that clicked before now uses the keys
    if (this.held) return this.change((ghost) => nudge(ghost, x, y, columns, rows), true);
    const from = this.cursor ?? this.latest ?? { x: columns >> 1, y: rows >> 1 };
    const within = (value: number, most: number): number => Math.min(most - 1, Math.max(0, value));
    this.cursor = { x: within(from.x + x, columns), y: within(from.y + y, rows) };
  }

  private spell(letter: string): boolean {
    const now = performance.now();
    const { text, piece } = type(now - this.typedAt < PAUSE ? this.typed : '', letter, this.host.names());
    [this.typed, this.typedAt] = [text, now];
    if (piece) this.host.call(piece);
    return piece !== null || text !== '';
  }

  private change(make: (ghost: Ghost) => Ghost, places = false): void {
    if (!this.held) return;
    this.held = make(this.held);
    if (places) this.shown = true;
  }

  private snapped(ghost: Ghost): Ghost {
    const places = this.host.places();
    return places ? snap(ghost, places) : ghost;
  }
}
