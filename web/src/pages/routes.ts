// The pages and their addresses. A board folder may add pages of its own: boards/<game>/card.ts.

import { boardPages } from '../boards';
import { tableId } from '../lib/router.svelte';

export interface Page {
  key: string; // another key is another page; the same key keeps the page that is open
  load: () => Promise<{ default: unknown }>;
  props?: Record<string, unknown>;
}

const table = import('./Table.svelte'); // in advance, while the visitor still chooses a game

const PAGES: Record<string, Page['load']> = {
  '/lobby': () => import('../people/Lobby.svelte'),
  '/watch': () => import('../people/Watch.svelte'),
  '/games': () => import('../people/MyGames.svelte'),
  '/account': () => import('../people/Account.svelte'),
  '/mail': () => import('../mail/Page.svelte'),
  '/moderation': () => import('../moderation/Page.svelte'),
  '/analysis': () => import('../analysis/Analysis.svelte'),
  ...boardPages(),
};

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replace(/\/$/, ''));
  } catch {
    return name; // typed by hand
  }
}

/** Null: there is no such page. */
export function pageAt(path: string, rest: string): Page | null {
  const id = tableId(path);
  if (id) return { key: `/t/${id}`, load: () => table, props: { id } };
  if (path.startsWith('/@')) return { key: path, load: () => import('../profile/Page.svelte'), props: { name: decoded(path.slice(2)) } };
  if (/^\/(learn|rules)(\/|$)/.test(path)) return { key: '/learn', load: () => import('../learn/Page.svelte') };
  if (/^\/tournaments(\/|$)/.test(path)) return { key: path, load: () => import('../tournaments/Page.svelte') };
  if (/^\/print(\/|$)/.test(path)) return { key: '/print', load: () => import('../print/Page.svelte') };
  const load = PAGES[path.replace(/\/$/, '')];
  return load ? { key: path + rest, load } : null;
}
