import { expect, it } from 'vitest';
import { commonStrength } from '../../../src/solvers/estimation/siblings/common-strength.ts';

/** The largest and the smallest s where f is within the drop of its value at the top, by halving. */
function crossing(f: (s: number) => number, top: number, outside: number): number {
  let inside = top;
  let beyond = outside;
  for (let k = 0; k < 60; k++) {
    const middle = (inside + beyond) / 2;
    if (f(middle) >= f(top) - 1.920729410347062) inside = middle;
    else beyond = middle;
  }
  return inside;
}

it('the likeliest strength and its interval are those of the likelihood between the points of the grid', () => {
  const step = 0.05;
  for (const trials of [20, 500, 5000, 40_000]) {
    for (const share of [0.13, 0.28, 0.5, 0.77]) {
      // a share seen of so many trials, each a success with chance (s + .2)/1.4
      const chance = (s: number): number => (s + 0.2) / 1.4;
      const f = (s: number): number =>
        trials * (chance(share) * Math.log(chance(s)) + (1 - chance(share)) * Math.log1p(-chance(s)));
      const grid = Float64Array.from({ length: 20 }, (_, k) => f(k * step));
      const { strength, interval } = commonStrength(grid, step);
      const text = `${trials} trials of ${share}`;
      // the answer is one of 2001 strengths
      const near = 0.95 / 2000 + 1e-4;
      expect(Math.abs(strength - share), text).toBeLessThan(near);
      expect(Math.abs(interval[0] - Math.max(0, crossing(f, share, -0.19))), text).toBeLessThan(near);
      expect(Math.abs(interval[1] - Math.min(0.95, crossing(f, share, 1.19))), text).toBeLessThan(near);
    }
  }
});
