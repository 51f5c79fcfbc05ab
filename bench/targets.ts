/** The inverse question beside the forward one: a million pages, by processor time. */
import { solveAccessFrequencies, solveAccessTarget } from '../src/solvers/access-frequencies/index.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import type { Benchmark } from './benchmark.ts';

const random = seededRandom(1);
const changeRate = Float64Array.from({ length: 1_000_000 }, () => Math.exp(4 * random() - 2));
const weight = changeRate.map((rate) => rate * Math.exp(2 * random() - 1));
const problem = {
  accessTime: { type: 'deterministic', value: 1e-6 },
  changeRate,
  weight,
  policy: 'deterministic',
  minFrequency: 0,
} as const;

let least = Number.POSITIVE_INFINITY;
let most = Number.POSITIVE_INFINITY;
const timed = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const forward = () => solveAccessFrequencies(problem, unlimitedBudget());
const staleness = (): number => {
  const answer = forward();
  return answer.status === 'infeasible' ? Number.NaN : answer.objective.value;
};
const whole = staleness();
const inverse = () => solveAccessTarget({ ...problem, whole, own: null }, unlimitedBudget());

export const benchmarks: readonly Benchmark[] = [
  {
    name: 'access-frequencies, how few accesses keep a target, 1e6 pages',
    target: 'within 1.2 of the forward time',
    check() {
      const answer = inverse();
      const crawls = 'objective' in answer ? answer.objective.value : Number.NaN;
      if (Math.abs(crawls / 1e6 - 1) > 1e-9) throw new Error(`${crawls} accesses for a million`);
    },
    run: () => {
      least = Math.min(least, timed(inverse));
    },
    baseline: {
      name: 'the forward question',
      run: () => {
        most = Math.min(most, timed(forward));
      },
    },
    figures: () => ({
      'processor time, quickest run': `${least.toFixed(0)} ms, forward ${most.toFixed(0)} ms`,
      ratio: (least / most).toFixed(2),
    }),
  },
];
