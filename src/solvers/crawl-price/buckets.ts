/**
 * A histogram of pages by their ratio a of weight to change rate: number, sums and range of ratios per bucket.
 *
 * Of the law of a in a bucket, weighted by λ, the range and the means of a and of ln a are known. For a function f of
 * u = ln a with f''' − f'' of one sign (1, u, e^u are a Chebyshev system) the mean of f lies between its means under the
 * two laws on two points that share these means: one has a point at the lowest ratio, the other one at the highest (the
 * principal representations; S. Karlin and W. J. Studden, Tchebycheff Systems, 1966, chapter II).
 */
import { findRoot } from '../numerics/search/root.ts';

/** Sums over the pages of each bucket, one entry a bucket. */
export interface Histogram {
  /** n. */
  readonly pages: Float64Array;
  /** Λ = Σλ. */
  readonly changeRate: Float64Array;
  /** W = Σλa: the sum of the weights. */
  readonly weight: Float64Array;
  /** M = Σ λ ln a. */
  readonly changeRateLogRatio: Float64Array;
  /** Least a. */
  readonly ratioMin: Float64Array;
  /** Largest a. */
  readonly ratioMax: Float64Array;
}

/** A bucket as the solver uses it. */
export interface Bucket {
  readonly pages: number;
  readonly changeRate: number;
  readonly low: number;
  readonly high: number;
  /** Mean of a, weighted by λ. */
  readonly mean: number;
  /** The law with a point at `low`, and the law with a point at `high`. */
  readonly laws: readonly [TwoPoints, TwoPoints];
}

/** A law on two ratios. */
export interface TwoPoints {
  /** `low` or `high` of the bucket. */
  readonly end: number;
  readonly inner: number;
  /** Probability of `inner`. */
  readonly share: number;
}

/** Width of a bucket, in ln a, below which rounding of the sums hides the law within it. */
const minWidth = 1e-12;

/** Bucket `b` of a histogram. Means that rounding of the sums put outside [lo, hi] are clamped to it. */
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
    // share·(e^v − 1) = excess and share·v = logExcess, v from 0 to the range
    const error = (v: number): number => Math.expm1(v) / v - excess / logExcess;
    const v = error(range) * range > 0 ? findRoot(error, range * 1e-9, range) : range;
    const share = logExcess / v;
    return share < 1 ? { end, inner: end * Math.exp(v), share } : alone;
  };
  return { pages: histogram.pages[b], changeRate, low, high, mean, laws: [lawFrom(low, width), lawFrom(high, -width)] };
}

/** Mean of a function of the ratio under a law. */
export const meanUnder = ({ end, inner, share }: TwoPoints, of: (ratio: number) => number): number =>
  share < 1 ? (1 - share) * of(end) + share * of(inner) : of(inner);
