import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { fitGammaPrior } from '../../../src/solvers/estimation/changes/gamma-prior.ts';
import { changedAtKnownAge, solveChangeRates } from '../../../src/solvers/estimation/index.ts';
import type { ChangeRatesProblem } from '../../../src/solvers/estimation/problem.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential, standardGamma } from '../../../src/solvers/numerics/random/random-variates.ts';
import { standardNormalQuantile } from '../../../src/solvers/numerics/special/normal-quantile.ts';
import { checkHistory } from '../../check-history.ts';

type Page = readonly (readonly [number, number])[];

const estimate = (pages: readonly Page[], options: Partial<ChangeRatesProblem> = {}) => {
  const { solution, warnings } = solveChangeRates(
    { history: checkHistory(pages), method: 'maximum-likelihood', prior: 'none', confidence: 0.95, ...options },
    unlimitedBudget(),
  );
  return { ...solution.pages, ...solution.pages.interval, prior: solution.prior, warnings };
};

const regular = (checks: number, changes: number, gap = 1): Page =>
  Array.from({ length: checks }, (_, k) => [gap, k < changes ? 1 : 0]);

/** ℓ(λ) written naively, from the model. */
function logLikelihood(page: Page, rate: number): number {
  return page.reduce((sum, [gap, seen]) => sum + (seen === 1 ? Math.log(1 - Math.exp(-rate * gap)) : -rate * gap), 0);
}

/** The best of a fine grid of rates, refined: shares nothing with the solver. */
function bestOnGrid(page: Page): number {
  let low = 1e-4;
  let high = 1e3;
  for (let round = 0; round < 12; round++) {
    const grid = Array.from({ length: 61 }, (_, k) => low * (high / low) ** (k / 60));
    const values = grid.map((rate) => logLikelihood(page, rate));
    const best = values.indexOf(Math.max(...values));
    low = grid[Math.max(0, best - 1)];
    high = grid[Math.min(60, best + 1)];
  }
  return Math.sqrt(low * high);
}

const checks = fc
  .array(fc.tuple(fc.double({ min: 0.1, max: 10, noNaN: true }), fc.integer({ min: 0, max: 1 })), {
    minLength: 2,
    maxLength: 15,
  })
  .filter((page) => page.some(([, seen]) => seen === 1) && page.some(([, seen]) => seen === 0));

/** What one check of a page of this rate shows. */
const simulate = (random: () => number, rate: number, gap: number): [number, number] => [
  gap,
  standardExponential(random) < rate * gap ? 1 : 0,
];

