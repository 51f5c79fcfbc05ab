/**
 * 95% intervals of means over replications, within what is possible, and not fooled by what is seen seldom.
 *
 * Student's t takes means for normal. Where few events make a mean, those that were not seen are missing from its
 * variance too: one page in seven then lies outside. So the upper end is that of a gamma law as well, with one event
 * more than was seen (M. P. Fay and E. J. Feuer, Statistics in Medicine 16, 1997), its quantile by Wilson and Hilferty.
 * Where nothing was seen the chance of it in a replication is below 1 − .05^(1/n), the rule of three.
 */

import { studentQuantile } from '../numerics/special/student-t.ts';
import type { Estimate } from '../simulation/index.ts';

const confidence = 0.95;

/** A mean over replications that is at least 0. */
export interface Seen {
  readonly mean: number;
  /** Of the mean. */
  readonly variance: number;
  readonly runs: number;
  /** About what one more event would add to the mean; left out: what those seen added. */
  readonly event?: number;
  /** What a replication shows at most, about, where it shows anything. */
  readonly most: number;
}

export type Interval = readonly [low: number, high: number];

/** The variance of a mean by the sum of squares about it; what rounding makes negative is 0. */
export function varianceOfMean(squares: number, runs: number): number {
  return Math.max(0, squares) / (runs - 1) / runs;
}

/** Half the width of the interval of a normal mean. */
export function halfWidth(variance: number, runs: number): number {
  return studentQuantile(confidence, runs - 1) * Math.sqrt(variance);
}

export function intervalOf({ mean, variance, runs, event = 0, most }: Seen): Interval {
  if (!(mean > 0)) return [0, most * unseen(runs)];
  const half = halfWidth(variance, runs);
  const one = Math.max(variance / mean, event);
  const spread = (Math.sqrt(variance + one * one) / (mean + one)) ** 2;
  const upper = (mean + one) * (1 - spread / 9 + halfWidth(spread, runs) / 3) ** 3;
  return [Math.max(0, mean - half), Math.max(mean + half, upper)];
}

/** Of a share of time, which may be rare or nearly all. @param event about what one event takes from the share */
export function shareInterval({ mean, variance, runs, event = 0 }: Omit<Seen, 'most'>): Interval {
  const [, stale] = intervalOf({ mean: Math.max(0, 1 - mean), variance, runs, event, most: 1 });
  const [, fresh] = intervalOf({ mean, variance, runs, most: 1 });
  return [Math.max(0, 1 - stale), Math.min(1, fresh)];
}

/** The largest chance of what no replication showed. */
function unseen(runs: number): number {
  return 1 - (1 - confidence) ** (1 / runs);
}

/** The same of a measure of all pages, that is at least 0. */
export function seldomSeen({ mean, interval }: Estimate, runs: number, most: number): Estimate {
  return { mean, interval: intervalOf({ mean, variance: varianceOf(interval, runs), runs, most }) };
}

/** The same of a measure of all pages, from 0 to `all`. */
export function shareOf({ mean, interval }: Estimate, runs: number, all: number): Estimate {
  const [low, high] = shareInterval({ mean: mean / all, variance: varianceOf(interval, runs) / all ** 2, runs });
  return { mean, interval: [all * low, all * high] };
}

/** What an interval by Student's t says of its mean's variance. */
function varianceOf([low, high]: Interval, runs: number): number {
  return ((high - low) / 2 / halfWidth(1, runs)) ** 2;
}
