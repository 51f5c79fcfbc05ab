/**
 * What the pages of a bucket spend at a price, per unit of their change rates: estimated, and from below and above.
 *
 * φ(a) = 1/y is 0 up to the reach of the price and concave from there (the table in problem.ts). So the mean of φ over
 * a bucket lies between two functions around φ, both taken at the mean of a (Jensen). They are the least convex and the
 * greatest concave one. Within a bucket that is crawled whole these are the chord and φ itself. Where the reach lies
 * inside, they are a chord from there, and a tangent from the least ratio. Both fall in the price, as φ does. The
 * estimate takes φ at the points of the two principal representations.
 */
import { findRoot } from '../numerics/search/root.ts';
import type { ScaleFree } from '../pages/objectives/index.ts';
import type { Bucket, TwoPoints } from './buckets.ts';

/** Which side of the truth a quantity is on. */
export type Side = 'below' | 'estimate' | 'above';

/** Of the way from the end of a bucket: how near a tangent's point is found. */
const beside = 1e-6;

/** Crawls per unit of time that the buckets take at a price. O(buckets). */
export function spentAt(objective: ScaleFree, buckets: readonly Bucket[], price: number, side: Side): number {
  let sum = 0;
  for (const bucket of buckets) sum += bucket.changeRate * meanRate(objective, bucket, price, side);
  return sum;
}

/** The mean of φ over a bucket. */
function meanRate(objective: ScaleFree, bucket: Bucket, price: number, side: Side): number {
  const rate = (ratio: number): number => 1 / objective.changesBetween(ratio, price);
  const { low, high, mean, fromLow, fromHigh } = bucket;
  const reach = objective.reach * price;
  if (high <= reach) return 0;
  if (low === high) return rate(low);
  if (side === 'below') return chord(bucket, reach, rate(low), rate(high));
  if (side === 'above') return low >= reach ? rate(mean) : tangent(rate, bucket, reach);
  return (mixed(fromLow, rate(low), rate(fromLow.point)) + mixed(fromHigh, rate(high), rate(fromHigh.point))) / 2;
}

/** The least convex function at the mean, of one that is flat up to the reach and concave from there. */
export function chord({ low, high, mean }: Bucket, reach: number, atLow: number, atHigh: number): number {
  const from = Math.max(low, reach);
  return mean > from ? atLow + (atHigh - atLow) * ((mean - from) / (high - from)) : atLow;
}

/**
 * The greatest concave function at the mean: the steepest line from (low, 0) to φ, or φ beyond the point where it
 * touches.
 */
export function tangent(rate: (ratio: number) => number, { low, high, mean }: Bucket, reach: number): number {
  if (mean <= low) return 0;
  const slope = (ratio: number): number => rate(ratio) / (ratio - low);
  const rising = (ratio: number): number => slope(ratio + beside * (ratio - low)) - slope(ratio);
  const from = Math.max(mean, reach);
  const falls = !(rising(from) > 0);
  const touching = falls ? from : rising(high) >= 0 ? high : findRoot(rising, from, high, beside * (from - low));
  return (1 + 10 * beside ** 2) * Math.max(rate(mean), (mean - low) * Math.max(slope(touching), slope(high)));
}

/** Mean of a function under a representation, from its values at the end of the bucket and at the point. */
export const mixed = ({ probability }: TwoPoints, atEnd: number, atPoint: number): number =>
  (1 - probability) * atEnd + probability * atPoint;
