import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laplaceApproximation } from '../../../src/solvers/numerics/search/laplace-approximation.ts';

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

describe('the normal law at the top of a posterior', () => {
  it('is the law itself where that is normal, narrow ridges among them', () => {
    fc.assert(
      fc.property(
        number(-3, 3),
        number(-3, 3),
        number(0.1, 1),
        number(0.1, 1),
        number(-0.99, 0.99),
        (a, b, s, t, r) => {
          const height = ([x, y]: Float64Array): number => {
            const [u, v] = [(x - a) / s, (y - b) / t];
            return -(u * u - 2 * r * u * v + v * v) / (2 * (1 - r * r));
          };
          const law = laplaceApproximation(height, new Float64Array(2), Float64Array.of(0.2, 0.1));
          for (const [k, [mean, deviation]] of [
            [a, s],
            [b, t],
          ].entries()) {
            expect(law?.mean[k]).toBeCloseTo(mean, 7);
            expect((law?.deviation[k] ?? Number.NaN) / deviation).toBeCloseTo(1, 5);
          }
        },
      ),
    );
  });

  it('has the deviation of the logarithm of a rate after so many events, 1/√n', () => {
    for (const events of [3, 30, 3000]) {
      const time = 7;
      const apart = 0.3 / Math.sqrt(events);
      const height = ([x]: Float64Array): number => events * x - time * Math.exp(x);
      const law = laplaceApproximation(height, Float64Array.of(Math.log(events) - 4), Float64Array.of(apart));
      expect(law?.mean[0]).toBeCloseTo(Math.log(events / time), 2);
      expect((law?.deviation[0] ?? Number.NaN) * Math.sqrt(events)).toBeCloseTo(1, 1);
    }
  });

  it('is found from where the curvature is that of a hollow', () => {
    // the logarithm of Student's law of two degrees of freedom is convex beyond √2
    const height = ([x, y]: Float64Array): number => -1.5 * Math.log1p((x - 6) ** 2 / 2) - 0.5 * (y - x / 6) ** 2;
    const law = laplaceApproximation(height, Float64Array.of(3, 0), Float64Array.of(0.05, 0.05));
    expect(law?.mean[0]).toBeCloseTo(6, 2);
    expect(law?.mean[1]).toBeCloseTo(1, 2);
  });

  it('is none where there is no top, or the height is no number', () => {
    const apart = Float64Array.of(0.1);
    expect(laplaceApproximation(([x]) => x, Float64Array.of(0), apart)).toBeNull();
    expect(laplaceApproximation(([x]) => x * x, Float64Array.of(1), apart)).toBeNull();
    expect(laplaceApproximation(() => Number.NaN, Float64Array.of(1), apart)).toBeNull();
  });
});
