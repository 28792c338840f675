import { m } from './i18n';
import { tell } from './notice.svelte';

/** Into the clipboard, with a word about how it went. */
export async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(m().copied);
  } catch {
    tell(m().copyFailed, true); // refused, or a page without https
  }
}
