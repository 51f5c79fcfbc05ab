/**
 * What the pages of a bucket spend at a price, per unit of their change rates: estimated, and from below and above.
 *
 * φ(a) = 1/y is 0 up to the reach of the price and concave from there (the table in problem.ts). So the mean of φ over
 * a bucket lies between two functions around φ, both taken at the mean of a (Jensen). They are the least convex and the
 * greatest concave one. Within a bucket that is crawled whole these are the chord and φ itself. Where the reach lies
 * inside, they are a chord from there, and a tangent from the least ratio. Both fall in the price, as φ does. The
 * estimate takes φ at the points of the two principal representations.
 */
import { goldenSection } from '../numerics/search/golden-section.ts';
import type { ScaleFree } from '../pages/objectives/index.ts';
import type { Bucket } from './buckets.ts';

/** Which side of the truth a quantity is on. */
export type Side = 'below' | 'estimate' | 'above';

/** Crawls per unit of time that the buckets take at a price. O(buckets). */
export function spentAt(objective: ScaleFree, buckets: readonly Bucket[], price: number, side: Side): number {
  let sum = 0;
  for (const bucket of buckets) sum += bucket.changeRate * meanRate(objective, bucket, price, side);
  return sum;
}

/** The mean of φ over a bucket. */
export function meanRate(objective: ScaleFree, bucket: Bucket, price: number, side: Side): number {
  const rate = (ratio: number): number => 1 / objective.changesBetween(ratio, price);
  const { low, high, mean } = bucket;
  const reach = objective.reach * price;
  if (high <= reach) return 0;
  if (low === high) return rate(low);
  if (side === 'below') {
    const from = Math.max(low, reach);
    if (mean <= from) return low >= reach ? rate(low) : 0;
    const start = low >= reach ? rate(low) : 0;
    return high > from ? start + (rate(high) - start) * ((mean - from) / (high - from)) : start;
  }
  if (side === 'above') return low >= reach ? rate(mean) : tangent(rate, bucket);
  return (atLow(bucket, rate) + atHigh(bucket, rate)) / 2;
}

/**
 * The greatest concave function at the mean: the steepest line from (low, 0) to φ, or φ beyond the point where it
 * touches.
 */
function tangent(rate: (ratio: number) => number, { low, high, mean }: Bucket): number {
  if (mean <= low) return 0;
  const negative = (ratio: number): number => -rate(ratio) * ((mean - low) / (ratio - low));
  const steepest = -goldenSection(negative, mean, high, (high - mean) * 1e-9 + high * 1e-15).value;
  return (1 + 1e-12) * Math.max(rate(mean), steepest, rate(high) * ((mean - low) / (high - low)));
}

/** Mean of a function under the representation with a point at the least ratio. */
export function atLow({ low, fromLow }: Bucket, f: (ratio: number) => number): number {
  const { point, probability } = fromLow;
  return probability === 1 ? f(point) : (1 - probability) * f(low) + probability * f(point);
}

/** Mean of a function under the representation with a point at the largest ratio. */
export function atHigh({ high, fromHigh }: Bucket, f: (ratio: number) => number): number {
  const { point, probability } = fromHigh;
  return probability === 1 ? f(point) : (1 - probability) * f(high) + probability * f(point);
}
