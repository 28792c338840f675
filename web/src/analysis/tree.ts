// The turns of a game and of its variations, and the record that keeps them: docs/records.md.

import type { TreeTurn as TreeRow } from '../lib/types';

export type { TreeRow };

export interface TurnNode extends Omit<TreeRow, 'parent'> {
  parent: TurnNode | null;
  ply: number; // turns from the start
  next: TurnNode[]; // the main continuation first
}

/** The start of a tree. */
export function treeOf(rows: TreeRow[]): TurnNode {
  const nodes: TurnNode[] = [];
  for (const { parent, moves, marks, comment } of rows) {
    const before = nodes[parent] ?? null;
    const node: TurnNode = { parent: before, moves, marks: { ...marks }, comment, ply: before ? before.ply + 1 : 0, next: [] };
    before?.next.push(node);
    nodes.push(node);
  }
  return nodes[0] ?? { parent: null, moves: {}, marks: {}, comment: '', ply: 0, next: [] };
}

/** The turns from the start to a node, without the start. */
export function lineTo(node: TurnNode): TurnNode[] {
  const line: TurnNode[] = [];
  for (let at = node; at.parent; at = at.parent) line.unshift(at);
  return line;
}

/** The main continuation, the node itself first. */
export function mainFrom(node: TurnNode): TurnNode[] {
  const line = [node];
  for (let at = node.next[0]; at; at = at.next[0]) line.push(at);
  return line;
}

/** The continuation with these moves, new if there is none. */
export function addTurn(node: TurnNode, moves: Record<string, string>): TurnNode {
  const same = node.next.find((other) => movesOf(other.moves) === movesOf(moves));
  if (same) return same;
  const added: TurnNode = { parent: node, moves, marks: {}, comment: '', ply: node.ply + 1, next: [] };
  node.next.push(added);
  return added;
}

export function promote(node: TurnNode): void {
  if (node.parent) node.parent.next = [node, ...node.parent.next.filter((other) => other !== node)];
}

export function remove(node: TurnNode): void {
  if (node.parent) node.parent.next = node.parent.next.filter((other) => other !== node);
}

const seatsOf = (moves: Record<string, string>): string[] => Object.keys(moves).sort((a, b) => Number(a) - Number(b));

/** A turn as records write it. */
export const movesOf = (moves: Record<string, string>, marks: Record<string, string> = {}): string =>
  seatsOf(moves).map((seat) => `${moves[seat]}${marks[seat] ?? ''}`).join(' / ');

/** The headers of a record; without those about the result if the moves change. */
export function headersOf(record: string, ended: boolean): string {
  const lines = record.split('\n').filter((line) => line.startsWith('['));
  return lines.filter((line) => ended || !/^\[(Result|Termination|Out) /.test(line)).join('\n');
}

/** The record of one line, without comments. */
export const lineRecord = (record: string, node: TurnNode): string =>
  `${headersOf(record, false)}\n\n${lineTo(node).map(({ ply, moves }) => `${ply}. ${movesOf(moves)}\n`).join('')}`;

/** The record of the whole tree. */
export function treeRecord(record: string, root: TurnNode, ended: boolean): string {
  const comment = root.comment ? root.comment.split('\n').map((line) => `; ${line}`.trimEnd()) : [];
  return `${headersOf(record, ended)}\n\n${[...comment, ...written(root, '')].join('\n')}\n`;
}

/** The turns after a node: the main one, the variations beside it in parentheses, and so on. */
function written(node: TurnNode, indent: string): string[] {
  const lines: string[] = [];
  for (let at: TurnNode | undefined = node; at?.next[0]; at = at.next[0]) {
    const [main, ...others] = at.next;
    if (!main) break;
    lines.push(...turnLines(main, indent));
    for (const other of others) {
      const inner = `${indent}  `;
      lines.push(`${inner}(`, ...turnLines(other, inner), ...written(other, inner), `${inner})`);
    }
  }
  return lines;
}

function turnLines({ ply, moves, marks, comment }: TurnNode, indent: string): string[] {
  const [first = '', ...more] = comment.split('\n');
  const turn = `${indent}${ply}. ${movesOf(moves, marks)}${first ? ` ; ${first}` : ''}`;
  return [turn, ...more.map((line) => `${indent}; ${line}`.trimEnd())];
}
