// How far the server's clock is ahead of ours, by the pongs; and a tick whenever the digits of clocks change.

let offset = $state(0);
let best = Infinity; // the shortest way so far: the surest measure

/** The server's time, as well as we know it. */
export const serverNow = (): number => Date.now() + offset;

/** A pong came: what it says, and when the ping was sent. */
export function heardTime(now: number, sent: number): void {
  const way = Date.now() - sent;
  if (way > best + 50) return;
  best = Math.min(best + 5, way);
  offset = now + way / 2 - Date.now();
}
