// The rules about one piece, checked at once on the page; the server decides. Clauses: docs/rules/blokus.md.

import { formsOf, heightOf, shapeOf, widthOf } from '../pieces';
import { indexMoves, type Moves } from '../moves';
import { type Cell, cellName, type Colour, moveText } from '../view';
import type { Item } from '../pieceInput.svelte';
import { cellsOn, colourOf, itemOn, type Kind, leftOf, type Position, without } from './position';

export type Code = 'overlap' | 'touches' | 'not_in_corner' | 'not_attached' | 'too_early';

export interface Violation {
  code: Code;
  cells: Cell[]; // where it can be seen
}

const STARTS = ['a20', 't20', 't1', 'a1']; // BK-3, by colour

const beside = ({ x, y }: Cell): Cell[] => [{ x: x - 1, y }, { x: x + 1, y }, { x, y: y - 1 }, { x, y: y + 1 }];

const corners = ({ x, y }: Cell): Cell[] => [-1, 1].flatMap((dx) => [-1, 1].map((dy) => ({ x: x + dx, y: y + dy })));

/** The rules of a puzzle, with a board to read off quickly. */
export class Field {
  private readonly board = new Map<string, Colour>();
  private readonly largest: number; // of the pieces left

  constructor(
    private readonly kind: Kind,
    private readonly position: Position,
  ) {
    for (const laid of position.pieces) {
      for (const name of laid.cells) this.board.set(name, colourOf(laid));
    }
    this.largest = Math.max(0, ...leftOf(kind, position).map(({ name }) => shapeOf(name).length));
  }

  at(cell: Cell): Colour | undefined {
    return this.board.get(cellName(cell, this.position.rows));
  }

  /** The first rule that forbids a piece on these cells; null if it may be placed. */
  against(colour: Colour, cells: Cell[]): Violation | null {
    const taken = cells.filter((cell) => this.at(cell) !== undefined);
    if (taken.length) return { code: 'overlap', cells: taken };
    const { hard } = this.position;
    const touched = hard || !this.kind.fills ? this.same(colour, cells.flatMap(beside)) : []; // BK-4, BK-21, BK-22
    if (touched.length) return { code: 'touches', cells: touched };
    return this.kind.fills ? null : (this.unattached(colour, cells) ?? this.early(cells));
  }

  private same(colour: Colour, cells: Cell[]): Cell[] {
    return cells.filter((cell) => this.at(cell) === colour);
  }

  private unattached(colour: Colour, cells: Cell[]): Violation | null {
    if (![...this.board.values()].includes(colour)) {
      const covers = cells.some((cell) => cellName(cell, this.position.rows) === STARTS[colour]);
      return covers ? null : { code: 'not_in_corner', cells: [] };
    }
    return this.same(colour, cells.flatMap(corners)).length ? null : { code: 'not_attached', cells: [] };
  }

  private early(cells: Cell[]): Violation | null {
    return this.position.hard && cells.length < this.largest ? { code: 'too_early', cells: [] } : null; // BK-20
  }

  /** Every place where a piece may be placed now. */
  places({ colour, name }: Item): Moves {
    const { rows, columns } = this.position;
    const texts = formsOf(shapeOf(name)).flatMap((form) => {
      const found: string[] = [];
      for (let top = 0; top <= rows - heightOf(form); top++) {
        for (let left = 0; left <= columns - widthOf(form); left++) {
          const cells = form.map(({ x, y }) => ({ x: x + left, y: y + top }));
          if (!this.against(colour, cells)) found.push(moveText(cells, rows));
        }
      }
      return found;
    });
    return indexMoves(texts, rows);
  }
}

/** Whether a piece may be taken back: not a given one, and where order matters none that later ones depend on. */
export function mayTake(kind: Kind, position: Position, index: number): boolean {
  if (index < (position.given ?? 0)) return false;
  if (kind.fills) return true;
  const rest = without(position, index);
  return rest.pieces.every((laid, i) => {
    if (i < index) return true;
    const before = { ...rest, pieces: rest.pieces.slice(0, i) };
    return !new Field(kind, before).against(itemOn(laid, rest.rows).colour, cellsOn(laid, rest.rows));
  });
}
