// Keys that step through a game, unless they mean something else where the focus is.

/** Where a key leads from a ply; null: the key means something else. */
export function stepOf(event: KeyboardEvent, ply: number, last: number): number | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.target instanceof HTMLElement && event.target.closest('input, select, textarea')) return null;
  return { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key] ?? null;
}
