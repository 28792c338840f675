// Two fingers on the board: the change of their distance.

export class Pinch {
  private readonly fingers = new Map<number, { x: number; y: number }>();
  private span = 0; // between two of them

  get isOne(): boolean {
    return this.fingers.size < 2;
  }

  put(id: number, x: number, y: number): void {
    this.fingers.set(id, { x, y });
    this.span = this.apart();
  }

  /** The factor since the last movement; 1 with fewer than two. */
  move(id: number, x: number, y: number): number {
    if (this.fingers.has(id)) this.fingers.set(id, { x, y });
    const before = this.span;
    this.span = this.apart();
    return before && this.span ? this.span / before : 1;
  }

  lift(id: number): void {
    this.fingers.delete(id);
    this.span = 0;
  }

  private apart(): number {
    const [one, two] = this.fingers.values();
    return one && two ? Math.hypot(one.x - two.x, one.y - two.y) : 0;
  }
}
