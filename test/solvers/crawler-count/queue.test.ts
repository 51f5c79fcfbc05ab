/** The queue itself: against 80-digit arithmetic, and against the closed form. */
import { describe, expect, it } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { arrivalCounter } from '../../../src/solvers/crawler-count/arrivals.ts';
import { exponentialQueue } from '../../../src/solvers/crawler-count/exponential-queue.ts';
import { generalQueue } from '../../../src/solvers/crawler-count/general-queue.ts';
import { countEvaluator, solveCrawlerCount } from '../../../src/solvers/crawler-count/index.ts';
import type { QueueMeasures } from '../../../src/solvers/crawler-count/problem.ts';
import { createLaw, type Distribution } from '../../../src/solvers/laws/index.ts';
import digits from '../../fixtures/crawler-count-digits.json' with { type: 'json' };
import { closedFormOf } from './best-of.ts';

/** The general recursion, also for laws that have a closed form. */
function recursion(service: Distribution, rate: number, capacity: number): QueueMeasures {
  return generalQueue(rate, createLaw(service).mean, capacity, arrivalCounter(service, capacity)(rate));
}

const relativeError = (actual: number, expected: number): number => Math.abs(actual / expected - 1);
const names = ['starvationProbability', 'lossRate', 'lossProbability', 'throughput', 'meanQueueLength'] as const;

describe('M/M/1/K', () => {
  it.each(
    digits.exponential.map(
      (row) => [row.capacity, row.crawlers * (row.crawlerRate / row.rate), row.starvationWeight, row] as const,
    ),
  )('K = %d, ρ = %d, γ = %d agrees with 80-digit arithmetic to 1e−12', (_capacity, _load, _weight, row) => {
    const { crawlerRate, rate, capacity, starvationWeight, crawlers } = row;
    const problem = {
      crawlerRate,
      service: { type: 'exponential', rate } as const,
      capacity,
      costs: { loss: 1, starvation: starvationWeight, crawler: 0 },
    };
    const actual = countEvaluator(problem, unlimitedBudget())(crawlers);
    for (const name of ['starvationProbability', 'lossProbability', 'meanQueueLength', 'cost'] as const) {
      // in the tails P(empty) and P(full) carry K times the rounding of ln ρ
      const tolerance = row[name] < 1e-100 ? 1e-6 : 1e-12;
      if (row[name] < 1e-290) expect(actual[name]).toBeLessThan(1e-289);
      else
        expect(relativeError(actual[name], row[name]), `${name}: ${actual[name]}, not ${row[name]}`).toBeLessThan(
          tolerance,
        );
    }
    const load = closedFormOf(solveCrawlerCount(problem, unlimitedBudget())).continuous.offeredLoad;
    expect(relativeError(load, row.optimalLoad), `ρ*: ${load}, not ${row.optimalLoad}`).toBeLessThan(1e-12);
  });
});

describe('M/G/1/K', () => {
  it.each(digits.general.map((row) => [JSON.stringify(row.distribution), row.rate, row.capacity, row] as const))(
    '%s, arrivals at %d, K = %d agrees with the textbook chain in 80-digit arithmetic to 1e−11',
    (_law, _rate, _capacity, row) => {
      const distribution: Distribution = JSON.parse(JSON.stringify(row.distribution));
      const actual = recursion(distribution, row.rate, row.capacity);
      for (const name of ['starvationProbability', 'lossProbability', 'meanQueueLength'] as const) {
        expect(relativeError(actual[name], row[name]), `${name}: ${actual[name]}, not ${row[name]}`).toBeLessThan(
          1e-11,
        );
      }
    },
  );

  it('with exponential service, under any of its names, is the closed form to 1e−8, tiny losses included', () => {
    const rate = 0.7;
    const laws: Distribution[] = [
      { type: 'exponential', rate },
      { type: 'erlang', shape: 1, rate },
      { type: 'gamma', shape: 1, rate },
      { type: 'weibull', shape: 1, scale: 1 / rate },
      { type: 'hyperexponential', probabilities: [0.4, 0.6], rates: [rate, rate] },
      {
        type: 'phase-type',
        initial: [0.2, 0.8],
        generator: [
          [-rate, 0],
          [0, -rate],
        ],
      },
      {
        type: 'phase-type',
        initial: [1, 0],
        generator: [
          [-4 - rate, 4],
          [3, -3 - rate],
        ],
      },
    ];
    for (const [load, capacity] of [
      [0.01, 30],
      [0.5, 200],
      [0.97, 1000],
      [1, 1],
      [1, 50],
      [1.02, 2000],
      [4, 9],
      [300, 40],
    ]) {
      const expected = exponentialQueue(1, load * rate, rate, capacity);
      for (const law of laws) {
        const actual = recursion(law, load * rate, capacity);
        for (const name of names) {
          expect(
            relativeError(actual[name], expected[name]),
            `${law.type}, ρ = ${load}, K = ${capacity}: ${name}`,
          ).toBeLessThan(1e-8);
        }
      }
    }
  });

  it('conserves pages, λ(1 − P(full)) = μ(1 − P(empty)), at loads from 1e−6 to 1e6', () => {
    for (const law of someLaws) {
      const { mean } = createLaw(law);
      for (let e = -6; e <= 6; e += 1.5) {
        const rate = 10 ** e / mean;
        for (const capacity of [1, 2, 5, 60]) {
          const m = recursion(law, rate, capacity);
          const served = rate * (1 - m.lossProbability);
          const busy = (1 - m.starvationProbability) / mean;
          expect(Math.abs(served - busy), `${law.type}, ρ = 1e${e}, K = ${capacity}`).toBeLessThan(
            1e-11 * rate + 1e-15 / mean,
          );
          expect(relativeError(m.throughput, busy)).toBeLessThan(1e-9);
          expect(m.meanQueueLength).toBeLessThanOrEqual(capacity * (1 + 1e-12));
        }
      }
    }
  });
});

const someLaws: readonly Distribution[] = [
  { type: 'deterministic', value: 2 },
  { type: 'erlang', shape: 4, rate: 0.1 },
  { type: 'gamma', shape: 0.2, rate: 3 },
  { type: 'hyperexponential', probabilities: [0.0057, 0.9943], rates: [0.0014, 0.2409] },
  { type: 'uniform', min: 1, max: 4 },
  { type: 'lognormal', mu: -1, sigma: 0.8 },
  { type: 'weibull', shape: 0.5, scale: 30 },
  { type: 'weibull', shape: 40, scale: 1e-4 },
  { type: 'pareto', shape: 2.2, scale: 1 },
  { type: 'lomax', shape: 2.6, scale: 1 },
  {
    type: 'phase-type',
    initial: [0.3, 0.7],
    generator: [
      [-3, 1],
      [2, -3],
    ],
  },
  { type: 'empirical', values: [0, 1, 1, 7], weights: [1, 2, 3, 0.5] },
];
