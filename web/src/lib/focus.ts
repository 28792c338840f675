// The focus is never lost.

import { tick } from 'svelte';

const frame = (): Promise<number> => new Promise(requestAnimationFrame);

/** A button or field that had the focus may have disappeared: then the focus goes on at ``target``, not at the top of the page. */
export async function catchFocus(target: () => HTMLElement | null | undefined): Promise<void> {
  await tick();
  await frame(); // a hidden element loses the focus only when it is drawn
  await frame();
  if (document.activeElement === null || document.activeElement === document.body) target()?.focus({ preventScroll: true });
}
