// A short message to the visitor: a failure, or that something worked.

import { errorMessage } from './i18n';

export const notice = $state<{ text: string; bad: boolean }>({ text: '', bad: false });

let timer: ReturnType<typeof setTimeout> | undefined;

export function showNotice(text: string, bad = false): void {
  clearTimeout(timer);
  notice.text = text;
  notice.bad = bad;
  timer = setTimeout(() => (notice.text = ''), bad ? 7000 : 3000);
}

export const showError = (error: unknown): void => showNotice(errorMessage(error), true);
