import { describe, expect, it } from 'vitest';
import { areaOf, HEIGHT, pathOf, plyAt, WIDTH, xOf, yOf } from '../src/analysis/graph';
import { gamesIn } from '../src/analysis/several';
import { pack, unpack } from '../src/analysis/share';
import { Events } from '../src/analysis/stream';
import { addTurn, lineRecord, mainFrom, promote, remove, treeOf, treeRecord, type TreeRow } from '../src/analysis/tree';

describe('server-sent events', () => {
  it('are parsed from pieces of any size', () => {
    const text = 'data: {"number":1}\n\nevent: now\ndata: {}\n\nevent: end\ndata: {}\n\n';
    for (const size of [1, 3, 7, 1000]) {
      const events = new Events();
      const taken = (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).flatMap((piece) => events.take(piece));
      expect(taken).toEqual([
        { event: 'message', data: '{"number":1}' },
        { event: 'now', data: '{}' },
        { event: 'end', data: '{}' },
      ]);
    }
  });
});

describe('a record in a link', () => {
  it('reads back unchanged and has only characters that addresses may contain', async () => {
    const text = '[Game "plus4"]\n[Seat0 "Zoë ♟"]\n\n1. a\n2. b*\n';
    const code = await pack(text);
    expect(code).toMatch(/^[\w-]+$/);
    expect(await unpack(code)).toBe(text);
  });

  it('is null when damaged', async () => {
    const code = await pack('1. a\n'.repeat(50));
    expect(await unpack(code.slice(0, -8))).toBeNull();
    expect(await unpack('%%%')).toBeNull();
  });
});

describe('a text with several games', () => {
  const one = '[Game "plus4"]\n[Seat0 "Ada \\"A\\""]\n[Seat1 "?"]\n\n1. a ; [Game "plus4"]';

  it('is separated where a Game header follows a turn or an empty line', () => {
    const two = `; found in a box\n${one}\n[Game "blokus"]\r\n[Seat0 "Bo"]\r\n[Seat1 "Cem"]\r\n`;
    const [first, second, ...more] = gamesIn(two);
    expect(more).toEqual([]);
    expect(first).toEqual({ text: `; found in a box\n${one}`, names: ['Ada "A"'] });
    expect(second?.names).toEqual(['Bo', 'Cem']);
    expect(second?.text.trimStart().split('\n')[0]).toBe('[Game "blokus"]');
    expect(second?.text.split('\n').indexOf('[Game "blokus"]')).toBe(6); // the line it had
  });

  it('is one game otherwise, unchanged', () => {
    for (const text of [one, '', 'plus4:elementary 4/4/4/4 b 0:0 - -', '(;GM[Blokus])', '[Variant "endless"]\n[Game "plus4"]\n']) {
      expect(gamesIn(text).map((part) => part.text)).toEqual([text]);
    }
  });
});

describe('the graph', () => {
  it('goes from edge to edge, high for the first seat', () => {
    expect([xOf(0, 8), xOf(8, 8), xOf(0, 0)]).toEqual([0, WIDTH, 0]);
    expect(yOf(1)).toBeLessThan(yOf(0));
    expect(yOf(0)).toBe(HEIGHT / 2);
  });

  it('draws the known plies and skips the others', () => {
    expect(pathOf([0, null, 0], 2)).toBe(`M0 ${HEIGHT / 2}L${WIDTH} ${HEIGHT / 2}`);
    expect(pathOf([null], 3)).toBe('');
    expect(areaOf([null], 3)).toBe('');
    expect(areaOf([0, 1], 1)).toMatch(/^M0 100L600 8L600 100L0 100Z$/);
  });

  it('finds the turn below a pointer', () => {
    expect([plyAt(-1, 10), plyAt(0.26, 10), plyAt(2, 10)]).toEqual([0, 3, 10]);
  });
});

describe('the tree of turns', () => {
  const record = '[Game "plus4"]\n[Seat0 "Ada"]\n[Result "*"]\n\n1. a ; the corner\n  (\n  1. b!\n  2. c\n  )\n2. d\n';
  const rows: TreeRow[] = [
    { parent: -1, moves: {}, marks: {}, comment: '' },
    { parent: 0, moves: { 0: 'a' }, marks: {}, comment: 'the corner' },
    { parent: 1, moves: { 1: 'd' }, marks: {}, comment: '' },
    { parent: 0, moves: { 0: 'b' }, marks: { 0: '!' }, comment: '' },
    { parent: 3, moves: { 1: 'c' }, marks: {}, comment: '' },
  ];

  it('is written as the server writes it', () => {
    expect(treeRecord(record, treeOf(rows), true)).toBe(record);
  });

  it('grows, is promoted and pruned, and loses its result with its main line', () => {
    const root = treeOf(rows);
    const [first, side] = root.next;
    if (!first || !side) throw new Error('two continuations');
    expect(addTurn(first, { 1: 'd' })).toBe(first.next[0]);
    const added = addTurn(first, { 1: 'a' });
    expect(lineRecord(record, added)).toBe('[Game "plus4"]\n[Seat0 "Ada"]\n\n1. a\n2. a\n');
    promote(side);
    remove(added);
    expect(treeRecord(record, root, false)).toBe('[Game "plus4"]\n[Seat0 "Ada"]\n\n1. b!\n  (\n  1. a ; the corner\n  2. d\n  )\n2. c\n');
    expect(mainFrom(root).map(({ ply }) => ply)).toEqual([0, 1, 2]);
  });
});
