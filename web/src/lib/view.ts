// What the visitor sees of a page.

/** Whether an element is on the page and at least partly within the window. */
export function isInView(element: Element | null): boolean {
  if (!element) return false;
  const { top, bottom, height } = element.getBoundingClientRect();
  return height > 0 && top < innerHeight && bottom > 0;
}
