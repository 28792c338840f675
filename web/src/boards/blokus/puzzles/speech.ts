// Pieces, places and reasons in words.

import { colourName, inText } from '../speech';
import { type Cell, cellName } from '../view';
import type { Fault } from './api';
import { type Code } from './rules';
import type { Item } from '../pieceInput.svelte';
import { colourOf, indexAt, itemOn, type Kind, type Laid, type Position } from './position';
import { t } from './messages';
import { t as blokus } from '../messages';
import { prefs } from '../../../lib/prefs.svelte';

/** "Blue L4", but in French "L4 bleu". */
export const itemName = ({ colour, name }: Item): string =>
  t().item(prefs.lang === 'fr' ? inText(colour) : colourName(colour), name);

export const cellsInWords = (laid: Laid): string => laid.cells.join(' ');

export const violationInWords = (code: Code): string => t().faults[code];

/** What lies on a cell. */
export function cellInWords(position: Position, cell: Cell): string {
  const name = cellName(cell, position.rows);
  const index = indexAt(position, name);
  const laid = position.pieces[index];
  if (!laid || colourOf(laid) < 0) return `${name}, ${blokus().empty}`;
  const given = index < (position.given ?? 0) ? [t().given] : [];
  return [name, itemName(itemOn(laid, position.rows)), ...given].join(', ');
}

/** Why it cannot be solved, if the server knows without a search. */
export function whyNot(faults: Fault[]): string {
  const fault = faults[0];
  if (!fault) return '';
  const { region, no_room, no_place, other } = t().why;
  if (fault.code === 'region') return region(fault.cells[0] ?? '');
  return { no_room, no_place }[fault.code] ?? other;
}

export function rules(kind: Kind, hard: boolean): string {
  if (kind.fills) return hard ? t().fillHard : t().fill;
  return hard ? t().lay84Hard : t().lay84;
}
