/**
 * A histogram of pages by ratio, and what its sums prove about every bucket.
 *
 * A bucket knows of its pages their number n, Λ = Σλ, W = Σλa, M = Σλ ln a, and the least and largest ratio. Of the law
 * of a, weighted by λ, that leaves the range [lo, hi] and the means of a and of ln a. Take functions f of u = ln a with
 * f''' − f'' of one sign (with respect to 1, u, e^u: a Chebyshev system). The mean of f then lies between two others.
 * They are its means under the two laws on two points that have the same two means. One has a point at lo, the other a
 * point at hi (the principal representations; S. Karlin and W. J. Studden, Tchebycheff Systems, 1966, chapter II). They
 * are made once, whatever the price.
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
  /** The law with a point at `low`: its other point, and that point's probability. */
  readonly fromLow: TwoPoints;
  /** The law with a point at `high`. */
  readonly fromHigh: TwoPoints;
}

export interface TwoPoints {
  readonly point: number;
  readonly probability: number;
}

/** Bucket `b` of a histogram. The means are moved into [lo, hi] where rounding of the sums left it. */
export function bucketAt(histogram: Histogram, b: number): Bucket {
  const changeRate = histogram.changeRate[b];
  const low = histogram.ratioMin[b];
  const high = histogram.ratioMax[b];
  const mean = Math.min(high, Math.max(low, histogram.weight[b] / changeRate));
  const logMean = histogram.changeRateLogRatio[b] / changeRate;
  const width = Math.log1p((high - low) / low);
  const alone: TwoPoints = { point: mean, probability: 1 };
  const bucket = { pages: histogram.pages[b], changeRate, low, high, mean };
  if (width < 1e-12) return { ...bucket, fromLow: alone, fromHigh: alone };
  const above = logMean - Math.log(low);
  const below = Math.log(high) - logMean;
  return {
    ...bucket,
    fromLow: pointAbove(low, (mean - low) / low, above, width) ?? alone,
    fromHigh: pointBelow(high, (high - mean) / high, below, width) ?? alone,
  };
}

/** p(e^v − 1) = excess and p·v = logExcess. */
function pointAbove(low: number, excess: number, logExcess: number, width: number): TwoPoints | null {
  if (!(excess > 0 && logExcess > 0 && excess > logExcess)) return null;
  const ratio = excess / logExcess;
  const missing = (v: number): number => Math.expm1(v) / v - ratio;
  const v = missing(width) <= 0 ? width : findRoot(missing, width * 1e-9, width);
  const probability = excess / Math.expm1(v);
  return probability < 1 ? { point: low * Math.exp(v), probability } : null;
}

/** p(1 − e^(−v)) = lack and p·v = logLack. */
function pointBelow(high: number, lack: number, logLack: number, width: number): TwoPoints | null {
  if (!(lack > 0 && logLack > 0 && lack < logLack)) return null;
  const ratio = lack / logLack;
  const missing = (v: number): number => -Math.expm1(-v) / v - ratio;
  const v = missing(width) >= 0 ? width : findRoot(missing, width * 1e-9, width);
  const probability = lack / -Math.expm1(-v);
  return probability < 1 ? { point: high * Math.exp(-v), probability } : null;
}
