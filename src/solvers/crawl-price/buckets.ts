/**
 * A histogram of pages by their ratio a of weight to change rate: number, sums and range of ratios per bucket.
 *
 * In a bucket, the range of a and the means of a and of ln a, weighted by λ, are known. For a function f of u = ln a
 * with f''' − f'' of one sign (1, u, e^u are a Chebyshev system) the mean of f lies between its means under two laws
 * with two points each and the known means: one law has a point at the lowest ratio, the other at the highest (the
 * principal representations; S. Karlin and W. J. Studden, Tchebycheff Systems, 1966, chapter II).
 */
import { findRoot } from '../numerics/search/root.ts';

/** Sums over the pages of each bucket, by bucket; λ the change rate of a page, a its ratio. */
export interface Histogram {
  /** n: number of pages. */
  readonly pages: Float64Array;
  /** Λ = Σλ. */
  readonly changeRate: Float64Array;
  /** W = Σλa: the sum of the weights. */
  readonly weight: Float64Array;
  /** M = Σ λ ln a. */
  readonly changeRateLogRatio: Float64Array;
  /** Smallest a. */
  readonly ratioMin: Float64Array;
  /** Largest a. */
  readonly ratioMax: Float64Array;
}

/** One bucket of a histogram, with its two principal laws. */
export interface Bucket {
  readonly pages: number;
  /** Λ = Σλ. */
  readonly changeRate: number;
  /** Smallest and largest ratio. */
  readonly low: number;
  readonly high: number;
  /** Mean of a, weighted by λ. */
  readonly mean: number;
  /** The law with a point at `low`, and the law with a point at `high`. */
  readonly laws: readonly [TwoPoints, TwoPoints];
}

/** A probability law with two points. */
export interface TwoPoints {
  /** `low` or `high` of the bucket. */
  readonly end: number;
  readonly inner: number;
  /** Probability of `inner`. */
  readonly share: number;
}

/** Width of a bucket in ln a below which rounding of the sums exceeds the spread: the bucket is one ratio. */
const minWidth = 1e-12;

/** Bucket `b` of a histogram. A mean that rounding puts outside the range of ratios is clamped to it. */
export function readBucket(histogram: Histogram, b: number): Bucket {
  const changeRate = histogram.changeRate[b];
  const low = histogram.ratioMin[b];
  const high = histogram.ratioMax[b];
  const mean = Math.min(high, Math.max(low, histogram.weight[b] / changeRate));
  const logMean = histogram.changeRateLogRatio[b] / changeRate;
  const width = Math.log1p((high - low) / low);
  const lawFrom = (end: number, range: number): TwoPoints => {
    const [excess, logExcess] = [(mean - end) / end, logMean - Math.log(end)];
    const alone = { end, inner: mean, share: 1 };
    if (!(width > minWidth && logExcess * range > 0 && excess > logExcess)) return alone;
    // with inner = end·e^v, the means require share·(e^v − 1) = excess and share·v = logExcess
    const error = (v: number): number => Math.expm1(v) / v - excess / logExcess;
    const v = error(range) * range > 0 ? findRoot(error, range * 1e-9, range) : range;
    const share = logExcess / v;
    return share < 1 ? { end, inner: end * Math.exp(v), share } : alone;
  };
  return { pages: histogram.pages[b], changeRate, low, high, mean, laws: [lawFrom(low, width), lawFrom(high, -width)] };
}

/** The mean of a function of the ratio under a law. */
export const meanUnder = ({ end, inner, share }: TwoPoints, of: (ratio: number) => number): number =>
  share < 1 ? (1 - share) * of(end) + share * of(inner) : of(inner);
