import { describe, expect, it } from 'vitest';
import { accessPages } from '../../../src/solvers/access-frequencies/index.ts';
import { cycleCost } from '../../../src/solvers/access-sequence/index.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { standardExponential } from '../../../src/solvers/numerics/random/random-variates.ts';
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

  it('is what a simulation of changes and accesses measures', () => {
    const distribution: Distribution = { type: 'gamma', shape: 0.5, rate: 0.8 };
    const pages = accessPages(distribution, Float64Array.from(rates), Float64Array.from(weights));
    const measured = simulatedStaleness(distribution, rates, sequence, 20_000);
    const { staleness } = cycleCost(pages, sequence);
    // 20 000 cycles of some 7 time units: standard error about 0.002
    for (let i = 0; i < rates.length; i++)
      expect(Math.abs(measured[i] - staleness[i]), `page ${i}`).toBeLessThan(0.008);
  });

  it('keeps its digits at rates of 1e−14: half the load times the mean square distance over the mean distance', () => {
    const tiny = rates.map((rate) => rate * 1e-14);
    const pages = accessPages(laws[0], Float64Array.from(tiny), Float64Array.from(weights));
    const { staleness } = cycleCost(pages, sequence);
    // page 0 is accessed at 0, 2 and 6 of 11: distances 2, 4, 5
    expect(Math.abs(staleness[0] / ((tiny[0] * 0.7 * (4 + 16 + 25)) / 22) - 1)).toBeLessThan(1e-12);
  });
});

/** Share of time each page is stale, by playing changes and accesses out. */
function simulatedStaleness(
  distribution: Distribution,
  changeRates: readonly number[],
  cycle: ArrayLike<number>,
  cycles: number,
): number[] {
  const random = seededRandom(12);
  const law = createLaw(distribution);
  const stale = changeRates.map(() => 0);
  const firstChange = changeRates.map((rate) => standardExponential(random) / rate);
  let now = 0;
  for (let n = 0; n < cycles; n++) {
    for (let t = 0; t < cycle.length; t++) {
      now += law.sample(random);
      const page = cycle[t];
      stale[page] += Math.max(0, now - firstChange[page]);
      firstChange[page] = now + standardExponential(random) / changeRates[page];
    }
  }
  return stale.map((time, i) => (time + Math.max(0, now - firstChange[i])) / now);
}
