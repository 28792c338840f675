// A position as a short text for a link: tetro20-hard-8x10-14-ba1b1a2b2_rc1d1e1f1-<sum>. The sum finds damaged links;
// the server checks whether the pieces obey the rules.

import { LETTERS } from '../view';
import { COLOUR_NAMES, colourOf, type Laid, type Position } from './position';

const WHOLE = /^(?<puzzle>[a-z]+\d+)(?<hard>-hard)?-(?<rows>\d\d?)x(?<columns>\d\d?)-(?<given>\d\d?)-(?<pieces>[a-z0-9_]*)$/;
const PIECE = /^[byrg]([a-z][1-9]\d?){1,5}$/;

export function encode(position: Position): string {
  const pieces = position.pieces.map((laid) => `${LETTERS[colourOf(laid)]}${laid.cells.join('')}`).join('_');
  const hard = position.hard ? '-hard' : '';
  const text = `${position.puzzle}${hard}-${position.rows}x${position.columns}-${position.given ?? 0}-${pieces}`;
  return `${text}-${sum(text)}`;
}

/** Null if the text is damaged. */
export function decode(code: string): Position | null {
  const end = code.lastIndexOf('-');
  const text = code.slice(0, Math.max(0, end));
  const found = WHOLE.exec(text)?.groups;
  if (!found || sum(text) !== code.slice(end + 1)) return null;
  const pieces = (found['pieces'] ?? '').split('_').filter(Boolean);
  if (!pieces.every((piece) => PIECE.test(piece)) || Number(found['given']) > pieces.length) return null;
  return {
    puzzle: found['puzzle'] ?? '',
    hard: found['hard'] !== undefined,
    rows: Number(found['rows']),
    columns: Number(found['columns']),
    pieces: pieces.map(pieceOf),
    given: Number(found['given']),
  };
}

const pieceOf = (text: string): Laid => ({
  colour: COLOUR_NAMES[LETTERS.indexOf(text[0] ?? '')] ?? '',
  cells: text.slice(1).match(/[a-z]\d+/g) ?? [],
});

/** FNV-1a, 32 bits. */
function sum(text: string): string {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}
