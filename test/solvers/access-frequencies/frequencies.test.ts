import { describe, expect, it } from 'vitest';
import {
  type AccessPages,
  accessPages,
  optimalFrequencies,
  pageStaleness,
  totalCost,
} from '../../../src/solvers/access-frequencies/index.ts';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { ConditionNotMet } from '../../../src/solvers/condition.ts';
import type { Distribution } from '../../../src/solvers/laws/index.ts';
import { seededRandom } from '../../../src/solvers/numerics/random/random.ts';
import { certifyFrequencies, plainCost, plainEven, plainRandomized } from './certify.ts';

const policies = [
  ['deterministic', plainEven],
  ['randomized', plainRandomized],
] as const;
const constant: Distribution = { type: 'deterministic', value: 1 };
const pagesOf = (rates: number[], weights: number[], law: Distribution = constant): AccessPages =>
  accessPages(law, Float64Array.from(rates), Float64Array.from(weights));

function randomPages(seed: number, count: number, spread: number, law: Distribution = constant): AccessPages {
  const random = seededRandom(seed);
  const rate = () => Math.exp(spread * (2 * random() - 1));
  const rates = Array.from({ length: count }, rate);
  return pagesOf(
    rates,
    rates.map((value) => value * rate()),
    law,
  );
}

const laws: Distribution[] = [
  constant,
  { type: 'exponential', rate: 1 },
  { type: 'erlang', shape: 3, rate: 2 },
  { type: 'gamma', shape: 0.4, rate: 1 },
  { type: 'hyperexponential', probabilities: [0.9, 0.1], rates: [5, 0.2] },
  { type: 'uniform', min: 0.5, max: 2 },
  { type: 'lognormal', mu: -0.5, sigma: 1 },
  { type: 'weibull', shape: 0.7, scale: 1 },
  { type: 'pareto', shape: 1.7, scale: 0.5 },
  { type: 'lomax', shape: 2.5, scale: 1 },
  {
    type: 'phase-type',
    initial: [1, 0],
    generator: [
      [-2, 1],
      [0.5, -1],
    ],
  },
  { type: 'empirical', values: [0.2, 0.7, 4] },
];

describe.each(policies)('%s frequencies', (policy, plain) => {
  const solve = (pages: AccessPages, least: number) => optimalFrequencies(pages, policy, least, unlimitedBudget());
  const stale = (pages: AccessPages, frequency: Float64Array) => pageStaleness(pages, policy, frequency);

  it.each(laws.map((law) => [law.type, law] as const))('are optimal by duality for %s access times', (_type, law) => {
    for (let seed = 1; seed <= 4; seed++) {
      const pages = randomPages(seed, 12, 2, law);
      for (const least of [0, 0.01, 0.05]) {
        const { frequency, multiplier } = solve(pages, least);
        certifyFrequencies(pages, frequency, multiplier, least, plain);
        expect(totalCost(pages, stale(pages, frequency))).toBeCloseTo(plainCost(pages, frequency, plain), 9);
      }
    }
  });

  it('are optimal by duality over loads from 1e−3 to 1e+3 and up to 300 pages', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(1000 + seed);
      const count = 1 + Math.floor(300 * random() ** 3);
      const value = 10 ** (6 * random() - 3) / count;
      const pages = randomPages(seed, count, 3 * random(), { type: 'deterministic', value });
      const least = random() < 0.3 ? random() / count : 0;
      const { frequency, multiplier } = solve(pages, least);
      certifyFrequencies(pages, frequency, multiplier, least, plain);
    }
  });

  it('are equal for equal pages, whatever the load', () => {
    for (const rate of [1e-14, 1e-7, 1, 50, 1e4, 1e9]) {
      const { frequency } = solve(pagesOf([rate, rate, rate, rate], [3, 3, 3, 3]), 0);
      for (const f of frequency) expect(f).toBeCloseTo(0.25, 14);
    }
  });

  it('share the remainder among pages at the threshold', () => {
    // page 0 is worth twice as much a unit but saturates; the others, of huge load, are worth exactly λ
    const pages = pagesOf([1e-3, 800, 800, 800], [2e-3, 800, 800, 800]);
    const { frequency, multiplier } = solve(pages, 0);
    expect(multiplier).toBeCloseTo(1, 12);
    expect(frequency[0]).toBeGreaterThan(0);
    expect(frequency[0]).toBeLessThan(1e-3);
    for (const i of [1, 2, 3]) expect(frequency[i]).toBeCloseTo((1 - frequency[0]) / 3, 13);
  });

  it('treat pages whose worth differs by rounding alike', () => {
    // c = 3μ up to rounding: f depends on the loads only
    const rates = [0.1, 0.2, 0.3, 0.7, 1.1].map((rate) => rate * 1000);
    const { frequency } = solve(
      pagesOf(
        rates,
        rates.map((rate) => 0.1 * rate * 3),
      ),
      0,
    );
    const loads = solve(pagesOf(rates, rates), 0).frequency;
    for (let i = 0; i < rates.length; i++) expect(frequency[i]).toBeCloseTo(loads[i], 12);
  });

  it('are defined when every weight is 0', () => {
    const { frequency, multiplier } = solve(pagesOf([1, 2, 3], [0, 0, 0]), 0);
    expect(frequency.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 14);
    expect(multiplier).toBe(0);
  });

  it('cost the square root law at tiny loads: Σ c r ≈ (Σ √(c L))²/2 for constant access times', () => {
    const rates = [1e-14, 3e-14, 2e-15, 7e-13];
    const weights = [1, 0.2, 5, 1];
    const pages = pagesOf(rates, weights);
    const { frequency } = solve(pages, 0);
    const roots = rates.map((rate, i) => Math.sqrt(rate * weights[i]));
    const sum = roots.reduce((a, b) => a + b, 0);
    const cost = totalCost(pages, stale(pages, frequency));
    // randomized: distances are geometric, E d²/E d = (2 − f)/f: twice as much, less what f is not small
    const expected =
      plain === plainEven
        ? (sum * sum) / 2
        : rates.reduce((c, L, i) => c + (weights[i] * L * (2 - frequency[i])) / frequency[i] / 2, 0);
    expect(Math.abs(cost / expected - 1)).toBeLessThan(1e-10);
    if (plain === plainEven)
      for (let i = 0; i < 4; i++) expect(Math.abs(frequency[i] / (roots[i] / sum) - 1)).toBeLessThan(1e-10);
  });
});

describe('pages', () => {
  it('are refused where loads leave the range of doubles, by place and with advice', () => {
    const refused = (): AccessPages => pagesOf([1, 1e-200], [1, 1], { type: 'deterministic', value: 1e-200 });
    expect(refused).toThrow(ConditionNotMet);
    expect(refused).toThrow(/got 1, a product of 1e-200.*leave it out/);
    expect(() => pagesOf([1e-100], [1e250])).toThrow(/Scale the weights/);
  });

  it('have a staleness floor above 0 only for random access times', () => {
    expect(pagesOf([1], [1]).floor[0]).toBe(0);
    // a page accessed all the time by exponential accesses: 1 − L/(μE X)
    expect(pagesOf([2], [1], { type: 'exponential', rate: 1 }).floor[0]).toBeCloseTo(1 - Math.log(3) / 2, 14);
  });
});
