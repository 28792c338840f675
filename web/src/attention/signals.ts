// The signals a page can give while it is in the background: its icon, the installed app's badge, a system notification.

import { fileAddress } from '../lib/place';

const ICON = fileAddress('icon.svg');
const ICON_TURN = fileAddress('icon-turn.svg');

interface Badges {
  setAppBadge?: (count?: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
}

/** Show a number on the tab's icon and on the installed app's icon; 0: none. */
export function badge(count: number): void {
  document.querySelector<HTMLLinkElement>('link[rel=icon]')?.setAttribute('href', count ? ICON_TURN : ICON);
  const app: Badges = navigator;
  (count ? app.setAppBadge?.(count) : app.clearAppBadge?.())?.catch(() => undefined); // refused: the title still says it
}

/** Whether notifications are possible here: a browser without them, or a page without https, has none. */
export const canNotify = (): boolean => 'Notification' in window && isSecureContext;

/** Ask the browser for permission; only after a press on a button. */
export async function askToNotify(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === 'granted';
}

/** A notification of the system; one for each tag, a newer one replaces it. */
export async function notify(title: string, body: string, tag: string): Promise<void> {
  if (!canNotify() || Notification.permission !== 'granted') return;
  const options: NotificationOptions = { body, tag, icon: ICON_TURN };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker) return worker.showNotification(title, { ...options, data: { path: location.pathname } }).catch(() => undefined);
  try {
    const shown = new Notification(title, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones have them only with a service worker.
  }
}
