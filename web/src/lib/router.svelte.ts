// The pages and their addresses: /, /t/<id>, /analysis, /puzzles, /puzzles/play, /learn/…, /rules/<game>,
// /tournaments, /tournaments/new, /tournaments/<id>.

const SKIP = '#content'; // where the skip link leads: a place on the page, no other page

export const here = $state({
  path: location.pathname,
  search: location.search,
  hash: location.hash.replace(SKIP, ''),
  visits: 0, // going to the same place again counts
});

function look(): void {
  here.path = location.pathname;
  here.search = location.search;
  if (location.hash !== SKIP) here.hash = location.hash;
}

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  look();
  here.visits += 1;
  if (how === 'replace') return;
  scrollTo(0, 0);
  document.getElementById('content')?.focus({ preventScroll: true }); // readers begin at the new page's content
}

export function followAddress(): void {
  $effect(() => {
    addEventListener('popstate', look);
    return () => removeEventListener('popstate', look);
  });
}

/** For links: stay on the page unless the visitor asked for a new tab. */
export function visit(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  const { pathname, search, hash } = event.currentTarget as HTMLAnchorElement;
  go(pathname + search + hash);
}

export function tableId(path: string): string | null {
  return /^\/t\/([\w-]+)\/?$/.exec(path)?.[1] ?? null;
}
