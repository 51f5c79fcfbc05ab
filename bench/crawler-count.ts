/**
 * What the number of crawlers costs. Correctness first: every answer is certified (neighbours no cheaper, flow
 * balance). Baseline of the closed form: bisection on every count.
 */

import { unlimitedBudget } from '../src/solvers/budget.ts';
import { exponentialQueue } from '../src/solvers/crawler-count/exponential-queue.ts';
import {
  type CrawlerCountAnswer,
  type CrawlerCountProblem,
  solveCrawlerCount,
} from '../src/solvers/crawler-count/index.ts';
import type { Distribution } from '../src/solvers/laws/index.ts';
import { certifyCrawlerCount } from '../test/certificates/queues.ts';
import { bestOf } from '../test/solvers/crawler-count/best-of.ts';
import type { Benchmark } from './benchmark.ts';

const budget = unlimitedBudget();

const problemOf = (service: Distribution, capacity: number, crawlerRate: number): CrawlerCountProblem => ({
  crawlerRate,
  service,
  capacity,
  costs: { loss: 1, starvation: 2, crawler: 0 },
});

function benchmarkOf(
  name: string,
  target: string,
  problem: CrawlerCountProblem,
  baseline?: Benchmark['baseline'],
): Benchmark {
  let solution: CrawlerCountAnswer;
  return {
    name: `crawler-count, ${name}`,
    target,
    check: () => {
      const answer = solveCrawlerCount(problem, budget);
      const violations = certifyCrawlerCount(problem, answer);
      if (answer.status !== 'optimal' || violations.length > 0) throw new Error(violations.join('; ') || 'not proved');
    },
    run: () => {
      solution = solveCrawlerCount(problem, budget);
    },
    figures: () => ({
      crawlers: bestOf(solution).crawlers,
      cost: bestOf(solution).cost,
      evaluations: solution.statistics.evaluations,
    }),
    ...(baseline && { baseline }),
  };
}

const places = 5000;

const laws: readonly [name: string, law: Distribution][] = [
  ['deterministic', { type: 'deterministic', value: 1 }],
  ['gamma .3', { type: 'gamma', shape: 0.3, rate: 0.3 }],
  ['hyperexponential', { type: 'hyperexponential', probabilities: [0.0057, 0.9943], rates: [0.0115, 1.9758] }],
  ['uniform', { type: 'uniform', min: 0, max: 2 }],
  ['lognormal', { type: 'lognormal', mu: -0.72, sigma: 1.2 }],
  ['Weibull .6', { type: 'weibull', shape: 0.6, scale: 0.66 }],
  ['Pareto 1.2', { type: 'pareto', shape: 1.2, scale: 1 / 6 }],
  ['Lomax 2.5', { type: 'lomax', shape: 2.5, scale: 1.5 }],
  [
    'empirical, 10,000 values',
    { type: 'empirical', values: Array.from({ length: 10_000 }, (_, i) => ((i * 7919) % 10_000) / 5000) },
  ],
  [
    'phase-type, 10 phases',
    {
      type: 'phase-type',
      initial: [1, ...new Array<number>(9).fill(0)],
      generator: Array.from({ length: 10 }, (_, i) =>
        Array.from({ length: 10 }, (_, j) => (i === j ? -10 : j === i + 1 ? 10 : 0)),
      ),
    },
  ],
];

export const benchmarks: readonly Benchmark[] = [
  {
    ...benchmarkOf('K = 1e9, exponential', 'under 1 ms', problemOf({ type: 'exponential', rate: 1 }, 1e9, 1e-6)),
    baseline: {
      name: 'bisection on the difference of neighbouring counts',
      run: () => {
        const cost = (n: number): number => {
          const { starvationProbability, lossRate } = exponentialQueue(n, 1e-6, 1, 1e9);
          return 2 * starvationProbability + lossRate;
        };
        let low = 1;
        let high = 2 ** 40;
        while (low < high) {
          const middle = Math.floor((low + high) / 2);
          if (cost(middle + 1) < cost(middle)) low = middle + 1;
          else high = middle;
        }
      },
    },
  },
  ...laws.map(([name, law]) =>
    benchmarkOf(`K = 5,000, ${name}, about 100 crawlers`, 'under 500 ms', problemOf(law, places, 0.01)),
  ),
  benchmarkOf(
    'K = 5,000, Pareto 1.2, about a million crawlers',
    'under 500 ms',
    problemOf({ type: 'pareto', shape: 1.2, scale: 1 / 6 }, places, 1e-6),
  ),
];
