// Drawings to scale, for paper: everything in millimetres.

export const ROOM = { width: 190, height: 236 }; // the area that A4 and letter both have inside their margins, below the heading of a sheet
export const BAR = 50; // the scale bar

export type Mark = { at?: readonly [x: number, y: number, scale: number] } & ( // moved there, and scaled
  | { kind: 'path'; d: string; fill?: string; line?: string; width?: number }
  | { kind: 'text'; x: number; y: number; text: string; size: number; fill?: string }
);

export interface Drawing {
  width: number;
  height: number;
  marks: Mark[];
  title?: string; // a heading, if the drawings of one sheet differ
}

export interface Sheet {
  name: string; // in its address
  kind: 'board' | 'pieces' | 'puzzles';
  detail: string; // what distinguishes it from the other sheets of its kind: 7 × 7
  size: number; // of a cell, or of a round piece
  round?: boolean; // the size is a diameter
  drawings: () => Drawing[] | Promise<Drawing[]>; // one per page
}

const INK = '#222';

export const path = (d: string, how: { fill?: string; line?: string; width?: number } = {}): Mark => ({ kind: 'path', d, line: INK, width: 0.3, ...how });

export const label = (x: number, y: number, text: string, size: number, fill = INK): Mark => ({ kind: 'text', x, y, text, size, fill });

export const box = (x: number, y: number, width: number, height = width): string => `M${x} ${y}h${width}v${height}h${-width}z`;

export const disc = (x: number, y: number, r: number): string => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** Marks moved to another place, and scaled. */
export const placed = (marks: readonly Mark[], x: number, y: number, scale = 1): Mark[] => marks.map((mark) => ({ ...mark, at: [x, y, scale] }));

/** The lines of a board: thin between the cells, thick around them. */
export function grid(x: number, y: number, columns: number, rows: number, cell: number): Mark[] {
  const across = Array.from({ length: rows - 1 }, (_, i) => `M${x} ${y + (i + 1) * cell}h${columns * cell}`);
  const down = Array.from({ length: columns - 1 }, (_, i) => `M${x + (i + 1) * cell} ${y}v${rows * cell}`);
  return [path([...across, ...down].join('')), path(box(x, y, columns * cell, rows * cell), { width: 0.8 })];
}

const EDGE = 5; // for the names of rows and columns

/** An empty board with the names of its rows and columns. `more` is drawn below the lines. */
export function board(columns: number, rows: number, cell: number, letters: string, more: Mark[] = []): Drawing {
  const names = [
    ...Array.from({ length: columns }, (_, i) => label(EDGE + (i + 0.5) * cell, rows * cell + EDGE, letters[i] ?? '', 3.4)),
    ...Array.from({ length: rows }, (_, i) => label(EDGE / 2, (i + 0.5) * cell + 1.2, String(rows - i), 3.4)),
  ];
  return { width: columns * cell + EDGE + 1, height: rows * cell + EDGE + 2, marks: [...more, ...grid(EDGE, 0.5, columns, rows, cell), ...names] };
}

/** The middle of a cell of such a board, by column and row from the top. */
export const middleOf = (column: number, row: number, cell: number): [number, number] => [EDGE + (column + 0.5) * cell, 0.5 + (row + 0.5) * cell];

/** Round pieces in lines, each drawn by `draw` at its middle. */
export function discs(count: number, diameter: number, draw: (i: number, x: number, y: number) => Mark[]): Drawing {
  const step = diameter + 2;
  const inLine = Math.floor(ROOM.width / step);
  const marks = Array.from({ length: count }, (_, i) => draw(i, ((i % inLine) + 0.5) * step, (Math.floor(i / inLine) + 0.5) * step)).flat();
  return { width: inLine * step, height: Math.ceil(count / inLine) * step, marks };
}
