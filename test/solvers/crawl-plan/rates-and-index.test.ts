/** The worth of a fetch, and the steady state under a number of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { steadyState } from '../../../src/solvers/crawl-plan/market/steady-state.ts';
import { plainPages } from '../../../src/solvers/crawl-plan/rates/plain-pages.ts';
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
  it('is the same from prices found before, with less than half of the looks at the pages', () => {
    const rate = Float64Array.from({ length: 2000 }, (_, i) => 0.01 * 1.004 ** i);
    const terms = { weight: rate.map((each) => 1 / each), objective: freshness, unseenAge: Number.POSITIVE_INFINITY };
    const plain = plainPages(knownPages(rate), terms);
    let looks = 0;
    const model = {
      ...plain,
      intervalAt: (i: number, price: number) => {
        looks++;
        return plain.intervalAt(i, price);
      },
    };
    const problem = {
      model,
      least: rate.map(() => 0),
      longest: rate.map(() => Number.POSITIVE_INFINITY),
      crawlRate: 500,
      host: Int32Array.from(rate, (_, i) => i % 2),
      hostDelay: Float64Array.of(0.01, 0),
    };
    const first = steadyState(problem, unlimitedBudget());
    const asked = looks;
    looks = 0;
    const host = Float64Array.of(first.price + (first.hostPrice.get(0) ?? 0), 0);
    const crawlRate = 500 * (1 + 1e-6);
    const near = steadyState({ ...problem, crawlRate, near: { price: first.price, host } }, unlimitedBudget());
    expect(looks).toBeLessThan(asked / 2);
    const again = steadyState({ ...problem, crawlRate }, unlimitedBudget());
    expect(Math.abs(near.price / again.price - 1)).toBeLessThan(1e-8);
    expect(Math.abs((near.hostPrice.get(0) ?? 0) / (again.hostPrice.get(0) ?? 0) - 1)).toBeLessThan(1e-7);
  });

  /** Σ w(1 − (f/λ)(1 − e^{−λ/f})). */
  const staleness = (rates: readonly number[], weights: readonly number[], frequency: readonly number[]): number =>
    rates.reduce((sum, lambda, i) => {
      const f = frequency[i];
      return sum + weights[i] * (f <= 0 ? 1 : 1 - (f / lambda) * -Math.expm1(-lambda / f));
    }, 0);

  it('has the price of all pages where it began on a sample that is not like them', () => {
    const pages = 40_000;
    // every third, and so the sample, changes fast; a full host takes half of the others
    const rate = Float64Array.from({ length: pages }, (_, i) => (i % 3 === 0 ? 5 : 0.1) * (1 + i / pages));
    const terms = { weight: rate.map(() => 1), objective: freshness, unseenAge: Number.POSITIVE_INFINITY };
    const problem = {
      model: plainPages(knownPages(rate), terms),
      least: rate.map(() => 0),
      longest: rate.map(() => Number.POSITIVE_INFINITY),
      crawlRate: 20_000,
      host: Int32Array.from(rate, (_, i) => (i % 3 === 1 ? 0 : -1)),
      hostDelay: Float64Array.of(1 / 900),
    };
    const sampled = steadyState(problem, unlimitedBudget());
    const near = { price: 10 * sampled.price, host: Float64Array.of(0) };
    const plain = steadyState({ ...problem, near }, unlimitedBudget());
    expect(sampled.price / plain.price - 1).toBeLessThan(1e-8);
    expect(1 - sampled.price / plain.price).toBeLessThan(1e-8);
    const taken = sampled.fetchInterval.reduce((sum, each) => sum + 1 / each, 0);
    expect(Math.abs(taken / problem.crawlRate - 1)).toBeLessThan(1e-8);
  });

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
