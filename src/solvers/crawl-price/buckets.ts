/** A histogram of pages by their ratio a of weight to change rate: number, sums and range of ratios per bucket. */

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
  /** exp(M/Λ): rates at this ratio estimate those of the pages to second order in the bucket's width. */
  readonly middle: number;
}

/** Bucket `b` of a histogram. Means that rounding of the sums put outside [lo, hi] are clamped to it. */
export function readBucket(histogram: Histogram, b: number): Bucket {
  const changeRate = histogram.changeRate[b];
  const low = histogram.ratioMin[b];
  const high = histogram.ratioMax[b];
  const inside = (ratio: number): number => Math.min(high, Math.max(low, ratio));
  return {
    pages: histogram.pages[b],
    changeRate,
    low,
    high,
    mean: inside(histogram.weight[b] / changeRate),
    middle: inside(Math.exp(histogram.changeRateLogRatio[b] / changeRate)),
  };
}
