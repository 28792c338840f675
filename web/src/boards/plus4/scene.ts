// The pawns on show, each with an id, so that a push can be animated. This file draws nothing.

import { type Colour, COLUMNS, colourOf, isBonus, type Push } from './view';

export interface Pawn {
  id: number;
  colour: Colour;
  bonus: boolean;
  column: number;
  floor: number; // 0: top
  fresh: boolean; // just pushed in
}

export interface Scene {
  pawns: Pawn[];
  fallen: Pawn[]; // on their way back to a hand
  next: number; // the next pawn's id
}

export const empty: Scene = { pawns: [], fallen: [], next: 0 };

/** The scene with these pawns, none of them moving. */
export function place(scene: Scene, grid: string[]): Scene {
  let next = scene.next;
  const pawns: Pawn[] = [];
  for (const [floor, row] of grid.entries()) {
    for (const [column, letter] of [...row].entries()) {
      if (letter === '.') continue;
      pawns.push({ id: next++, colour: colourOf(letter), bonus: isBonus(letter), column, floor, fresh: false });
    }
  }
  return { pawns, fallen: [], next };
}

const columnOf = (name: string): number => COLUMNS.indexOf(name as (typeof COLUMNS)[number]);

/** The pawn pushed last into a column: its topmost one. */
export function topPawn(scene: Scene, name: string): number | null {
  return scene.pawns.find((pawn) => pawn.floor === 0 && pawn.column === columnOf(name))?.id ?? null;
}

/** A pawn goes in at the top, its column sinks, the fifth pawn falls out. */
export function push(scene: Scene, turn: Pick<Push, 'column' | 'seat' | 'bonus'>): Scene {
  const column = columnOf(turn.column);
  const sunk = scene.pawns.map((pawn) => ({
    ...pawn,
    fresh: false,
    floor: pawn.column === column ? pawn.floor + 1 : pawn.floor,
  }));
  const pawn: Pawn = { id: scene.next, colour: turn.seat, bonus: turn.bonus, column, floor: 0, fresh: true };
  return {
    pawns: [...sunk.filter((pawn) => pawn.floor < 4), pawn],
    fallen: sunk.filter((pawn) => pawn.floor === 4),
    next: scene.next + 1,
  };
}

/** The end of a round: the knobs turn and everything falls out. */
export function sweep(scene: Scene): Scene {
  return { ...scene, pawns: [], fallen: scene.pawns };
}

/** The letters of the pawns on show, to compare with what the server says. */
export function gridOf(scene: Scene): string[] {
  const rows = Array.from({ length: 4 }, () => ['.', '.', '.', '.']);
  for (const { colour, bonus, column, floor } of scene.pawns) {
    const letter = colour === 0 ? 'b' : 'r';
    const row = rows[floor];
    if (row) row[column] = bonus ? letter.toUpperCase() : letter;
  }
  return rows.map((row) => row.join(''));
}

/** From the scene on show to the position after a turn: animated, from any scene before. */
export function turnTo(scene: Scene, before: string[], turn: Push): Scene {
  const start = gridOf(scene).join() === before.join() ? scene : place(scene, before);
  const after = push(start, turn);
  return gridOf(after).join() === turn.grid.join() ? after : place(scene, turn.grid);
}
