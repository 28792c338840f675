import { m } from './i18n';
import { showNotice } from './notice.svelte';

/** Copy to the clipboard, and tell the visitor whether that worked. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showNotice(m().copied);
  } catch {
    showNotice(m().copyFailed, true); // refused, or a page without https
  }
}
