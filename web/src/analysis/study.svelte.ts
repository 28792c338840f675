// Trying moves in an analysis: the tree of turns, the visitor's position in it, and what can be played there.

import { showError } from '../lib/notice.svelte';
import { follow, type Now, readGame, type Shown } from './api';
import { addTurn, lineRecord, lineTo, mainFrom, promote, remove, treeOf, treeRecord, type TurnNode } from './tree';

export class Study {
  readonly root: TurnNode;
  at = $state.raw<TurnNode>() as TurnNode;
  shown = $state.raw<Shown | null>(null); // the line to this turn, as the server has read it
  now = $state.raw<Now>({}); // what the computer thinks of the moves here
  trying = $state(false); // the board takes moves
  changes = $state(0); // to the tree: counted, so that it is redrawn
  private orders: Record<string, string> = {}; // of a turn in which several seats move at once
  private stop = new AbortController();
  private readonly main: TurnNode[]; // of the game that was opened

  constructor(private readonly read: Shown) {
    this.root = treeOf(read.tree);
    this.main = mainFrom(this.root);
    this.at = this.main.at(-1) ?? this.root;
  }

  /** The turn with this number in the game itself. */
  turn(ply: number): TurnNode {
    return this.main[ply] ?? this.root;
  }

  isMain(node: TurnNode): boolean {
    return this.main.includes(node);
  }

  /** Show a turn and have the computer analyse it. */
  async go(node: TurnNode): Promise<void> {
    this.stop.abort();
    this.stop = new AbortController();
    const { signal } = this.stop;
    this.at = node;
    this.orders = {};
    this.shown = null;
    this.now = {};
    const text = lineRecord(this.read.record, node);
    try {
      const shown = await readGame(text);
      if (signal.aborted) return;
      this.shown = shown;
      if (!shown.over) await follow(text, { turn: () => undefined, now: (now) => (this.now = now) }, signal, true);
    } catch (error) {
      if (!signal.aborted) showError(error);
    }
  }

  /** The seat whose move is asked for: where several move at once, they are asked one after the other. */
  get seat(): number | null {
    void this.changes;
    return this.shown?.to_move.find((seat) => !(seat in this.orders)) ?? null;
  }

  async play(seat: number, move: string): Promise<void> {
    if (!this.shown) return;
    this.orders = { ...this.orders, [seat]: move };
    this.changes += 1;
    if (this.seat !== null) return;
    await this.go(addTurn(this.at, this.orders));
  }

  /** Play a line that the computer expects, move by move. */
  async playLine(from: TurnNode, moves: string[]): Promise<void> {
    this.trying = true;
    if (this.at !== from || !this.shown) await this.load(from);
    for (const move of moves) {
      const seat = this.seat;
      if (seat === null) return;
      const next = addTurn(this.at, { [seat]: move });
      this.changes += 1;
      await this.load(next);
    }
    void this.go(this.at);
  }

  promote(node: TurnNode): void {
    for (const turn of lineTo(node)) promote(turn);
    this.changes += 1;
  }

  remove(node: TurnNode): void {
    const inside = lineTo(this.at).includes(node);
    remove(node);
    this.changes += 1;
    if (inside) void this.go(node.parent ?? this.root);
  }

  comment(node: TurnNode, text: string): void {
    node.comment = text.trim();
    this.changes += 1;
  }

  mark(node: TurnNode, mark: string): void {
    const [seat] = Object.keys(node.moves);
    if (seat === undefined) return;
    const { [seat]: before, ...others } = node.marks;
    node.marks = before === mark ? others : { ...others, [seat]: mark };
    this.changes += 1;
  }

  /** The whole tree as a record; the result stands if the game itself is still its main line. */
  get record(): string {
    void this.changes;
    const same = mainFrom(this.root).every((node, ply) => node === this.main[ply]) && mainFrom(this.root).length === this.main.length;
    return treeRecord(this.read.record, this.root, same);
  }

  end(): void {
    this.stop.abort();
  }

  private async load(node: TurnNode): Promise<void> {
    this.stop.abort();
    this.at = node;
    this.orders = {};
    this.now = {};
    try {
      this.shown = await readGame(lineRecord(this.read.record, node));
    } catch (error) {
      this.shown = null;
      showError(error);
    }
  }
}
