// Flat or in space: what this visitor chose, kept in the browser.

const KEY = 'quatuor-plateau-x';

function load(): boolean {
  try {
    return localStorage.getItem(KEY) === 'space';
  } catch {
    return false; // a closed store
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
