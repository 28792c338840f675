// What a game's board provides. It draws a position and turns gestures into moves from the list of legal ones; it
// knows no rules, and the page around it knows no game.

import type { Component } from 'svelte';
import type { Sound } from '../lib/sound';
import type { Entry, Hint, Reason, Snapshot, View } from '../lib/types';
import type { IconName } from '../parts/icons';

export interface BoardProps {
  table: Snapshot;
  ply: number; // the number of turns before the position to draw; less than the table's: a look back
  before: View; // the position one turn earlier (the start: itself)
  view: View; // the position to draw
  entry: Entry | null; // the turn that led to it
  live: boolean; // no look back: new turns may be animated
  moves: Record<string, string[]>; // seat -> moves this visitor may play now; empty: the visitor may only look
  hint: Hint | null;
  lookOnly?: boolean; // no one moves here, as in an analysis: no buttons for moving
  turned?: number; // quarters clockwise that the board is turned by
  play: (seat: number, move: string) => void;
  moveName?: (move: string) => string; // for a list of moves: in the words of the game's own board
  refuse?: (seat: number, move: string) => void; // a gesture for a move that is not in the list
}

/** A position as a small picture to look at, for pages that show several games. */
export interface SmallProps {
  view: View;
  entry: Entry | null; // the turn that led to it
  ply: number;
}

export interface BoardKey {
  names: string[]; // as the keyboard shows them
  text: string; // what they do
}

export interface Reveal {
  title: string;
  text: string;
  lasts: number; // milliseconds until the board has shown the result
}

export interface Board {
  Board: Component<BoardProps>;
  Small?: Component<SmallProps>; // without it, a picture from the server
  seatColours: readonly string[]; // for lines in a graph
  Mark: Component<{ seat: number; table?: Pick<Snapshot, 'variant'> }>; // the seat's sign, not by colour alone
  seatName: (seat: number, table?: Pick<Snapshot, 'variant'>) => string; // as a word: Blue, Player 1; the table tells the variant
  moveName: (move: string) => string; // in a sentence: column b
  shortMove: (move: string) => string; // in a list: b
  firstStep: (table: Snapshot) => string; // what to do before the first move
  describe: (entry: Entry) => string; // the turn in words
  reveal?: (entry: Entry) => Reveal; // where orders were secret: announced before their results
  explain: (table: Snapshot, reason: Reason) => string; // how the game was decided; '' if there is nothing to add
  endingClause: (table: Snapshot, code: string) => string | null; // the clause of the rulebook behind the code of a reason
  scored: (table: Snapshot) => boolean; // whether points are counted in this variant
  progress?: (table: Snapshot, seat: number) => { figure: string; text: string }; // instead of the points, while the game runs
  sounds: (entry: Entry) => Sound[];
  keys: () => BoardKey[]; // what the keyboard can do on this board
  wide?: boolean; // needs the whole width of a small screen
  sides: number; // from how many sides it can be seen: four (quarter turns), two (half turns), or one
}

export interface BoardLink {
  href: string;
  icon: IconName;
  text: string;
}

/** A house rule's value, chosen in a board's own way. */
export interface OptionField {
  id: string;
  value: string;
  set: (value: string) => void;
}

/** What the first page and the address bar need of a board's folder before the board itself is loaded: card.ts. */
export interface BoardCard {
  Cover: Component; // the small moving picture
  perfect?: readonly string[]; // variants that the top level plays perfectly
  fields?: Record<string, () => Promise<{ default: Component<OptionField> }>>; // instead of a text field, by option
  simultaneous?: boolean; // no side begins: all move at once
  links?: () => BoardLink[]; // to the game's own pages, on its card
  pages?: Record<string, () => Promise<{ default: unknown }>>; // by address
}
