/**
 * Expected freshness of three rules on the pages of a log with the same number of fetches: the log's own gaps, equal
 * intervals for all pages, and the plan's long-run intervals. Pages change as Poisson processes with uncertain rates.
 *
 * A copy fetched every g is current for (1 − e^(−λg))/λ of g in the mean (J. Cho, H. Garcia-Molina, SIGMOD 2000). For the
 * log's own rule each observed gap is weighted by its length.
 */

import { sawPage } from '../solvers/estimation/index.ts';
import { type Random, seededRandom } from '../solvers/numerics/random/random.ts';
import { standardNormal } from '../solvers/numerics/random/random-variates.ts';
import type { CrawlLog } from './read-log.ts';

/** An expected value with its 95% interval, from the uncertainty of the rates. */
export interface ExpectedValue {
  readonly value: number;
  readonly interval: readonly [low: number, high: number];
}

export interface ComparedRules {
  /** Total fetches per second, the same for each rule. */
  readonly fetchRate: number;
  /** Expected share of stale copies by rule. */
  readonly stale: { readonly own: ExpectedValue; readonly inTurn: ExpectedValue; readonly plan: ExpectedValue };
  /** Freshness of the plan minus that of the log's own rule. */
  readonly gain: ExpectedValue;
}

/** A page's rate in changes per second with its interval, from estimates/change-rates. */
export interface UncertainRate {
  readonly rate: number;
  readonly interval: readonly [low: number, high: number | null];
}

const draws = 400;
/** 97.5% quantile of the standard normal distribution. */
const normalQuantile = 1.959963984540054;

/** Seconds between the fetches of each page; the last gap runs to the end of the log. */
export function fetchGaps({ pages, to }: CrawlLog): number[][] {
  return pages.map(({ observations }) => {
    const times = Array.from(observations.time.filter((_, k) => sawPage(observations.status[k])));
    return times.map((time, i) => (times[i + 1] ?? to) - time).filter((gap) => gap > 0);
  });
}

/** Fetches per second of the log's own rule, without each page's first fetch. */
export function totalFetchRate(gaps: readonly (readonly number[])[]): number {
  return gaps.reduce((rate, pageGaps) => rate + pageGaps.length / sum(pageGaps), 0);
}

/**
 * @param frequencies fetches per second of each page under the plan; their sum is that of the log
 * @param rates change rates of the pages
 */
export function compareRules(
  gaps: readonly (readonly number[])[],
  frequencies: Float64Array,
  rates: readonly UncertainRate[],
  seed = 1,
): ComparedRules {
  const fetchRate = totalFetchRate(gaps);
  const equalInterval = gaps.length / fetchRate;
  const staleAt = (rateOf: (page: number) => number): [own: number, inTurn: number, plan: number] => {
    let [own, inTurn, plan] = [0, 0, 0];
    for (const [i, pageGaps] of gaps.entries()) {
      const rate = rateOf(i);
      own += 1 - pageGaps.reduce((fresh, gap) => fresh + freshTime(rate, gap), 0) / sum(pageGaps);
      inTurn += 1 - freshTime(rate, equalInterval) / equalInterval;
      plan += frequencies[i] > 0 ? 1 - frequencies[i] * freshTime(rate, 1 / frequencies[i]) : 1;
    }
    return [own / gaps.length, inTurn / gaps.length, plan / gaps.length];
  };
  const random = seededRandom(seed);
  const staleDraws = Array.from({ length: draws }, () => {
    const rate = rates.map((each) => drawRate(each, random));
    return staleAt((i) => rate[i]);
  });
  // average over draws: the plan is optimal at the point estimates, so its value there would be too optimistic
  const expectedValueOf = (of: (draw: readonly number[]) => number): ExpectedValue => {
    const values = staleDraws.map(of);
    return { value: sum(values) / draws, interval: centralInterval(values) };
  };
  return {
    fetchRate,
    stale: {
      own: expectedValueOf((draw) => draw[0]),
      inTurn: expectedValueOf((draw) => draw[1]),
      plan: expectedValueOf((draw) => draw[2]),
    },
    gain: expectedValueOf((draw) => draw[0] - draw[2]),
  };
}

/** Mean time for which a copy stays current within a gap. */
const freshTime = (rate: number, gap: number): number => (rate * gap < 1e-12 ? gap : -Math.expm1(-rate * gap) / rate);

/** Draws a rate from the lognormal distribution whose central 95% is the interval. */
function drawRate({ rate, interval: [low, high] }: UncertainRate, random: Random): number {
  if (high === null || low <= 0 || rate <= 0) return rate;
  const spread = Math.log(high / low) / (2 * normalQuantile);
  return Math.sqrt(low * high) * Math.exp(spread * standardNormal(random));
}

function centralInterval(values: readonly number[]): [low: number, high: number] {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))];
  return [at(0.025), at(0.975)];
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);
