// Wheel and two fingers: how many quarter turns a movement is worth.

export interface Point {
  x: number;
  y: number;
}

const QUARTER = Math.PI / 2;
const NOTCH = 60; // pixels of a mouse wheel's notch, and then some

export const angle = (a: Point, b: Point): number => Math.atan2(b.y - a.y, b.x - a.x);

/** Quarter turns clockwise (0 to 3) once the fingers have turned far enough, and the angle to count on from. */
export function twist(from: number, to: number): { quarters: number; from: number } {
  const turned = Math.atan2(Math.sin(to - from), Math.cos(to - from)); // the short way round
  const steps = Math.trunc(turned / (QUARTER * 0.5));
  if (!steps) return { quarters: 0, from };
  return { quarters: steps > 0 ? 1 : 3, from: to };
}

/** A wheel's movements add up to quarter turns; a change of direction starts anew. */
export function roll(before: number, by: number): { quarters: number; rest: number } {
  const sum = Math.sign(before) === -Math.sign(by) ? by : before + by;
  if (Math.abs(sum) < NOTCH) return { quarters: 0, rest: sum };
  return { quarters: sum > 0 ? 1 : 3, rest: 0 };
}
