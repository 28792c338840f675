// Sheets to print: all pieces are there, and every drawing fits on A4 and on letter.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type Drawing, ROOM } from '../src/print/drawing';

let sheetsOf: typeof import('../src/print/sheets').sheetsOf;
let usualPaper: typeof import('../src/print/sheets').usualPaper;

beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('navigator', { languages: ['en'] });
  vi.stubGlobal('location', { pathname: '/print', search: '', hash: '' });
  ({ sheetsOf, usualPaper } = await import('../src/print/sheets'));
});

const drawn = async (game: string, name: string): Promise<Drawing[]> => (await (await sheetsOf(game)).find((sheet) => sheet.name === name)?.drawings()) ?? [];
const filled = (drawings: Drawing[]): number => drawings.flatMap(({ marks }) => marks).filter((mark) => mark.kind === 'path' && mark.fill).length;

describe('sheets to print', () => {
  it.each(['blokus', 'plus4', 'plateau_x', 'trois_six'])('fit on both papers: %s', async (game) => {
    for (const sheet of await sheetsOf(game)) {
      if (sheet.kind === 'puzzles') continue; // asks the server
      for (const { width, height } of await sheet.drawings()) expect([width <= ROOM.width, height <= ROOM.height, sheet.name]).toEqual([true, true, sheet.name]);
    }
  });

  it('has all pieces', async () => {
    const squares = (await drawn('blokus', 'pieces')).map(({ marks }) => (marks[0]?.kind === 'path' ? marks[0].d.split('M').length - 1 : 0));
    expect(squares).toEqual([89, 89, 89, 89]);
    expect(filled(await drawn('plateau_x', 'pieces'))).toBe(37 + 8 + 4 + 8);
    expect(filled(await drawn('plus4', 'pieces'))).toBe(34);
    expect(filled(await drawn('trois_six', 'pieces'))).toBe(12);
  });

  it('has room for every puzzle, even with all pieces left to place', async () => {
    const { puzzle } = await import('../src/boards/blokus/print');
    const colours = ['blue', 'yellow', 'red', 'green'];
    const title = { en: 'All', fr: 'Tous', de: 'Alle' };
    for (const [rows, columns, sizes] of [[20, 20, [1, 2, 3, 4, 5]], [15, 16, [5]], [8, 10, [4]]] as const) {
      const kind = { name: 'x', title, colours, sizes: [...sizes], boards: [], fills: true, hard: true, open: {} };
      const position = { puzzle: 'x', hard: false, rows, columns, pieces: [], given: 0 };
      const { width, height } = puzzle({ address: '', kind, difficulty: 'full', daily: null, position, before: null });
      expect([width <= ROOM.width, height <= ROOM.height, rows]).toEqual([true, true, rows]);
    }
  });

  it('chooses the usual paper', () => {
    expect([['en-US'], ['en-GB'], ['fr-CA', 'fr'], []].map(usualPaper)).toEqual(['letter', 'a4', 'letter', 'a4']);
  });
});
