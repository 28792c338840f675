// The service worker: registered once, and checked for new versions, which wait until the visitor agrees.

import { fileAddress } from '../lib/place';

const LOOK_EVERY = 60 * 60 * 1000;

export const updates = $state({ waiting: false, install: null as InstallPrompt | null });

interface InstallPrompt extends Event {
  prompt: () => Promise<unknown>;
}

let registration: ServiceWorkerRegistration | null = null;

export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const had = Boolean(navigator.serviceWorker.controller);
  let reloading = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (!had || reloading) return; // the first one takes over without asking
    reloading = true;
    location.reload();
  });
  try {
    registration = await navigator.serviceWorker.register(fileAddress('service-worker.js'));
  } catch {
    return; // refused, as in some private windows: the page works from the network
  }
  if (!registration) return; // blocked
  note(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const fresh = registration?.installing;
    fresh?.addEventListener('statechange', () => fresh.state === 'installed' && navigator.serviceWorker.controller && note(fresh));
  });
  const look = (): void => void registration?.update().catch(() => undefined); // offline: later
  setInterval(look, LOOK_EVERY);
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look());
}

const note = (worker: ServiceWorker | null): void => void (updates.waiting ||= Boolean(worker && navigator.serviceWorker.controller));

/** Change to the new version; every open page reloads. */
export const update = (): void => registration?.waiting?.postMessage('update');

/** Have the service worker keep the files of the kit that were loaded before it was active. */
export const keepKit = (): void => navigator.serviceWorker?.controller?.postMessage('keep kit');

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  updates.install = event as InstallPrompt;
});
addEventListener('appinstalled', () => (updates.install = null));

export async function install(): Promise<void> {
  await updates.install?.prompt();
  updates.install = null;
}
