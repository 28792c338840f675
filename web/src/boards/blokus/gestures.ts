// Fingers and the wheel: what their movements mean. One finger taps or draws, two fingers turn. Distances in pixels.

export interface Point {
  x: number;
  y: number;
}

const EIGHTH = Math.PI / 4;
const NOTCH = 60; // pixels of a mouse wheel's notch, rounded up

const STILL = 8; // how far a finger may slip in a tap

const angle = (a: Point, b: Point): number => Math.atan2(b.y - a.y, b.x - a.x);

/** Quarter turns clockwise once the fingers have turned half of one, and the angle to count on from. */
export function twist(from: number, to: number): { quarters: number; from: number } {
  const turned = Math.atan2(Math.sin(to - from), Math.cos(to - from)); // the shorter way round
  if (Math.abs(turned) < EIGHTH) return { quarters: 0, from };
  return { quarters: turned > 0 ? 1 : 3, from: from + Math.sign(turned) * 2 * EIGHTH };
}

/** A wheel's movements add up to quarter turns; a change of direction starts again from 0. */
export function roll(before: number, by: number): { quarters: number; rest: number } {
  const sum = Math.sign(before) === -Math.sign(by) ? by : before + by;
  if (Math.abs(sum) < NOTCH) return { quarters: 0, rest: sum };
  return { quarters: sum > 0 ? 1 : 3, rest: 0 };
}

export type Meant = { kind: 'turn'; quarters: number } | { kind: 'draw'; by: Point } | { kind: 'tap' } | null;

export class Fingers {
  private readonly down = new Map<number, Point>();
  private began: Point | null = null; // where a lone finger came down, while it may still be a tap
  private last: Point | null = null; // where a lone finger was
  private slope = 0; // of two

  put(id: number, at: Point): void {
    this.down.set(id, at);
    this.began = this.last = this.down.size === 1 ? at : null;
    const [one, two] = this.down.values();
    if (one && two) this.slope = angle(one, two);
  }

  move(id: number, to: Point): Meant {
    if (!this.down.has(id)) return null;
    this.down.set(id, to);
    const [one, two] = this.down.values();
    return one && two ? this.turn(angle(one, two)) : this.draw(to);
  }

  lift(id: number): Meant {
    const tapped = this.began !== null;
    this.down.delete(id);
    this.began = this.last = null;
    return tapped ? { kind: 'tap' } : null;
  }

  private turn(slope: number): Meant {
    const { quarters, from } = twist(this.slope, slope);
    this.slope = from;
    return quarters ? { kind: 'turn', quarters } : null;
  }

  private draw(to: Point): Meant {
    if (!this.last || (this.began && Math.hypot(to.x - this.began.x, to.y - this.began.y) < STILL)) return null;
    const by = { x: to.x - this.last.x, y: to.y - this.last.y };
    [this.began, this.last] = [null, to];
    return { kind: 'draw', by };
  }
}
