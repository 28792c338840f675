import { describe, expect, it } from 'vitest';
import { arrowOn, placeOn, stepOn } from '../src/boards/facing';
import { Pinch } from '../src/boards/plateau_x/pinch';
import { isSoftware } from '../src/boards/plateau_x/webgl';

/** Where a place of the board is seen once it is turned clockwise. */
function seen({ x, y }: { x: number; y: number }, side: number, turned: number): { x: number; y: number } {
  return turned ? seen({ x: side - y, y: x }, side, turned - 1) : { x, y };
}

describe('a turned board', () => {
  it.each([0, 1, 2, 3])('finds the place under a pointer after %i quarters', (turned) => {
    for (const place of [{ x: 0, y: 0 }, { x: 3, y: 1 }, { x: 20, y: 7 }]) {
      expect(placeOn(seen(place, 20, turned), 20, turned)).toEqual(place);
    }
  });

  it('moves in the direction of the arrow on the screen', () => {
    const steps = { ArrowUp: { x: 0, y: -1 }, ArrowRight: { x: 1, y: 0 }, ArrowDown: { x: 0, y: 1 }, ArrowLeft: { x: -1, y: 0 } };
    for (const turned of [0, 1, 2, 3]) {
      for (const [key, step] of Object.entries(steps)) {
        const on = stepOn(step, turned);
        expect(on.x + 0).toBeCloseTo(steps[arrowOn(key, turned) as keyof typeof steps].x);
        expect(on.y + 0).toBeCloseTo(steps[arrowOn(key, turned) as keyof typeof steps].y);
        expect(seen({ x: 5 + on.x, y: 5 + on.y }, 10, turned)).toEqual({ x: 5 + step.x, y: 5 + step.y });
      }
    }
    expect(arrowOn('Home', 3)).toBe('Home');
  });
});

describe('two fingers on the board in space', () => {
  it('zoom by the change of their distance', () => {
    const pinch = new Pinch();
    pinch.put(1, 0, 0);
    expect([pinch.isOne, pinch.move(1, 5, 0)]).toEqual([true, 1]);
    pinch.put(2, 15, 0);
    expect([pinch.isOne, pinch.move(2, 25, 0), pinch.move(2, 15, 0)]).toEqual([false, 2, 0.5]);
    pinch.lift(1);
    expect([pinch.isOne, pinch.move(2, 100, 0)]).toEqual([true, 1]);
  });
});

it('software rendering is distinguished from a graphics card', () => {
  expect(['ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device))', 'llvmpipe (LLVM 15)', 'Microsoft Basic Render Driver'].every(isSoftware)).toBe(true);
  expect(['Apple M1', 'NVIDIA GeForce RTX 3060', 'Mesa Intel(R) UHD Graphics'].some(isSoftware)).toBe(false);
});
