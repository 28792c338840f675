// How far the server's clock is ahead of ours, measured by pongs; and a tick whenever the digits of clocks change.

let offset = $state(0);
let best = Infinity; // the shortest round trip so far: the most accurate measurement

/** The server's time, as well as we know it. */
export const serverNow = (): number => Date.now() + offset;

/** A pong arrived: the server's time in it, and when the ping was sent. */
export function heardTime(now: number, sent: number): void {
  const way = Date.now() - sent;
  if (way > best + 50) return;
  best = Math.min(best + 5, way);
  offset = now + way / 2 - Date.now();
}
