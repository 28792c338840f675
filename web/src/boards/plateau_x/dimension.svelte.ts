// Flat or in space: this visitor's choice, kept in the browser. By default in space, on large screens with a
// graphics card.

import { isDrawnFast } from './webgl';

const KEY = 'quatuor-plateau-x';
const LARGE = '(min-width: 1000px) and (min-height: 640px) and (hover: hover)';

function load(): boolean {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === null ? matchMedia(LARGE).matches && isDrawnFast() : kept === 'space';
  } catch {
    return false; // storage is blocked
  }
}

export const dimension = $state({ space: load() });

export function setSpace(space: boolean): void {
  dimension.space = space;
  try {
    localStorage.setItem(KEY, space ? 'space' : 'flat');
  } catch {
    // Not kept, then.
  }
}
