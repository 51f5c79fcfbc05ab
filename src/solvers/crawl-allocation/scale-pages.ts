/** The allocation problem, translated into scaled pages (gains/page-gain.ts). */
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { stalenessCost } from '../pages/objectives/index.ts';
import {
  lomaxProcess,
  type ProcessCode,
  poissonCostProcess,
  poissonProcess,
  quasiDeterministicProcess,
  renewalProcess,
  type ScaledPages,
} from './gains/page-gain.ts';
import { type QuasiPage, quasiTable } from './gains/quasi-deterministic.ts';
import { type GapLaw, withInterpolant, withPoll } from './gains/renewal-kernel.ts';
import type { CrawlAllocationProblem } from './problem.ts';
import { maxTime, type UpdateProcesses } from './update-processes.ts';

/**
 * Scales the pages and tabulates the gains of quasi-deterministic ones (`greedy` chooses their rule). O(N + Σ Q²·log
 * Q).
 *
 * @throws NothingToReturn when the budget stops the tabulation
 */
export function scalePages(problem: CrawlAllocationProblem, greedy: boolean, budget: Budget): ScaledPages {
  const { interval, crawls, updates, weight, objective } = problem;
  const { count, meanGap } = updates;
  const hasCost = objective !== 'freshness';
  const process = hasCost ? updates.process.map(costProcessOf) : updates.process;
  const alpha = hasCost ? meanGap.map((mean) => 1 / mean) : updates.alpha;
  const lastCrawlAge = agesAtStart(problem);
  const length = new Float64Array(count);
  const scale = new Float64Array(count);
  const maximum = new Int32Array(count);
  const age = lastCrawlAge === null ? null : new Float64Array(count);
  const scaleByMean = (i: number): void => {
    length[i] = interval / meanGap[i];
    scale[i] = (weight[i] * meanGap[i]) / interval;
  };
  const scalings: Readonly<Record<number, (i: number) => void>> = {
    [poissonProcess]: scaleByMean,
    [renewalProcess]: scaleByMean,
    [lomaxProcess](i) {
      // σ = β/α = m(α − 1)/α, σ²/m = σ(α − 1)/α
      const share = (alpha[i] - 1) / alpha[i];
      length[i] = interval / meanGap[i] / share;
      scale[i] = ((weight[i] * meanGap[i]) / interval) * share * share;
    },
    [quasiDeterministicProcess](i) {
      scale[i] = weight[i];
    },
    [poissonCostProcess](i) {
      length[i] = interval;
      scale[i] = weight[i] / interval;
    },
  } satisfies Record<ProcessCode, (i: number) => void>;
  for (let i = 0; i < count; i++) {
    scalings[process[i]](i);
    // one more than R, so that the gain of a further crawl is known even for a page that takes all R
    const limit = problem.maxCrawls[i];
    maximum[i] = limit < 0 || limit > crawls ? crawls + 1 : limit;
    if (age !== null && lastCrawlAge !== null)
      age[i] = Number.isNaN(lastCrawlAge[i]) ? -1 : Math.min(maxTime, lastCrawlAge[i] / interval);
  }
  const starts = staleAtStart(problem);
  const quasi = Array.from(starts, (stale, k) => quasiPage(problem, k, stale));
  const table = quasiTable(quasi, greedy, pollOf(budget, 'the quasi-deterministic pages were still being tabulated'));
  const minimum = problem.minCrawls;
  const { entry } = updates;
  const poll = pollOf(budget, 'the laws of gaps were still being tabulated');
  const laws = sharedLaws(updates, poll);
  const cost = stalenessCost(objective);
  return { count, process, length, scale, alpha, entry, age, minimum, maximum, laws, table, cost };
}

const costProcessOf = (process: number): number => (process === poissonProcess ? poissonCostProcess : process);

/**
 * Time since the last crawl, by page; NaN for a page never crawled. Under an objective other than freshness such a page
 * has age 0: its costs begin with the interval.
 */
export function agesAtStart({ objective, lastCrawlAge, updates }: CrawlAllocationProblem): Float64Array | null {
  if (objective === 'freshness') return lastCrawlAge;
  return lastCrawlAge?.map((age) => (Number.isNaN(age) ? 0 : age)) ?? new Float64Array(updates.count);
}

/**
 * Pages that must share a law for it to be interpolated, which takes milliseconds a law. Without interpolation 30,000
 * pages of one gamma law take 5 times as long, of one lognormal law 12 times.
 */
const minInterpolantUses = 10_000;

function sharedLaws({ laws, process, entry, count }: UpdateProcesses, poll: Poll): readonly GapLaw[] {
  const uses = new Int32Array(laws.length);
  for (let i = 0; i < count; i++) if (process[i] === renewalProcess) uses[entry[i]]++;
  return laws.map((each, k) => {
    const law = withPoll(each, poll);
    return uses[k] >= minInterpolantUses ? withInterpolant(law) : law;
  });
}

/** Quasi-deterministic page k of the problem. */
export function quasiPage({ interval, updates }: CrawlAllocationProblem, k: number, staleAtStart: number): QuasiPage {
  const { offsets, times, probabilities } = updates.quasi;
  return { times, probabilities, from: offsets[k], to: offsets[k + 1], staleAtStart, interval };
}

/**
 * P(stale at time 0) of every quasi-deterministic page: as the request gives it; else 1 for a page never crawled; else
 * from the possible updates since its last crawl, which are the same in every interval.
 */
export function staleAtStart({ updates, lastCrawlAge, interval }: CrawlAllocationProblem): Float64Array {
  const { quasi, process, entry, count } = updates;
  const stale = quasi.staleAtStart.slice(0, quasi.count);
  for (let i = 0; i < count; i++) {
    if (process[i] !== quasiDeterministicProcess || !Number.isNaN(stale[entry[i]])) continue;
    const age = lastCrawlAge === null ? Number.NaN : lastCrawlAge[i];
    if (Number.isNaN(age)) {
      stale[entry[i]] = 1;
      continue;
    }
    const wholeIntervals = Math.floor(age / interval);
    const remainder = age - wholeIntervals * interval;
    let fresh = 1;
    for (let at = quasi.offsets[entry[i]]; at < quasi.offsets[entry[i] + 1]; at++) {
      const times = wholeIntervals + (interval - quasi.times[at] < remainder ? 1 : 0);
      fresh *= (1 - quasi.probabilities[at]) ** times;
    }
    stale[entry[i]] = 1 - fresh;
  }
  return stale;
}

/** Mean number of updates a unit of time, by page. */
export function updateRates({ updates, interval }: CrawlAllocationProblem): Float64Array {
  const { quasi, process, entry, count, meanGap } = updates;
  const rates = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    if (process[i] !== quasiDeterministicProcess) {
      rates[i] = 1 / meanGap[i];
      continue;
    }
    let sum = 0;
    for (let at = quasi.offsets[entry[i]]; at < quasi.offsets[entry[i] + 1]; at++) sum += quasi.probabilities[at];
    rates[i] = sum / interval;
  }
  return rates;
}
