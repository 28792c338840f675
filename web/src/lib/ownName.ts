// The name of the person at this device, as the server last gave it.

const KEY = 'quatuor-name';

export function ownName(): string {
  try {
    return localStorage.getItem(KEY) ?? '';
  } catch {
    return ''; // storage is blocked
  }
}

export function keepName(name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Not kept, then.
  }
}
