/**
 * The inverse question beside the forward one, of a million pages and of histograms, by processor time.
 */
import { crawlAllocationRequest } from '../src/schemas/crawl-allocation/index.ts';
import { bestFrequencies, solveAccessTarget } from '../src/solvers/access-frequencies/index.ts';
import { unlimitedBudget } from '../src/solvers/budget.ts';
import { allocateCrawls, solveAllocationTarget } from '../src/solvers/crawl-allocation/index.ts';
import { type CrawlPlanProblem, plainPages, planCrawls, solvePlanTarget } from '../src/solvers/crawl-plan/index.ts';
import { neededRate, priceOfRate } from '../src/solvers/crawl-price/index.ts';
import { seededRandom } from '../src/solvers/numerics/random/random.ts';
import type { ObjectiveName } from '../src/solvers/pages/objectives/index.ts';
import { manyPages } from '../test/solvers/crawl-allocation/many-pages.ts';
import { histogramOf, lognormalPages, problemOf } from '../test/solvers/crawl-price/tables-of-pages.ts';
import type { Benchmark } from './benchmark.ts';
import { paper } from './crawl-allocation.ts';

const random = seededRandom(1);
const allRates = Float64Array.from({ length: 1_000_000 }, () => Math.exp(4 * random() - 2));
const allWeights = allRates.map((rate) => rate * Math.exp(2 * random() - 1));
const problem = {
  accessTime: { type: 'deterministic', value: 1e-6 },
  changeRate: allRates,
  weight: allWeights,
  policy: 'deterministic',
  minFrequency: 0,
} as const;

const timed = (work: () => unknown): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

interface Directions {
  readonly name: string;
  /** A million pages unless said. */
  readonly of?: string;
  /** What the forward question is, where it is not one. */
  readonly beside?: string | undefined;
  readonly forward: () => unknown;
  /** How few crawls leave what the forward answer leaves. */
  readonly inverse: () => number;
  /** Those of the forward question. */
  readonly crawls: number;
  readonly repetitions?: number;
}

function benchmark(directions: Directions): Benchmark {
  const {
    name,
    of = '1e6 pages',
    beside = 'the forward question',
    forward,
    inverse,
    crawls,
    repetitions = 15,
  } = directions;
  const [times, others]: number[][] = [[], []];
  // the first is the warm-up
  const median = (of: readonly number[]): number => of.slice(1).sort((a, b) => a - b)[(of.length - 1) >> 1];
  return {
    name: `${name}, how few crawls keep a target, ${of}`,
    target: 'within 1.2 of the forward time',
    repetitions,
    check() {
      const found = inverse();
      if (Math.abs(found / crawls - 1) > 1e-9) throw new Error(`${found} crawls for ${crawls}`);
    },
    run: () => {
      times.push(timed(inverse));
    },
    baseline: {
      name: beside,
      run: () => {
        others.push(timed(forward));
      },
    },
    figures: () => ({
      'processor time, median, in turn': `${median(times).toFixed(0)} ms, forward ${median(others).toFixed(0)} ms`,
      ratio: (median(times) / median(others)).toFixed(2),
    }),
  };
}

function frequencies(): Benchmark {
  const forward = () => bestFrequencies(problem, unlimitedBudget());
  const answer = forward();
  const whole = answer.status === 'infeasible' ? Number.NaN : answer.objective.value;
  const inverse = (): number => {
    const found = solveAccessTarget({ ...problem, whole }, unlimitedBudget());
    return 'objective' in found ? found.objective.value : Number.NaN;
  };
  return benchmark({ name: 'access-frequencies', forward, inverse, crawls: 1e6 });
}

