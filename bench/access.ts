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

/** Processor time of the quickest run, which other work on the machine hardly touches. */
function measureProcessor(work: () => void): Pick<Benchmark, 'run' | 'figures'> {
  let minimumMs = Infinity;
  return {
    run() {
      const startUsage = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(startUsage);
      minimumMs = Math.min(minimumMs, (user + system) / 1000);
    },
    figures: () => ({ 'processor time, quickest run': `${minimumMs.toFixed(0)} ms` }),
  };
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

const frequencyBenchmarks = laws.map((law): Benchmark => {
  return {
    name: `access-frequencies, 1e6 pages, ${law.type} access times, in process (loads, frequencies, staleness)`,
    target: 'under 0.5 s',
    check: () => checkFrequencies(accessPages(law, million.rates, million.weights)),
    ...measureProcessor(() => {
      const pages = accessPages(law, million.rates, million.weights);
      totalCost(pages, evenStaleness(pages, optimalFrequencies(pages, 'deterministic', 0).frequency));
    }),
    ...(law.type === 'exponential' && {
      baseline: { name: 'bisection on the multiplier with the inverse by bisection, 1e4 pages', run: baseline },
    }),
  };
});

/** The textbook way, on a hundredth of the pages: it takes minutes on all. */
function baseline(): void {
  const count = 10_000;
  const pages = accessPages(laws[0], million.rates.subarray(0, count), million.weights.subarray(0, count));
  const spacing = (y: number): number => {
    let [low, high] = [0, 800];
    for (let step = 0; step < 50; step++) {
      const s = (low + high) / 2;
      if (1 - (1 + s) * Math.exp(-s) < y) low = s;
      else high = s;
    }
    return (low + high) / 2;
  };
  let [low, high] = [0, pages.gain.reduce((a, b) => Math.max(a, b), 0)];
  for (let step = 0; step < 50; step++) {
    const multiplier = (low + high) / 2;
    let sum = 0;
    for (let i = 0; i < count; i++)
      if (pages.gain[i] > multiplier) sum += pages.load[i] / spacing(multiplier / pages.gain[i]);
    if (sum > 1) low = multiplier;
    else high = multiplier;
  }
}

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
  const { run, figures } = measureProcessor(solve);
  return {
    name: `access-sequence, 1e5 pages, cycle 1e6, ${method}`,
    target: 'under 3 s',
    check() {
      const { cost, bound, sequence } = solve();
      assert(cost >= bound * (1 - 1e-12) && sequence.length === 1_000_000, `cost ${cost}, bound ${bound}`);
      ratios.set(method, cost / bound);
    },
    run,
    repetitions: 3,
    figures: () => ({ ...figures?.(), 'cost over bound': ratios.get(method) ?? Number.NaN }),
  };
});

export const benchmarks: Benchmark[] = [...frequencyBenchmarks, ...sequenceBenchmarks];
