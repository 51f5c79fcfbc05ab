/**
 * access-frequencies and access-sequence: a million pages, a cycle of a million, and how far the methods are from the
 * bound.
 */
import {
  type AccessPages,
  accessPages,
  evenStaleness,
  optimalFrequencies,
  totalCost,
} from '../src/solvers/access-frequencies/index.ts';
import { findSequence, type SequenceTask, sequencingMethods } from '../src/solvers/access-sequence/index.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import type { Distribution } from '../src/solvers/laws/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import type { Benchmark } from './benchmark.ts';

function instance(count: number, seed: number): { rates: Float64Array; weights: Float64Array } {
  const random = seededRandom(seed);
  const rates = Float64Array.from({ length: count }, () => Math.exp(4 * random() - 2));
  return { rates, weights: rates.map((rate) => rate * Math.exp(2 * random() - 1)) };
}

function assert(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}

const million = instance(1_000_000, 1);
const laws: Distribution[] = [
  { type: 'exponential', rate: 1e6 },
  { type: 'deterministic', value: 1e-6 },
  { type: 'lognormal', mu: Math.log(1e-6), sigma: 1 },
];

/** Optimality at a sample of pages: the marginal saving by differences is the multiplier. */
function checkFrequencies(pages: AccessPages): void {
  const { frequency, multiplier } = optimalFrequencies(pages, 'deterministic', 0);
  assert(Math.abs(frequency.reduce((a, b) => a + b, 0) - 1) < 1e-9, 'frequencies do not sum to 1');
  for (let i = 0; i < pages.length; i += 9973) {
    const stale = (f: number): number => {
      const s = pages.load[i] / f;
      return pages.weight[i] * (pages.floor[i] + (1 - pages.floor[i]) * (1 + Math.expm1(-s) / s));
    };
    const f = frequency[i];
    if (f === 0) assert(pages.gain[i] <= multiplier, `page ${i} starves`);
    else {
      const slope = (stale(f * 0.999) - stale(f * 1.001)) / (0.002 * f);
      assert(Math.abs(slope / multiplier - 1) < 1e-4, `page ${i}: slope ${slope}, multiplier ${multiplier}`);
    }
  }
}

const frequencyBenchmarks = laws.map(
  (law): Benchmark => ({
    name: `access-frequencies, 1e6 pages, ${law.type} access times, in process (loads, frequencies, staleness)`,
    target: 'under 0.5 s',
    check: () => checkFrequencies(accessPages(law, million.rates, million.weights)),
    run() {
      const pages = accessPages(law, million.rates, million.weights);
      totalCost(pages, evenStaleness(pages, optimalFrequencies(pages, 'deterministic', 0).frequency));
    },
  }),
);

const hundredThousand = instance(100_000, 2);
const question: Omit<SequenceTask, 'pages' | 'method'> = {
  frequency: null,
  minFrequency: 0,
  cycleLength: 1_000_000,
  longestCycle: 1e7,
};
const ratios = new Map<string, number>();
const sequenceBenchmarks = (['auto', ...sequencingMethods] as const).map((method): Benchmark => {
  const pages = accessPages({ type: 'exponential', rate: 1e5 }, hundredThousand.rates, hundredThousand.weights);
  const solve = () => findSequence({ ...question, pages, method }, unlimitedBudget());
  return {
    name: `access-sequence, 1e5 pages, cycle 1e6, ${method}`,
    target: 'under 3 s',
    check() {
      const { cost, bound, sequence } = solve();
      assert(cost >= bound * (1 - 1e-12) && sequence.length === 1_000_000, `cost ${cost}, bound ${bound}`);
      ratios.set(method, cost / bound);
    },
    run: () => void solve(),
    repetitions: 3,
    figures: () => ({ 'cost over bound': ratios.get(method) ?? Number.NaN }),
  };
});

export const benchmarks: Benchmark[] = [...frequencyBenchmarks, ...sequenceBenchmarks];
