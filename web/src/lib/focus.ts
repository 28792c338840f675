// The focus is never lost.

import { tick } from 'svelte';

const FRAMES = 30; // half a second: longer than anything here takes to disappear

const frame = (): Promise<number> => new Promise(requestAnimationFrame);

/** If the button or field that has the focus disappears, the focus moves to ``target``, not to the top of the page. */
export async function catchFocus(target: () => HTMLElement | null | undefined): Promise<void> {
  await tick();
  const before = document.activeElement;
  for (let i = 0; i < FRAMES; i++) {
    await frame(); // a hidden element loses the focus only when it is drawn, and a transition may hide it later
    const active = document.activeElement;
    if (active === null || active === document.body) {
      target()?.focus({ preventScroll: true });
      return;
    }
    if (active !== before) return;
  }
}
