import { describe, expect, it } from 'vitest';
import { accessPages } from '../../../src/solvers/access-frequencies/index.ts';
import { cycleCost } from '../../../src/solvers/access-sequence/index.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import { naiveCost } from './naive-cost.ts';

const laws: Distribution[] = [
  { type: 'deterministic', value: 0.7 },
  { type: 'exponential', rate: 2 },
  { type: 'hyperexponential', probabilities: [0.8, 0.2], rates: [4, 0.5] },
  { type: 'lognormal', mu: -1, sigma: 0.7 },
  { type: 'pareto', shape: 2.5, scale: 0.2 },
  { type: 'empirical', values: [0.1, 0.2, 1.5] },
];
const rates = [0.3, 1, 2.5, 0.05];
const weights = [1, 0.5, 2, 1];
const sequence = Uint32Array.of(0, 1, 0, 2, 2, 1, 0, 2, 1, 1, 2);

describe('the cost of a cycle', () => {
  it.each(laws.map((law) => [law.type, law] as const))(
    "is the papers' formula for %s access times",
    (_, distribution) => {
      const pages = accessPages(distribution, Float64Array.from(rates), Float64Array.from(weights));
      const law = createLaw(distribution);
      const naive = rates.map((rate, i) => ({ rate, weight: weights[i], transform: law.laplace(rate) }));
      const { cost, staleness, counts } = cycleCost(pages, sequence);
      expect(cost).toBeCloseTo(naiveCost(naive, sequence, law.mean), 12);
      expect(Array.from(counts)).toEqual([3, 4, 4, 0]);
      expect(staleness[3]).toBe(1);
    },
  );

  it('keeps its digits at rates of 1e−14: half the load times the mean square distance over the mean distance', () => {
    const tiny = rates.map((rate) => rate * 1e-14);
    const pages = accessPages(laws[0], Float64Array.from(tiny), Float64Array.from(weights));
    const { staleness } = cycleCost(pages, sequence);
    // page 0 is accessed at 0, 2 and 6 of 11: distances 2, 4, 5
    expect(Math.abs(staleness[0] / ((tiny[0] * 0.7 * (4 + 16 + 25)) / 22) - 1)).toBeLessThan(1e-12);
  });
});
