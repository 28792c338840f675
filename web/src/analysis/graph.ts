// The value of a game as lines in a picture.

export const WIDTH = 600;
export const HEIGHT = 200;
export const SIGNS = { inaccuracy: '?!', mistake: '?', blunder: '??' } as const; // as in chess books
const EDGE = 8; // so that a line along the border is whole

export const xOf = (ply: number, length: number): number => (length ? (ply / length) * WIDTH : 0);

/** From -1, the bottom, to 1, the top. */
export const yOf = (value: number): number => EDGE + ((1 - value) / 2) * (HEIGHT - 2 * EDGE);

/** A line through the known plies; single unknown ones in between are skipped. */
export function pathOf(values: readonly (number | null)[], length: number): string {
  const points = values.flatMap((value, ply) => (value === null ? [] : [`${round(xOf(ply, length))} ${round(yOf(value))}`]));
  return points.length ? `M${points.join('L')}` : '';
}

/** The same down to the middle, to be filled. */
export function areaOf(values: readonly (number | null)[], length: number): string {
  const known = values.flatMap((value, ply) => (value === null ? [] : [ply]));
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `${pathOf(values, length)}L${round(xOf(last, length))} ${yOf(0)}L${round(xOf(first, length))} ${yOf(0)}Z`;
}

const round = (n: number): number => Math.round(n * 10) / 10;

/** The ply below a pointer, from 0 at the left to 1 at the right. */
export const plyAt = (part: number, length: number): number => Math.round(Math.min(1, Math.max(0, part)) * length);
