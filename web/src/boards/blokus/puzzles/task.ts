// From an address to the puzzle behind it. An address is what follows /puzzles/play: a query, or a shared position.

import { Failure } from '../../../lib/api';
import { check, getChallenge, getKinds } from './api';
import type { Kind, Laid, Position } from './position';
import { startOf } from './position';
import { decode } from './share';
import { begun, type Begun } from './localSave';

export const FULL = 'full'; // nothing is given

export interface Choice {
  puzzle: string;
  difficulty: string;
  hard: boolean;
  rows: number;
  columns: number;
}

export interface Task {
  address: string;
  kind: Kind;
  difficulty: string | null; // null: a shared position
  daily: string | null; // the day
  position: Position; // as it was set, or shared
  before: Begun | null; // what this device remembers of it
}

export const levelOf = ({ puzzle, difficulty, hard, rows, columns }: Choice): string =>
  [puzzle, hard ? 'hard' : 'plain', difficulty, `${rows}x${columns}`].join('-');

export function addressOf({ puzzle, difficulty, hard, rows, columns }: Choice, seed: number): string {
  const query = new URLSearchParams({ puzzle, difficulty, rows: String(rows), columns: String(columns), seed: String(seed) });
  if (hard) query.set('hard', 'true');
  return `?${query}`;
}

export const dailyAddress = (day: string, difficulty: string): string => `?daily=${day}&difficulty=${difficulty}`;

/** The visitor's own date, as the server writes it. */
export function today(now = new Date()): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

export async function openTask(search: string, hash: string): Promise<Task> {
  const query = new URLSearchParams(search);
  const code = hash.slice(1);
  const position = code ? await shared(code) : await set(query);
  const kind = (await getKinds()).find(({ name }) => name === position.puzzle);
  if (!kind) throw new Failure('bad_puzzle');
  const address = code ? hash : search;
  const task = { address, kind, difficulty: code ? null : (query.get('difficulty') ?? 'easy'), daily: query.get('daily'), position };
  return { ...task, before: await remembered(address, position) };
}

async function set(query: URLSearchParams): Promise<Position> {
  const day = query.get('daily');
  if (day) return (await getChallenge('daily', new URLSearchParams({ date: day, difficulty: query.get('difficulty') ?? 'medium' }))).position;
  if (query.get('difficulty') !== FULL) return (await getChallenge('new', query)).position;
  const bare = { puzzle: query.get('puzzle') ?? '', hard: query.get('hard') === 'true', rows: Number(query.get('rows')), columns: Number(query.get('columns')), pieces: [], given: 0 };
  await check(bare); // refused if there is no such puzzle
  return bare;
}

/** The server checks it: the link may have been made by hand. */
async function shared(code: string): Promise<Position> {
  const position = decode(code);
  if (!position || !(await isLegal(position))) throw new Failure('damaged_link');
  return position;
}

async function remembered(address: string, position: Position): Promise<Begun | null> {
  const found = begun(address);
  if (!found) return null;
  return (await isLegal(withOwn(position, found.pieces))) ? found : null;
}

export const withOwn = (position: Position, own: Laid[]): Position => {
  const start = startOf(position);
  return { ...start, pieces: [...start.pieces, ...own] };
};

async function isLegal(position: Position): Promise<boolean> {
  try {
    return (await check(position)).legal;
  } catch (error) {
    if (error instanceof Failure && error.code === 'bad_puzzle') return false;
    throw error;
  }
}
