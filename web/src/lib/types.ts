// What the server says, as docs/protocol.md describes it.

export type Lang = 'en' | 'fr' | 'de';
export type Text = Record<Lang, string>; // a short text in the three languages

export interface Variant {
  name: string;
  title: Text;
  text: Text; // one line
  seats: number;
  minutes: [number, number];
}

export interface Option {
  name: string;
  kind: 'choice' | 'number' | 'text';
  title: Text;
  text: Text; // one line
  default: OptionValue;
  values: Record<string, Text> | null; // of a choice
  low: number | null;
  high: number | null;
  none: Text | null; // what leaving a number out means; null: it can't be left out
  variants: string[]; // where it applies; empty: everywhere
}

export type OptionValue = string | number | null;
export type Options = Record<string, OptionValue>;

export interface GameInfo {
  name: string;
  title: Text;
  text: Text;
  variants: Variant[];
  options: Option[];
}

export interface Me {
  name: string;
  account: string | null; // the name with which one is signed in
  recovery?: string[]; // codes that set a new password; only when one signs up
}

export interface SeatRequest {
  kind: 'me' | 'open' | 'engine';
  level?: number | null;
}

export interface Seat {
  seat: number;
  kind: 'human' | 'engine' | 'open';
  name: string | null;
  level: number | null; // of an engine
  bot?: boolean;
  account?: boolean; // the player has an account
  online: boolean;
  out: null | 'resign' | 'time' | 'left'; // why the seat has lost, if it has
  stand_in: boolean; // an engine plays until its player is back
  left: number | null; // milliseconds on its clock when it last stopped; null: there is none
  until: number | null; // when its flag falls, by the server's time; null: it does not run
  claim: number | null; // from when on the others may act for it, by the server's time
}

export type View = Record<string, unknown>; // a position; each board knows its own game's
export type Effects = Record<string, unknown>; // what a turn did

export interface Entry {
  ply: number;
  moves: Record<string, string>; // seat -> move
  effects: Effects;
  position: View; // after the turn
}

export interface Reason {
  code?: string; // none while the game runs
  winner?: number | null;
  [key: string]: unknown;
}

/** What every turn changes besides the history. */
export interface Standing {
  to_move: number[];
  ready: number[]; // seats whose secret order is in
  orders: Record<string, string>; // seat -> the visitor's own secret order
  seals?: Record<string, string>; // seat -> hash of its secret order
  legal: Record<string, string[]>; // of the visitor's seats to move
  over: boolean;
  scores: number[];
  ranking: number[] | null;
  reason: Reason;
  ended_by: null | 'rules' | 'resign' | 'time' | 'left' | 'length';
  undo: boolean; // may the visitor take back now
  owner: boolean; // has the visitor opened the table
}

export interface Snapshot extends Standing {
  id: string;
  version: number;
  game: string;
  variant: string;
  options: Options;
  seats: Seat[];
  you: number[];
  invites?: Record<string, string>; // seat -> token, to the creator while open
  history: Entry[];
  start: View;
  position: View;
  rematch: string | null;
  rematch_offer?: number[]; // seats that have agreed to a rematch
  pace: Pace;
  takeback: boolean; // among several people too
  listed: boolean; // in the lobby
  tournament: string | null; // where the result counts
  words: boolean; // people may write freely
  chat: Message[];
  watching: number; // people without a seat
}

/** Seconds for the whole game and after each turn, or days for each turn; all 0: no clock. */
export interface Pace {
  total: number;
  increment: number;
  days: number;
}

export interface Message {
  number: number;
  seat: number;
  phrase: string | null; // a code; else free words
  words: string | null;
  at: number;
  removed?: boolean; // by a moderator
}

export type TableEvent = Partial<Standing> & {
  version: number;
  kind: string;
  entry?: Entry; // of a move
  ply?: number; // of an undo: how many turns are left
  message?: Message; // of a chat
  number?: number; // of a message that was removed
  [key: string]: unknown;
};

export interface HintMove {
  move: string;
  value: number; // -1 .. 1 for the seat to move
  outcome: 'win' | 'draw' | 'loss' | null; // when it is known for sure
  distance: number | null; // plies to that end
  visits: number | null;
}

export interface Hint {
  moves: HintMove[]; // best first
  exact: boolean;
}

export type ServerMessage =
  | ({ t: 'state' } & Snapshot)
  | ({ t: 'event' } & TableEvent)
  | { t: 'presence'; seats: Seat[]; watching: number }
  | { t: 'ack'; ack: string; version: number }
  | ({ t: 'hint'; ack: string } & Hint)
  | { t: 'error'; ack: string | null; code: string; detail: Record<string, unknown> }
  | { t: 'pong'; now: number }
  | { t: 'bye'; code: string };

export type Command =
  | { t: 'move'; ply: number; seat: number; move: string }
  | { t: 'undo'; ply: number }
  | { t: 'resign'; seat: number }
  | { t: 'claim'; seat: number; win: boolean }
  | { t: 'fill'; seat: number; level: number }
  | { t: 'say'; phrase?: string; words?: string }
  | { t: 'words'; on: boolean }
  | { t: 'hint'; ply: number };