function allocation(kind: string, mix: typeof paper): Benchmark {
  const crawls = 5e6;
  const asked = crawlAllocationRequest.parse({ interval: 1, crawls, pages: manyPages(1e6, mix) }).problem;
  const forward = () => allocateCrawls(asked, unlimitedBudget());
  const answer = forward();
  const whole = answer.status === 'infeasible' ? Number.NaN : answer.objective.value;
  const inverse = (): number => {
    const found = solveAllocationTarget(
      asked,
      { measure: 'staleness', value: whole, scale: 1, whole },
      unlimitedBudget(),
    );
    return 'needed' in found ? found.needed.value : Number.NaN;
  };
  return benchmark({ name: `crawl-allocation, ${kind}`, forward, inverse, crawls });
}

function price(objective: ObjectiveName, hosts: number): Benchmark {
  const pages = lognormalPages(50_000, 5, { hosts: Math.max(1, hosts) });
  const { histogram, host } = histogramOf(pages, hosts > 0 ? 0.15 : 0.001, hosts > 0);
  const rate = pages.reduce((sum, page) => sum + page.changeRate, 0);
  const limit = (h: number): number => (h % 3 === 0 ? rate / hosts / 2 : Number.POSITIVE_INFINITY);
  const maxRate = Float64Array.from({ length: hosts }, (_, h) => limit(h));
  const asked = { ...problemOf(histogram, objective, rate), ...(hosts > 0 && { host, maxRate }) };
  const forward = () => priceOfRate(asked, unlimitedBudget());
  const most = forward().objective.value;
  const inverse = (): number => {
    const found = neededRate(asked, most, unlimitedBudget());
    return found.met ? found.rate : Number.NaN;
  };
  const name = `crawl-price, ${objective}${hosts > 0 ? `, ${hosts} hosts` : ''}`;
  const of = `${histogram.pages.length} buckets`;
  return benchmark({ name, of, forward, inverse, crawls: rate, repetitions: 30 });
}

function plan(count: number, hosts: number): Benchmark {
  const [changeRate, weight] = [allRates.subarray(0, count), allWeights.subarray(0, count)];
  const slotsByCrawler = Uint32Array.of(count / 2);
  const asked: CrawlPlanProblem = {
    ...plainPages(count),
    now: 1_760_000_000,
    interval: 86_400,
    slotsByCrawler,
    history: { offsets: new Uint32Array(count + 1), elapsed: new Float64Array(0), outcome: new Uint8Array(0) },
    changeRate: changeRate.map((rate) => rate / 86_400),
    lastCrawl: changeRate.map(() => 1_760_000_000 - Math.round(172_800 * random())),
    weight,
    evenShare: 0.05,
    ...(hosts > 0 && {
      host: Int32Array.from(changeRate, (_, i) => i % hosts),
      hostDelay: Float64Array.from({ length: hosts }, (_, h) => (h % 3 === 0 ? (4 * 86_400 * hosts) / count : 0)),
    }),
  };
  const forward = () => planCrawls(asked, unlimitedBudget());
  const answer = forward();
  const value = answer.status === 'infeasible' ? Number.NaN : (answer.longRun?.value ?? Number.NaN);
  const mean = value / weight.reduce((sum, each) => sum + each, 0);
  const target = { measure: 'staleness', value: mean, scale: Number.NaN, whole: Number.NaN } as const;
  const inverse = (): number => {
    const found = solvePlanTarget({ problem: asked, asked: target, curve: false }, unlimitedBudget());
    return found.status === 'planned' ? found.needed.value : Number.NaN;
  };
  const name = hosts === 0 ? 'crawl-plan' : `crawl-plan, ${hosts} hosts`;
  return benchmark({ name, of: `${count} pages`, forward, inverse, crawls: count / 2, repetitions: 3 });
}

export const benchmarks: readonly Benchmark[] = [
  price('freshness', 0),
  price('freshness', 100),
  price('delay', 0),
  frequencies(),
  allocation('mixed', paper),
  allocation('Poisson', { poisson: 1, lomax: 0 }),
  plan(1e6, 0),
  plan(2e5, 200),
];
