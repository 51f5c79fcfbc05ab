import { describe, expect, it } from 'vitest';
import { placeOf, valueAt } from '../../src/console/pictures/frame/along-curve.ts';

describe('levers on the axes of a curve', () => {
  const crawls = [10, 20, 40, 80];
  const staleness = [0.5, 0.3, 0.2, 0.15];

  it('say on each axis what the other stands at, whether the values rise or fall', () => {
    const at = (value: number): number => valueAt(crawls, placeOf(staleness, value));
    expect(at(0.4)).toBeCloseTo(15, 12);
    expect(at(0.3)).toBeCloseTo(20, 12);
    expect(at(0.175)).toBeCloseTo(60, 12);
    expect(valueAt(staleness, placeOf(crawls, 30))).toBeCloseTo(0.25, 12);
  });

  it('stay on the curve, and come back to where they were', () => {
    expect(valueAt(crawls, placeOf(crawls, 5))).toBe(10);
    expect(valueAt(crawls, placeOf(crawls, 500))).toBe(80);
    for (const value of [10, 17, 20, 55, 80]) expect(valueAt(crawls, placeOf(crawls, value))).toBeCloseTo(value, 12);
  });
});
