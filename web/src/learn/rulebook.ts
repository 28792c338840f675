// The rulebooks: Markdown files of the guide (docs/rulebook), one for each game and language, parsed for the page.

import type { Lang } from '../lib/types';

export type Block =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'ruling'; label: string; text: string } // ours, where the paper rulebook is silent
  | { kind: 'example'; clause: string; text: string }; // a picture, and what it shows

export interface Clause {
  id: string;
  title: string;
  blocks: Block[];
}

export interface Section {
  title: string;
  clauses: Clause[];
}

export interface Rulebook {
  title: string;
  lead: Block[];
  sections: Section[];
}

const CLAUSE = /^### (.+) \{#([A-Z0-9]+-\d+)\}$/;
const RULING = /^!!! \w+ "(.+)"$/;
const EXAMPLE = /^!\[(.+)\]\(\.\.\/pictures\/([A-Z0-9]+-\d+)\.svg\)$/;

/** The few kinds of Markdown that the rulebooks are written in. */
export function parse(source: string): Rulebook {
  const book: Rulebook = { title: '', lead: [], sections: [] };
  for (const part of source.split(/\n{2,}/).map((part) => part.trimEnd()).filter(Boolean)) {
    const clause = CLAUSE.exec(part);
    const section = book.sections.at(-1);
    if (part.startsWith('# ')) book.title = part.slice(2);
    else if (part.startsWith('## ')) book.sections.push({ title: part.slice(3), clauses: [] });
    else if (clause) section?.clauses.push({ id: clause[2] ?? '', title: clause[1] ?? '', blocks: [] });
    else (section ? (section.clauses.at(-1)?.blocks ?? []) : book.lead).push(blockOf(part));
  }
  return book;
}

function blockOf(part: string): Block {
  const [first = '', ...rest] = part.split('\n');
  const ruling = RULING.exec(first);
  if (ruling) return { kind: 'ruling', label: ruling[1] ?? '', text: rest.map((line) => line.trim()).join(' ') };
  const example = EXAMPLE.exec(part);
  if (example) return { kind: 'example', clause: example[2] ?? '', text: example[1] ?? '' };
  if (first.startsWith('- ')) return { kind: 'list', items: part.split(/^- /m).slice(1).map((item) => item.replaceAll(/\s*\n\s*/g, ' ').trim()) };
  return { kind: 'text', text: [first, ...rest].join(' ') };
}

export type Piece = { kind: 'plain' | 'strong' | 'code' | 'clause'; text: string };

/** A text as pieces to draw: what is strong, what is code, what names another clause. */
export const piecesOf = (text: string): Piece[] =>
  text
    .split(/(\*\*.+?\*\*|`.+?`|\b[A-Z][A-Z0-9]-\d+\b)/)
    .filter(Boolean)
    .map((piece): Piece => {
      if (piece.startsWith('**')) return { kind: 'strong', text: piece.slice(2, -2) };
      if (piece.startsWith('`')) return { kind: 'code', text: piece.slice(1, -1) };
      return { kind: /^[A-Z][A-Z0-9]-\d+$/.test(piece) ? 'clause' : 'plain', text: piece };
    });

/** In French, colons and question marks stay on the line of the word before. */
export const held = (text: string): string => text.replaceAll(/ (?=[:;!?»])|(?<=«) /g, '\u00a0');

export const clauseOf = (book: Rulebook, id: string): Clause | undefined =>
  book.sections.flatMap((section) => section.clauses).find((clause) => clause.id === id);

const files = import.meta.glob<string>('../../../docs/rulebook/*/*.md', { query: '?raw', import: 'default' });
const read = new Map<string, Promise<Rulebook>>();

/** The rulebook of a game; fails if it has none. */
export function loadRulebook(game: string, lang: Lang): Promise<Rulebook> {
  const path = `../../../docs/rulebook/${lang}/${game}.md`;
  const known = read.get(path);
  if (known) return known;
  const file = files[path];
  if (!file) return Promise.reject(new Error(`no rulebook ${path}`));
  const asked = file().then(parse);
  read.set(path, asked);
  asked.catch(() => read.delete(path));
  return asked;
}
