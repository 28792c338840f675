// The pages and their addresses: /, /t/<id>, /lobby, /watch, /analysis, /puzzles, /puzzles/play, /learn/…, /rules/<game>,
// /tournaments, /tournaments/new, /tournaments/<id>, /tournaments/<id>/screen, /@<name>, /print, /print/<game>/<sheet>.

import { SITE } from './place';

const SKIP = '#content'; // where the skip link leads: a place on this page

/** The address within the page. A host of plain files knows only one page: there it follows a # sign. */
function address(): { pathname: string; search: string; hash: string } {
  if (!SITE) return location;
  return new URL(location.hash.startsWith('#/') ? location.hash.slice(1) : '/', 'http://page');
}

export const here = $state({
  path: address().pathname,
  search: address().search,
  hash: address().hash.replace(SKIP, ''),
  visits: 0, // also counts going to the same address again
});

function look(): void {
  if (location.hash === SKIP && SITE) return;
  const { pathname, search, hash } = address();
  here.path = pathname;
  here.search = search;
  if (hash !== SKIP) here.hash = hash;
}

/** A link to an address of the page, as others can open it. */
export const linkTo = (path: string): string => (SITE ? `${location.href.replace(/#.*/, '')}#${path}` : location.origin + path);

/** On a host of plain files: links lead to addresses behind the # sign, also in a new tab. */
function followLinks(event: Event): void {
  const link = (event.target as Element | null)?.closest?.('a');
  const href = link?.getAttribute('href');
  if (link && href?.startsWith('/')) link.setAttribute('href', `#${href}`);
}

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  const shown = SITE ? `#${address}` : address;
  if (how === 'push') history.pushState(null, '', shown);
  else history.replaceState(null, '', shown);
  look();
  here.visits += 1;
  if (how === 'replace') return;
  scrollTo(0, 0);
  document.getElementById('content')?.focus({ preventScroll: true }); // readers begin at the new page's content
}

export function followAddress(): void {
  $effect(() => {
    addEventListener('popstate', look);
    if (SITE) for (const kind of ['pointerover', 'focusin']) addEventListener(kind, followLinks);
    return () => removeEventListener('popstate', look);
  });
}

/** For links: stay on the page unless the visitor asked for a new tab. */
export function visit(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const link = event.currentTarget as HTMLAnchorElement;
  const href = link.getAttribute('href') ?? '/';
  if (href.startsWith('#/')) return go(href.slice(1));
  const { pathname, search, hash } = link;
  go(pathname + search + hash);
}

export function tableId(path: string): string | null {
  return /^\/t\/([\w-]+)\/?$/.exec(path)?.[1] ?? null;
}
