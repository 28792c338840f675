// A game with its own board adds a folder: no other file may name a game.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../src');
const GAMES = readdirSync(join(SRC, 'boards'), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() && entry.name !== 'generic' ? [entry.name] : []));
const EXAMPLE = 'analysis/Paste.svelte'; // an example record

describe('boards', () => {
  it('have a folder each with everything that the page needs', () => {
    expect(GAMES.length).toBeGreaterThanOrEqual(4);
    for (const game of GAMES) expect(readdirSync(join(SRC, 'boards', game))).toEqual(expect.arrayContaining(['index.ts', 'card.ts']));
  });

  it('are named in no other file', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(ts|svelte)$/.test(name) && name !== EXAMPLE);
    const named = files.filter((name) => GAMES.some((game) => !name.startsWith(`boards/${game}/`) && new RegExp(`\\b${game}\\b`).test(readFileSync(join(SRC, name), 'utf8'))));
    expect(named).toEqual([]);
  });
});
