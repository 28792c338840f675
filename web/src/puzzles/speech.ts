// Pieces, places and reasons in words.

import { colourName, inText } from '../boards/blokus/speech';
import { type Cell, cellName } from '../boards/blokus/view';
import type { Fault } from './api';
import { type Code } from './facts';
import { colourOf, indexAt, type Item, itemOn, type Kind, type Laid, type Position } from './position';
import { w } from './words';
import { w as blokus } from '../boards/blokus/words';
import { prefs } from '../lib/prefs.svelte';

/** "Blue L4", but in French "L4 bleu". */
export const itemName = ({ colour, name }: Item): string =>
  w().item(prefs.lang === 'fr' ? inText(colour) : colourName(colour), name);

export const cellsInWords = (laid: Laid): string => laid.cells.join(' ');

export const factInWords = (code: Code): string => w().faults[code];

/** What lies on a cell. */
export function cellInWords(position: Position, cell: Cell): string {
  const name = cellName(cell, position.rows);
  const index = indexAt(position, name);
  const laid = position.pieces[index];
  if (!laid || colourOf(laid) < 0) return `${name}, ${blokus().empty}`;
  const given = index < (position.given ?? 0) ? [w().given] : [];
  return [name, itemName(itemOn(laid, position.rows)), ...given].join(', ');
}

/** Why it cannot be solved, if the server saw it at a glance. */
export function whyNot(faults: Fault[]): string {
  const fault = faults[0];
  if (!fault) return '';
  const { region, no_room, no_place, other } = w().why;
  if (fault.code === 'region') return region(fault.cells[0] ?? '');
  return { no_room, no_place }[fault.code] ?? other;
}

export function rules(kind: Kind, hard: boolean): string {
  if (kind.fills) return hard ? w().fillHard : w().fill;
  return hard ? w().lay84Hard : w().lay84;
}
