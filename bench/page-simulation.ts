/**
 * Ten million fetches of a thousand Poisson pages, simulated: checked against the closed form of evenly spaced fetches.
 */
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { type PageSimulationProblem, solvePageSimulation } from '../src/solvers/page-simulation/index.ts';
import type { Benchmark } from './benchmark.ts';

const pages = 1000;
const problem: PageSimulationProblem = {
  updates: Array.from({ length: pages }, () => ({ type: 'poisson', rate: 1 }) as const),
  weight: new Float64Array(pages).fill(1),
  lastCrawlAge: new Float64Array(pages).fill(Number.NaN),
  host: new Int32Array(pages).fill(-1),
  commonChanges: 0,
  policy: { type: 'rates', rates: new Float64Array(pages).fill(1), spacing: 'even' },
  duration: 1000,
  replications: 10,
  perPage: false,
};

let fetches = 0;
function run() {
  const {
    solution: { measures },
    statistics,
  } = solvePageSimulation(problem, unlimitedBudget(1));
  fetches = (measures.fetches?.mean ?? 0) * statistics.replications;
  return measures;
}

export const benchmarks: readonly Benchmark[] = [
  {
    name: 'simulations/pages, 1e7 fetches and 1e7 changes',
    target: 'under 5 s',
    check() {
      const { mean, interval } = run().freshness ?? { mean: Number.NaN, interval: [Number.NaN, Number.NaN] };
      const exact = 1 - Math.exp(-1);
      if (!(Math.abs(mean - exact) < 2 * (interval[1] - interval[0])))
        throw new Error(`freshness ${mean}, not ${exact}`);
    },
    run: () => void run(),
    repetitions: 3,
    figures: () => ({ fetches }),
  },
];
