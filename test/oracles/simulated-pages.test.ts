/** The simulator of pages against closed forms, quadrature and a hand count. */
import { describe, expect, it } from 'vitest';
import { createLaw, type Distribution } from '../../src/solvers/laws/index.ts';
import { type Estimate, type SimulatedUpdates, simulatePages } from './simulated-pages.ts';

const alike = (count: number, updates: SimulatedUpdates): SimulatedUpdates[] =>
  Array.from({ length: count }, () => updates);
const rates = (count: number, rate: number) => ({ type: 'rates', rates: new Float64Array(count).fill(rate) }) as const;
const run = { duration: 100, replications: 20, seed: 1 } as const;

function expectWithin({ mean, half }: Estimate, exact: number): void {
  expect(Math.abs(mean - exact) / half).toBeLessThan(2.5);
}

/** Mean stale share between fetches a gap apart, from the survival function alone, by Simpson's rule. */
function staleShare(distribution: Distribution, gap: number): number {
  const law = createLaw(distribution);
  const steps = 2000;
  const h = gap / steps;
  let [tail, stale] = [0, 0];
  for (let k = 0; k < steps; k++) {
    const previousTail = tail;
    tail += (h / 6) * (law.survival(k * h) + 4 * law.survival((k + 0.5) * h) + law.survival((k + 1) * h));
    stale += (h * (previousTail + tail)) / 2 / law.mean;
  }
  return stale / gap;
}

describe('a simulated page', () => {
  it.each([0.1, 1, 5])('is as fresh and as late as the formulas say at λ/r = %f', (y) => {
    const even = simulatePages({ ...run, updates: alike(200, { type: 'poisson', rate: y }), policy: rates(200, 1) });
    expectWithin(even.freshness, -Math.expm1(-y) / y);
    expectWithin(even.delay, 0.5);
  });

  it.each<Distribution>([
    { type: 'weibull', shape: 0.6, scale: 1 },
    { type: 'gamma', shape: 3, rate: 2 },
    { type: 'lognormal', mu: 0, sigma: 1.2 },
    { type: 'lomax', shape: 2.5, scale: 2 },
    { type: 'deterministic', value: 1.3 },
  ])('has the staleness of an equilibrium renewal process: $type', (distribution) => {
    const updates = alike(400, { type: 'renewal', law: createLaw(distribution) });
    const { freshness } = simulatePages({ ...run, updates, policy: rates(400, 0.8), seed: 3 });
    expectWithin(freshness, 1 - staleShare(distribution, 1.25));
  });

  it('has the staleness computed by hand under a schedule', () => {
    // a copy current at 0, another never fetched: stale in [1, 3] and [6, 7], and in [0, 4]
    const { freshness, delay, pages } = simulatePages({
      updates: [
        { type: 'listed', times: [1, 2, 6, 9.5], probabilities: [1, 1, 1, 0] },
        { type: 'listed', times: [], probabilities: [] },
      ],
      policy: { type: 'schedule', times: [3, 4, 7, 8], pages: [0, 1, 0, 0] },
      lastCrawlAge: [0, Number.NaN],
      duration: 10,
      replications: 2,
      seed: 1,
    });
    expect(pages.map((page) => page.freshness.mean)).toEqual([0.7, 0.6]);
    expect(freshness.mean).toBeCloseTo(0.65, 14);
    expect(delay.mean).toBeCloseTo(4 / 3, 14);
  });
});
