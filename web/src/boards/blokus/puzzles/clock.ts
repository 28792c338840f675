// How long a player has worked on a puzzle; pauses do not count.

export class Stopwatch {
  private since: number | null = null;

  constructor(
    private spent: number,
    private readonly now: () => number = () => performance.now() / 1000,
  ) {}

  get seconds(): number {
    return Math.floor(this.spent + (this.since === null ? 0 : this.now() - this.since));
  }

  start(): void {
    this.since ??= this.now();
  }

  stop(): void {
    if (this.since !== null) this.spent += this.now() - this.since;
    this.since = null;
  }
}

/** 1:05, or 1:00:05. */
export function asTime(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] ? parts : parts.slice(1);
  return shown.map((part, i) => (i ? String(part).padStart(2, '0') : String(part))).join(':');
}
