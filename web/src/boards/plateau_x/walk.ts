// A pawn's way as an animation: from place to place, with a small hop at every step.

const STEP = 260; // milliseconds
const LONGEST = 2600;

/** Attach to the element that stands at the last of these places. */
export function walk(places: string[]): (node: Element) => (() => void) | undefined {
  return (node) => {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return undefined;
    const frames = places.map((transform) => ({ transform, easing: 'ease-in-out' }));
    const duration = Math.min(LONGEST, STEP * (places.length - 1));
    const movement = node.animate(frames, { duration });
    return () => movement.cancel();
  };
}