describe('the change rate of a page', () => {
  it('is the closed form at regular checks, plain and bias-reduced', () => {
    const page = regular(10, 3, 2);
    expect(estimate([page]).rate[0]).toBeCloseTo(-Math.log(0.7) / 2, 12);
    expect(estimate([page], { method: 'bias-reduced' }).rate[0]).toBeCloseTo(-Math.log(7.5 / 10.5) / 2, 12);
  });

  it('maximises the likelihood at irregular checks, against a grid search', () => {
    fc.assert(
      fc.property(checks, (page) => {
        const { rate } = estimate([page]);
        const best = bestOnGrid(page);
        expect(logLikelihood(page, rate[0])).toBeGreaterThanOrEqual(logLikelihood(page, best) - 1e-9);
      }),
      { numRuns: 200 },
    );
  });

  it('has an interval whose ends lose exactly half the chi-square quantile', () => {
    fc.assert(
      fc.property(checks, (page) => {
        const { rate, low, high } = estimate([page]);
        const drop = standardNormalQuantile(0.975) ** 2 / 2;
        for (const end of [low[0], high[0]]) {
          const lost = logLikelihood(page, rate[0]) - logLikelihood(page, end);
          expect(lost / drop).toBeCloseTo(1, 6);
        }
        expect(low[0]).toBeLessThan(rate[0]);
        expect(high[0]).toBeGreaterThan(rate[0]);
      }),
      { numRuns: 200 },
    );
  });

  it('is that of half a change where none was seen, with an exact one-sided interval', () => {
    const { rate, low, high } = estimate([regular(10, 0, 2)]);
    expect(rate[0]).toBeCloseTo(-Math.log(9.5 / 10) / 2, 12);
    expect(low[0]).toBe(0);
    expect(Math.exp(-high[0] * 20)).toBeCloseTo(0.05, 10);
    const reduced = estimate([regular(10, 0, 2)], { method: 'bias-reduced' });
    expect(reduced.rate[0]).toBeCloseTo(-Math.log(10 / 10.5) / 2, 12);
  });

  it('is finite where every check saw a change, bounded from below only', () => {
    const { rate, low, high } = estimate([regular(10, 10, 2)]);
    expect(rate[0]).toBeCloseTo(-Math.log(0.5 / 10) / 2, 9);
    expect(high[0]).toBe(Number.POSITIVE_INFINITY);
    expect((1 - Math.exp(-2 * low[0])) ** 10).toBeCloseTo(0.05, 8);
    const reduced = estimate([regular(10, 10, 2)], { method: 'bias-reduced' });
    expect(reduced.rate[0]).toBeCloseTo(Math.log(21) / 2, 9);
  });

  it('is above 0 and finite for every history, its interval around it', () => {
    const any = fc.array(fc.tuple(fc.double({ min: 1e-6, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 2 })), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(any, fc.constantFrom('maximum-likelihood' as const, 'bias-reduced' as const), (page, method) => {
        const { rate, low, high } = estimate([page], { method });
        expect(rate[0]).toBeGreaterThan(0);
        expect(rate[0]).toBeLessThan(Number.POSITIVE_INFINITY);
        expect(low[0]).toBeLessThanOrEqual(high[0]);
        expect(Number.isNaN(high[0])).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  it('scales with the time unit from 1e−14 to 1e+14', () => {
    const page: Page = [
      [1, 1],
      [2, 0],
      [0.5, 1],
      [3, 0],
      [1, 0],
    ];
    const { rate, low, high } = estimate([page]);
    for (const unit of [1e-14, 1e-7, 1e7, 1e14]) {
      const other = estimate([page.map(([gap, seen]) => [gap * unit, seen] as const)]);
      expect((other.rate[0] * unit) / rate[0]).toBeCloseTo(1, 9);
      expect((other.low[0] * unit) / low[0]).toBeCloseTo(1, 6);
      expect((other.high[0] * unit) / high[0]).toBeCloseTo(1, 6);
    }
  });

  it('uses the exact age of a change where it is known', () => {
    const ages: Page = [
      [2, changedAtKnownAge],
      [1, changedAtKnownAge],
      [5, 0],
    ];
    expect(estimate([ages]).rate[0]).toBeCloseTo(2 / 8, 12);
  });

  it('weighs a check twice as much as two of it', () => {
    const page: Page = [
      [1, 1],
      [2, 0],
      [4, 1],
    ];
    const twice = estimate([[...page, ...page]]);
    const weighted = estimate([page], { weights: new Float64Array([2, 2, 2]) });
    expect(weighted.rate[0]).toBeCloseTo(twice.rate[0], 10);
    expect(weighted.low[0]).toBeCloseTo(twice.low[0], 8);
  });

  it('of a page without checks is the pooled one, and of no page at all a bare 1', () => {
    const { rate, high, warnings } = estimate([regular(9, 2), []]);
    expect(rate[1]).toBeCloseTo(2.5 / 9, 12);
    expect(high[1]).toBe(Number.POSITIVE_INFINITY);
    expect(warnings).toMatchObject([{ code: 'no-checks', detail: expect.stringMatching(/^1 page/) }]);
    expect(estimate([[]]).rate[0]).toBe(1);
  });
});

describe('over many simulated pages of a known rate', () => {
  const random = seededRandom(8);
  const gaps = [0.3, 1, 2.5, 0.7, 1.4, 3];
  const pages = Array.from({ length: 4000 }, () =>
    Array.from({ length: 24 }, (_, k) => simulate(random, 0.4, gaps[k % gaps.length])),
  );

  it('the 95% intervals hold the rate in 93 to 97% of the cases', () => {
    const { low, high } = estimate(pages);
    const held = low.filter((value, i) => value <= 0.4 && high[i] >= 0.4).length / pages.length;
    expect(held).toBeGreaterThan(0.93);
    expect(held).toBeLessThan(0.97);
  });

  it('bias reduction takes away nine tenths of the bias of short histories', () => {
    const short = pages.map((page) => page.slice(0, 8));
    const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    const plain = mean(estimate(short).rate) - 0.4;
    const reduced = mean(estimate(short, { method: 'bias-reduced' }).rate) - 0.4;
    expect(plain).toBeGreaterThan(0.02);
    expect(Math.abs(reduced)).toBeLessThan(0.1 * plain + 0.004);
  });
});

describe('the gamma prior of all pages', () => {
  const random = seededRandom(3);
  const shape = 0.8;
  const rate = 2;
  const truth = Float64Array.from({ length: 3000 }, () => standardGamma(random, shape) / rate);
  const pages = Array.from(truth, (lambda) => Array.from({ length: 12 }, () => simulate(random, lambda, 1)));

  it('is found again from checks of pages drawn from it', () => {
    const prior = fitGammaPrior(checkHistory(pages), unlimitedBudget());
    expect(prior).not.toBeNull();
    if (prior === null) return;
    expect(prior.shape).toBeGreaterThan(0.72);
    expect(prior.shape).toBeLessThan(0.88);
    expect(prior.shape / prior.rate / (shape / rate)).toBeGreaterThan(0.92);
    expect(prior.shape / prior.rate / (shape / rate)).toBeLessThan(1.08);
  });

  it('gives the posterior mean (shape + changes)/(rate + time) where checks are frequent', () => {
    const page: Page = Array.from({ length: 2000 }, (_, k) => [1e-4, k % 400 === 0 ? 1 : 0]);
    const { rate: posterior } = estimate([page], { prior: { shape: 2, rate: 3 } });
    expect(posterior[0]).toBeCloseTo((2 + 5) / (3 + 0.2), 2);
  });

  it('is not fitted to pages that never changed', () => {
    expect(fitGammaPrior(checkHistory([regular(5, 0), regular(5, 0)]), unlimitedBudget())).toBeNull();
  });
});
