// A board seen from another side: quarter turns clockwise. The drawing turns as a whole; keys and pointers turn back.

interface Point {
  x: number;
  y: number;
}

const ARROWS = ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft'];

/** The arrow key of the unturned board for an arrow key on the turned one. */
export function arrowOn(key: string, turned: number): string {
  const found = ARROWS.indexOf(key);
  return found < 0 ? key : (ARROWS[(found - turned + 4) % 4] ?? key);
}

/** The same for a movement. */
export function stepOn(step: Point, turned: number): Point {
  let { x, y } = step;
  for (let i = 0; i < turned; i++) [x, y] = [y, -x];
  return { x, y };
}

/** And for a place on a square board with sides of this length. */
export function placeOn(place: Point, side: number, turned: number): Point {
  let { x, y } = place;
  for (let i = 0; i < turned; i++) [x, y] = [y, side - x];
  return { x, y };
}
