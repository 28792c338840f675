// The piece in hand, and what mouse, finger and keys do with it: for the game and for the puzzles. The host says which
// pieces there are, where they fit and what placing one means.

import { stepOn } from '../facing';
import type { Point } from './gestures';
import { coveredCells, flip, type HeldPiece, nearestFit, next, nudge, snap, turn } from './heldPiece';
import { actionOf, type KeyAction } from './keys';
import type { Moves } from './moves';
import { shapeOf } from './pieces';
import { type } from './typing';
import type { Cell, Colour } from './view';

/** A piece that can be taken in hand. */
export interface Item {
  key: string;
  name: string;
  colour: Colour;
}

export interface Host {
  columns: () => number;
  rows: () => number;
  usable: () => boolean; // pieces may be placed now
  items: () => Item[]; // those that can be taken in hand
  places: (item: Item) => Moves; // where it fits
  hinted: () => { key: string; at: HeldPiece } | null;
  lay: () => void; // place the piece where it is
  pickUp?: (cell: Cell) => boolean; // take a piece from the board; whether there was one
  erase?: () => void; // Backspace
  taken?: () => void; // a piece came into the hand
  turned?: () => number; // quarter turns by which the board is shown turned
}

/** What the drawing does for the input. */
export interface Stage {
  locate: (event: PointerEvent) => Point | null; // on the board, in cells
  focusBoard: () => void;
  focusTray: (key: string | null) => void; // null: the piece that the Tab key reaches
}

const PAUSE = 1200; // milliseconds until an incomplete name is forgotten

export class PieceInput {
  item = $state.raw<Item | null>(null); // in hand
  held = $state.raw<HeldPiece | null>(null); // the same as a shape, where it is
  shown = $state(false); // it has a place on the board
  cursor = $state.raw<Cell | null>(null); // for keyboards, while no piece is held
  inside = $state(false); // the keyboard is on the board
  reach = $state(false); // show where the piece fits
  numbers = $state(false); // show the order of placing
  refused = $state(0); // counts attempts, so that each one shakes
  latest: Cell | null = null; // where the cursor begins
  stage: Stage | null = null;
  private typed = '';
  private typedAt = 0;

  constructor(private readonly host: Host) {}

  readonly usable = $derived.by(() => this.host.usable());

  /** Where the piece in hand fits. */
  readonly places = $derived.by(() => this.item && this.host.places(this.item));

  /** The cells below it. */
  readonly cells = $derived.by(() => (this.held && this.shown ? coveredCells(this.held, this.host.columns(), this.host.rows()) : null));

  /** Take a piece in hand, or put it back. It appears as hinted, or where it fits near the piece held before. */
  choose = (item: Item): void => {
    if (!this.host.usable()) return;
    if (this.item?.key === item.key) return this.putBack();
    const from = this.held ?? { x: this.host.columns() / 2, y: this.host.rows() / 2 };
    const hinted = this.host.hinted();
    const advised = hinted?.key === item.key ? hinted.at : null;
    this.hold(item, advised ?? nearestFit({ ...from, piece: item.name, shape: shapeOf(item.name) }, this.host.places(item)));
    this.host.taken?.();
    this.stage?.focusBoard();
  };

  hold(item: Item, held: HeldPiece): void {
    this.item = item;
    this.held = held;
    this.shown = true;
  }

  release(): void {
    this.item = this.held = null;
    this.shown = false;
  }

  putBack = (): void => {
    const key = this.item?.key ?? null;
    this.release();
    if (this.inside) this.stage?.focusTray(key);
  };

  // ---- what can be done with the piece

  rotate = (quarters: number): void => this.change((held) => turn(held, quarters));

  flip = (): void => this.change(flip);

  /** To the next place where it fits. */
  jump = (): void => {
    const places = this.places;
    if (places) this.change((held) => next(held, places, this.host.columns(), this.host.rows()), true);
  };

  // ---- mouse and fingers

  point = (at: Point): void => this.change((held) => ({ ...held, ...at }), true);

  tap = (at: Point): void => this.change((held) => this.snapped({ ...held, ...at }), true);

