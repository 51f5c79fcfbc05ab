/**
 * What a model expects of three rules on the pages of a log, at equal fetches. They are the log's own, all pages in
 * turn, and the plan's long-run intervals. Pages change as Poisson processes with rates that the log leaves in doubt.
 *
 * A copy fetched every g is current for (1 − e^(−λg))/λ of g in the mean (J. Cho, H. Garcia-Molina, SIGMOD 2000). The
 * log's own rule is taken as it was: each gap between two fetches counts as long as it lasted.
 */

import { sawPage } from '../solvers/estimation/index.ts';
import { type Random, seededRandom } from '../solvers/numerics/random/random.ts';
import { standardNormal } from '../solvers/numerics/random/random-variates.ts';
import type { CrawlLog } from './read-log.ts';

/** An expectation with the interval that the rates' uncertainty leaves. */
export interface Expected {
  readonly value: number;
  readonly interval: readonly [low: number, high: number];
}

export interface ComparedRules {
  /** Fetches a second of all pages together, under each rule. */
  readonly fetchRate: number;
  /** Share of the copies that are stale. */
  readonly stale: { readonly own: Expected; readonly inTurn: Expected; readonly plan: Expected };
  /** Freshness under the plan less that under the log's own rule. */
  readonly gain: Expected;
}

/** A page's rate, changes a second, as estimates/change-rates answers it. */
export interface UncertainRate {
  readonly rate: number;
  readonly interval: readonly [low: number, high: number | null];
}

const draws = 400;
/** Half the width of a 95% interval of a normal law, in standard deviations. */
const deviations = 1.959963984540054;

/** Seconds between the fetches of each page; the last gap runs to the end of the log. */
export function gapsOf({ pages, to }: CrawlLog): number[][] {
  return pages.map(({ observations }) => {
    const times = Array.from(observations.time.filter((_, k) => sawPage(observations.status[k])));
    return times.map((time, i) => (times[i + 1] ?? to) - time).filter((gap) => gap > 0);
  });
}

/** Fetches a second that the log's own rule makes after each page's first. */
export function fetchRateOf(gaps: readonly (readonly number[])[]): number {
  return gaps.reduce((rate, own) => rate + own.length / sum(own), 0);
}

/**
 * @param frequencies fetches a second of each page under the plan; together they are the log's own
 * @param rates of each page
 */
export function compareRules(
  gaps: readonly (readonly number[])[],
  frequencies: Float64Array,
  rates: readonly UncertainRate[],
  seed = 1,
): ComparedRules {
  const fetchRate = fetchRateOf(gaps);
  const even = gaps.length / fetchRate;
  const staleAt = (rateOf: (page: number) => number): [own: number, inTurn: number, plan: number] => {
    let [own, inTurn, plan] = [0, 0, 0];
    for (const [i, mine] of gaps.entries()) {
      const rate = rateOf(i);
      own += 1 - mine.reduce((fresh, gap) => fresh + freshTime(rate, gap), 0) / sum(mine);
      inTurn += 1 - freshTime(rate, even) / even;
      plan += frequencies[i] > 0 ? 1 - frequencies[i] * freshTime(rate, 1 / frequencies[i]) : 1;
    }
    return [own / gaps.length, inTurn / gaps.length, plan / gaps.length];
  };
  const random = seededRandom(seed);
  const drawn = Array.from({ length: draws }, () => {
    const rate = rates.map((each) => drawnRate(each, random));
    return staleAt((i) => rate[i]);
  });
  // The mean of the draws: at the estimates themselves the plan made for them would look better than it is.
  const expected = (of: (draw: readonly number[]) => number): Expected => {
    const values = drawn.map(of);
    return { value: sum(values) / draws, interval: middle(values) };
  };
  return {
    fetchRate,
    stale: {
      own: expected((draw) => draw[0]),
      inTurn: expected((draw) => draw[1]),
      plan: expected((draw) => draw[2]),
    },
    gain: expected((draw) => draw[0] - draw[2]),
  };
}

/** The mean time for which a copy stays current until the next fetch, a gap later. */
const freshTime = (rate: number, gap: number): number => (rate * gap < 1e-12 ? gap : -Math.expm1(-rate * gap) / rate);

/** A rate drawn from the lognormal law whose middle 95% are the interval. */
function drawnRate({ rate, interval: [low, high] }: UncertainRate, random: Random): number {
  if (high === null || low <= 0 || rate <= 0) return rate;
  const spread = Math.log(high / low) / (2 * deviations);
  return Math.sqrt(low * high) * Math.exp(spread * standardNormal(random));
}

function middle(values: readonly number[]): [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
  return [at(0.025), at(0.975)];
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
