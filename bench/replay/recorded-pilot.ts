/**
 * A pilot on a recorded history. The plan and all pages in turn are each followed over the whole history. In each
 * period the coin says which of the two copies of a page a probe sees. So the truth is known, and no copy is carried
 * over from one arm to the other. A pilot on a live crawler loses some of the difference to that. Probes begin when
 * there is a log to start from, as `crawl-optimizer pilot start` has one, and the number of probes it would say is
 * noted.
 */
import { accessFrequencies, estimatesChangeRates } from '../../src/index.ts';
import { compareRules } from '../../src/logs/compared-rules.ts';
import { expectedPilot } from '../../src/logs/expected-pilot.ts';
import { unlimitedBudget } from '../../src/solvers/budget.ts';
import { coin, type FreshnessProblem, solveFreshness, type Verdict } from '../../src/solvers/freshness/index.ts';
import { seededRandom } from '../../src/solvers/numerics/random/random.ts';
import type { PageHistory } from './page-history.ts';
import { day, type Policy, replay } from './replay.ts';

/** A rule followed over a history. */
export interface Followed {
  readonly freshness: number;
  /** By page, the times of its fetches, rising, and whether each found a change. */
  readonly fetches: readonly (readonly number[])[];
  readonly found: readonly (readonly boolean[])[];
}

export function followed(pages: readonly PageHistory[], policy: Policy, start: number, end: number): Followed {
  const fetches = pages.map(() => [start]);
  const found = pages.map(() => [false]);
  const noting: Policy = {
    observe: (page, time, elapsed, changed) => {
      fetches[page].push(time);
      found[page].push(changed);
      policy.observe(page, time, elapsed, changed);
    },
    choose: (time) => policy.choose(time),
  };
  return { freshness: replay(pages, noting, start, end).freshness, fetches, found };
}

/** Share of the time between two moments in which the copies were current. */
export function freshnessBetween(
  pages: readonly PageHistory[],
  { fetches }: Followed,
  from: number,
  to: number,
): number {
  let stale = 0;
  for (const [i, { changes }] of pages.entries()) {
    const own = fetches[i];
    for (let k = 0; k < own.length; k++) {
      const change = changes[upTo(changes, own[k])] ?? Number.POSITIVE_INFINITY;
      const until = Math.min(to, own[k + 1] ?? to);
      stale += Math.max(0, until - Math.max(from, change));
    }
  }
  return 1 - stale / pages.length / (to - from);
}

/** The probes that `pilot start` would say, from what the incumbent saw until then; null where it would say none. */
export function saidAtStart({ fetches, found }: Followed, begin: number): { gain: number; probes: number | null } {
  const seen = fetches.map((own) => own.slice(0, upTo(own, begin)));
  const observations = seen.map((own, i) => own.map((time, k) => ({ time, changed: found[i][k] })));
  const { solution } = estimatesChangeRates({
    pages: observations.map((own) => ({ observations: own })),
    prior: 'empirical-bayes',
  });
  const rates = solution?.pages;
  if (!Array.isArray(rates)) throw new Error('no rates');
  const gaps = seen.map((own) => own.map((time, k) => (own[k + 1] ?? begin) - time).filter((gap) => gap > 0));
  const fetchRate = gaps.reduce((sum, own) => sum + own.length / own.reduce((all, gap) => all + gap, 0), 0);
  const shares = accessFrequencies({
    pages: { changeRate: rates.map(({ rate }) => rate), weight: 1 },
    accessTime: { type: 'deterministic', value: 1 / fetchRate },
    policy: 'deterministic',
  }).solution?.pages;
  if (shares === undefined || !('frequency' in shares)) throw new Error('no frequencies');
  const frequencies = Float64Array.from(shares.frequency, (each) => Number(each) * fetchRate);
  const { stale, gain } = compareRules(gaps, frequencies, rates);
  const both = (stale.own.value + stale.plan.value) / 2;
  const terms = { gain: gain.value, stale: both, fetchesADay: fetchRate * day, units: gaps.length, periodDays: 1 };
  return { gain: gain.value, probes: expectedPilot(terms).probes };
}

export interface RecordedPilot {
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly verdict: Verdict;
  /** Probes that counted until the verdict came or the history ended. */
  readonly probes: number;
  /** Those that the whole history has. */
  readonly counted: number;
}

interface Terms {
  readonly start: number;
  readonly end: number;
  /** What the coin and the probes are drawn by. */
  readonly seed: number;
}

const period = day;
const looks = 1000;

/** One probe a page and day, so that a verdict comes as soon as the history lets it. */
export function recordedPilot(
  pages: readonly PageHistory[],
  rules: { readonly plan: Followed; readonly incumbent: Followed },
  { start, end, seed }: Terms,
): RecordedPilot {
  const random = seededRandom(seed);
  const count = Math.floor((pages.length * (end - start)) / period);
  const time = Float64Array.from({ length: count }, () => start + random() * (end - start)).sort();
  const unit = Int32Array.from(time, () => Math.floor(random() * pages.length));
  const name = `recorded ${seed}`;
  const current = Uint8Array.from(time, (at, i) => {
    const page = unit[i];
    const arm = coin(name, pages[page].id, Math.floor(at / period));
    const { changes } = pages[page];
    const change = changes[upTo(changes, at) - 1] ?? Number.NEGATIVE_INFINITY;
    const fetches = rules[arm].fetches[page];
    return change > fetches[upTo(fetches, at) - 1] ? 0 : 1;
  });
  const problem: FreshnessProblem = {
    time,
    host: new Int32Array(count).fill(-1),
    hosts: [],
    current,
    weight: new Float64Array(count).fill(1),
    forecast: new Float64Array(count).fill(Number.NaN),
    trial: { period, settling: 0, unit, units: pages.map(({ id }) => id), seed: name, arm: new Int8Array(count) },
    confidence: 0.95,
    history: looks,
  };
  const { solution } = solveFreshness(problem, unlimitedBudget());
  // The first look at which 0 was out, else the last.
  const decided = solution.history.find(({ difference }) => difference !== null && leavesZeroOut(difference.interval));
  const { difference } = decided ?? solution;
  const [low, high] = difference?.interval ?? [-1, 1];
  return {
    difference: difference?.value ?? Number.NaN,
    low,
    high,
    verdict: low > 0 ? 'take-over' : high < 0 ? 'roll-back' : 'go-on',
    probes: difference?.probes ?? 0,
    counted: solution.difference?.probes ?? 0,
  };
}

const leavesZeroOut = ([low, high]: readonly [number, number]): boolean => low > 0 || high < 0;

/** How many of rising times are at most `at`. */
function upTo(times: ArrayLike<number>, at: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