  shift = ({ x, y }: Point): void => this.change((held) => ({ ...held, x: held.x + x, y: held.y + y }), true);

  /** A press on the tray became a drag. */
  drag = (key: string): void => {
    const item = this.host.items().find((found) => found.key === key);
    if (item && this.item?.key !== key) this.choose(item);
  };

  /** A drag over the board moves the piece there; whether it is over the board. */
  bring = (event: PointerEvent): boolean => {
    const at = this.stage?.locate(event) ?? null;
    if (at) this.point(at);
    else this.shown = false;
    return at !== null;
  };

  /** Let go over the board: a mouse places it, a finger leaves it there. */
  drop = (mouse: boolean): void => {
    if (mouse) this.host.lay();
    else this.change((held) => this.snapped(held));
  };

  // ---- keys

  key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Backspace' && this.host.erase) return this.claim(event, this.host.erase);
    const onBoard = event.target instanceof HTMLElement && event.target.matches('[data-board]');
    const action = actionOf(event.key, { onBoard, holding: this.held !== null, shift: event.shiftKey });
    if (action && this.perform(action)) this.claim(event);
  };

  private claim(event: KeyboardEvent, act?: () => void): void {
    act?.();
    event.preventDefault();
    event.stopPropagation(); // the same keys step through the game elsewhere
  }

  /** The letters work everywhere on the page except in this area, which handles its own keys, and in fields. */
  keyElsewhere = (event: KeyboardEvent, inside: string): void => {
    if (event.target instanceof HTMLElement && !event.target.closest(`${inside}, input, select, textarea`)) this.key(event);
  };

  private perform(action: KeyAction): boolean {
    if (action.do === 'spell') return this.host.usable() && this.spell(action.letter);
    if (action.do === 'step') this.step(stepOn(action.by, this.host.turned?.() ?? 0));
    else if (action.do === 'turn') this.rotate(action.quarters);
    else if (action.do === 'flip') this.flip();
    else if (action.do === 'next') this.jump();
    else if (action.do === 'lay') this.host.lay();
    else if (action.do === 'back') this.putBack();
    else if (action.do === 'hand') this.enter();
    else if (action.do === 'reach') this.reach = !this.reach;
    else this.numbers = !this.numbers;
    return true;
  }

  /** Enter without a piece in hand: pick up the piece under the cursor, else go to the tray. */
  private enter(): void {
    if (!this.cursor || !this.host.pickUp?.(this.cursor)) this.stage?.focusTray(null);
  }

  private step({ x, y }: Point): void {
    const [columns, rows] = [this.host.columns(), this.host.rows()];
    this.inside = true; // the keys take over from the mouse
    if (this.held) return this.change((held) => nudge(held, x, y, columns, rows), true);
    const from = this.cursor ?? this.latest ?? { x: columns >> 1, y: rows >> 1 };
    const within = (value: number, most: number): number => Math.min(most - 1, Math.max(0, value));
    this.cursor = { x: within(from.x + x, columns), y: within(from.y + y, rows) };
  }

  private spell(letter: string): boolean {
    const now = performance.now();
    const items = this.host.items();
    const names = items.map(({ name }) => name);
    const { text, piece } = type(now - this.typedAt < PAUSE ? this.typed : '', letter, names);
    [this.typed, this.typedAt] = [text, now];
    if (piece) this.call(items.filter(({ name }) => name === piece));
    return piece !== null || text !== '';
  }

  /** A name chooses its piece; the same name again, the one of the next colour. */
  private call(same: Item[]): void {
    const wanted = same[(same.findIndex(({ key }) => key === this.item?.key) + 1) % same.length];
    if (wanted && wanted.key !== this.item?.key) this.choose(wanted);
  }

  private change(make: (held: HeldPiece) => HeldPiece, places = false): void {
    if (!this.held) return;
    this.held = make(this.held);
    if (places) this.shown = true;
  }

  private snapped(held: HeldPiece): HeldPiece {
    return this.places ? snap(held, this.places) : held;
  }
}
