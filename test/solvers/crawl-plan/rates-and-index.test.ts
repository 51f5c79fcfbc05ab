/** The worth of a fetch, and the steady state under a number of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { steadyState } from '../../../src/solvers/crawl-plan/price.ts';
import { plainPages } from '../../../src/solvers/pages/models/plain-pages.ts';
import { changesAtGain, freshness, freshnessGain } from '../../../src/solvers/pages/objectives/index.ts';
import { knownPages } from './small-plans.ts';

describe('the worth of a fetch of a page of known rate', () => {
  it('inverts to 1e−12 from 1e−14 to the last digit below 1', () => {
    for (const q of [1e-14, 1e-9, 1e-3, 0.2, 0.35, 0.5, 0.6, 0.9, 0.999, 1 - 1e-9]) {
      const s = changesAtGain(q);
      expect(freshnessGain(s) / q).toBeCloseTo(1, 12);
    }
  });

  it('is ∫₀ˢ v e^{−v} dv', () => {
    for (const s of [0.01, 0.34, 0.36, 2, 20]) {
      let sum = 0;
      const steps = 20_000;
      for (let k = 0; k < steps; k++) {
        const v = (s * (k + 0.5)) / steps;
        sum += (v * Math.exp(-v) * s) / steps;
      }
      expect(freshnessGain(s) / sum).toBeCloseTo(1, 6);
    }
  });
});

describe('the steady state', () => {
  const solve = (rates: readonly number[], weights: readonly number[], crawlRate: number, floorInterval = Infinity) => {
    const rate = Float64Array.from(rates);
    const terms = { weight: Float64Array.from(weights), objective: freshness, unseenAge: Number.POSITIVE_INFINITY };
    const model = plainPages(knownPages(rate), terms);
    const n = rates.length;
    return steadyState(
      {
        model,
        least: new Float64Array(n),
        longest: new Float64Array(n).fill(floorInterval),
        crawlRate,
        host: new Int32Array(n).fill(-1),
        hostDelay: new Float64Array(0),
      },
      unlimitedBudget(),
    );
  };
  /** Σ w(1 − (f/λ)(1 − e^{−λ/f})). */
  const staleness = (rates: readonly number[], weights: readonly number[], frequency: readonly number[]): number =>
    rates.reduce((sum, lambda, i) => {
      const f = frequency[i];
      return sum + weights[i] * (f <= 0 ? 1 : 1 - (f / lambda) * -Math.expm1(-lambda / f));
    }, 0);

  it('spends the budget, and no exchange of frequency between two pages is better', () => {
    const page = fc.tuple(fc.double({ min: 0.01, max: 10, noNaN: true }), fc.double({ min: 0.1, max: 5, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(page, { minLength: 2, maxLength: 8 }),
        fc.double({ min: 0.1, max: 20, noNaN: true }),
        (list, budget) => {
          const rates = list.map(([rate]) => rate);
          const weights = list.map(([, weight]) => weight);
          const { fetchInterval } = solve(rates, weights, budget);
          const f = Array.from(fetchInterval, (value) => 1 / value);
          const total = f.reduce((a, b) => a + b, 0);
          // the price is found to 1e−9 in the logarithm of what is spent
          expect(Math.abs(Math.log(total / budget))).toBeLessThanOrEqual(2e-9);
          const best = staleness(rates, weights, f);
          for (let i = 0; i < f.length; i++) {
            for (let j = 0; j < f.length; j++) {
              const moved = [...f];
              const step = 0.01 * f[i];
              moved[i] -= step;
              moved[j] += step;
              expect(staleness(rates, weights, moved)).toBeGreaterThanOrEqual(best - 1e-7);
            }
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives a page too fast for its price nothing, unless the longest interval says so', () => {
    const { fetchInterval } = solve([0.1, 1000], [1, 1], 0.2);
    expect(fetchInterval[1]).toBe(Number.POSITIVE_INFINITY);
    expect(solve([0.1, 1000], [1, 1], 0.2, 50).fetchInterval[1]).toBe(50);
  });
});
