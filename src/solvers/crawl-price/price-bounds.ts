/**
 * What buckets spend and cost at a price, from both sides.
 *
 * Spent: φ(a) = 1/y is 0 up to the reach of the price and concave from there (objectives/staleness-cost.ts). Its mean
 * over a bucket lies between the least convex and the greatest concave function around φ, both at the mean of a
 * (Jensen). Within a bucket that is crawled whole these are the chord and φ itself. Where the reach lies inside, they
 * are a chord from there, and a tangent from the least ratio.
 * Cost: per unit of λ let D(a) be the least of cost and ν·(rate): concave in a, so that its mean lies between the chord
 * over [lo, hi] and D at the mean. Weak duality: no plan costs less than Σ λD(a) − νR. The plan at the price, its rates
 * r rescaled by s so that they spend R, costs Σ λD(a) − νR and what the rescaling loses. That is
 * (ν/y)·∫₁ˢ (1 − V(y/t)/V(y)) dt a page, at most (ν/y)·((s − 1) − (1 − s^(1−e))/(e − 1)) where e is the elasticity of V:
 * of second order in s − 1. Where next to nothing is left of what the price would spend, convexity alone says more
 * (costByChord).
 */
import { findRoot } from '../numerics/search/root.ts';
import type { ScaleFree } from '../pages/objectives/index.ts';
import type { Bucket } from './buckets.ts';

/** Which side of the truth a quantity is on. */
export type Side = 'below' | 'estimate' | 'above';

export interface Bounds {
  readonly below: number;
  readonly above: number;
}

/** What buckets spend and cost at a price. */
interface PriceAccount {
  readonly price: number;
  readonly spent: Bounds;
  /** Σ λD(a). */
  readonly cost: Bounds;
  /** By bucket: the least changes between two crawls of a page, and what its pages spend from above. */
  readonly busiest: Float64Array;
  readonly most: Float64Array;
}

/** Distance to the second point of the difference quotient that finds where a tangent touches, relative to the bucket's end. */
const differenceStep = 1e-6;

/** Crawls per unit of time of the pages of a bucket at a price. */
export function crawlRateAt(objective: ScaleFree, bucket: Bucket, price: number, side: Side): number {
  const rate = (ratio: number): number => 1 / objective.changesBetween(ratio, price);
  const { changeRate, low, high, mean, middle } = bucket;
  const reach = objective.reach * price;
  if (high <= reach) return 0;
  if (side === 'estimate' || low === high) return changeRate * rate(middle);
  if (side === 'below') return changeRate * chord(bucket, reach, rate(low), rate(high));
  return changeRate * (low >= reach ? rate(mean) : tangent(rate, bucket, reach));
}

/** What a bucket leaves at a number of crawls, were its pages of one ratio. @param until C(y) at λ = 1 */
export function costAtRate(until: (y: number) => number, { reach }: ScaleFree, bucket: Bucket, crawls: number): number {
  const changes = bucket.changeRate / crawls;
  const weight = bucket.changeRate * bucket.mean;
  if (changes < Number.POSITIVE_INFINITY) return (weight * until(changes)) / changes;
  return reach === 1 ? weight : Number.POSITIVE_INFINITY;
}

/**
 * What buckets cost when their rates at a price are rescaled to a rate; the crawls' own cost is not counted.
 * O(buckets).
 */
export function boundRescaledCost(
  objective: ScaleFree,
  buckets: readonly Bucket[],
  price: number,
  rate: number,
): Bounds {
  const account = accountAt(objective, buckets, price);
  const paid = price * rate;
  const above = account.cost.above - paid + rescalingLoss(objective, account, rate);
  return { below: account.cost.below - paid, above: Math.min(above, costByChord(objective, buckets, account, rate)) };
}

/**
 * Adds to `counts` the pages whose ratio is within the reach of the price. From below they are those of buckets that
 * lie within the reach of the lowest price possible. From above they are those of buckets with any page in reach of the
 * highest. Inside a bucket as if its pages were spread evenly over ln a.
 */
export function countUncrawledPages(
  { reach }: ScaleFree,
  { pages, low, high }: Bucket,
  price: number,
  [lowest, highest]: readonly [number, number],
  counts: { pages: number; low: number; high: number },
): void {
  if (reach === 0) return;
  if (high <= lowest) counts.low += pages;
  if (low <= highest) counts.high += pages;
  if (high <= price) counts.pages += pages;
  else if (low < price) counts.pages += Math.round((pages * Math.log(price / low)) / Math.log(high / low));
}

function accountAt(objective: ScaleFree, buckets: readonly Bucket[], price: number): PriceAccount {
  const least = (ratio: number): number => ratio * objective.marginal(objective.changesBetween(ratio, price));
  const [spent, cost] = [
    { below: 0, above: 0 },
    { below: 0, above: 0 },
  ];
  const busiest = new Float64Array(buckets.length).fill(Number.POSITIVE_INFINITY);
  const most = new Float64Array(buckets.length);
  for (const [b, bucket] of buckets.entries()) {
    const { changeRate, low, high, mean } = bucket;
    if (high <= objective.reach * price) {
      cost.below += changeRate * mean;
      cost.above += changeRate * mean;
      continue;
    }
    busiest[b] = objective.changesBetween(high, price);
    most[b] = crawlRateAt(objective, bucket, price, 'above');
    spent.below += crawlRateAt(objective, bucket, price, 'below');
    spent.above += most[b];
    const atMean = changeRate * least(mean);
    cost.above += atMean;
    cost.below += low === high ? atMean : Math.min(atMean, changeRate * chord(bucket, low, least(low), least(high)));
  }
  return { price, spent, cost, busiest, most };
}

/** The least convex function at the mean, of one that is flat up to the reach and concave from there. */
function chord({ low, high, mean }: Bucket, reach: number, atLow: number, atHigh: number): number {
  const from = Math.max(low, reach);
  return mean > from ? atLow + (atHigh - atLow) * ((mean - from) / (high - from)) : atLow;
}

/**
 * The greatest concave function at the mean: the steepest line from (low, 0) to φ, or φ beyond the point where it
 * touches.
 */
function tangent(rate: (ratio: number) => number, { low, high, mean }: Bucket, reach: number): number {
  if (mean <= low) return 0;
  const slope = (ratio: number): number => rate(ratio) / (ratio - low);
  const rising = (ratio: number): number => slope(ratio + differenceStep * (ratio - low)) - slope(ratio);
  const from = Math.max(mean, reach);
  const falls = !(rising(from) > 0);
  const touching = falls
    ? from
    : rising(high) >= 0
      ? high
      : findRoot(rising, from, high, differenceStep * (from - low));
  return (1 + 10 * differenceStep ** 2) * Math.max(rate(mean), (mean - low) * Math.max(slope(touching), slope(high)));
}

/** The most that rescaling to the rate can lose; Infinity where nothing may be spent at the price. */
function rescalingLoss({ elasticity }: ScaleFree, account: PriceAccount, rate: number): number {
  const { price, spent, busiest, most } = account;
  if (spent.below <= 0) return Number.POSITIVE_INFINITY;
  const lossAt = (scale: number): number => {
    let sum = 0;
    for (let b = 0; b < most.length; b++) {
      if (busiest[b] === Infinity) continue;
      sum += most[b] * lossFactor(scale, elasticity(busiest[b] * Math.min(1, 1 / scale)));
    }
    return price * sum;
  };
  return Math.max(lossAt(rate / spent.above), lossAt(rate / spent.below));
}

/**
 * The most that the pages cost when what they would spend at the price is rescaled to the rate, by convexity. With
 * s < 1 crawls in place of one a page costs at most (1 − s)·c₀ + s·c₁. Here c₀ is what it costs without any crawl, and
 * c₁ what it costs at the price. With more crawls it costs at most what it costs at the price. Of first order in s − 1,
 * but no worse where little is left of what the price would have spent. What they cost without any crawl where nothing
 * may be spent; Infinity where that has no end.
 */
function costByChord(
  { reach }: ScaleFree,
  buckets: readonly Bucket[],
  { price, spent, cost }: PriceAccount,
  rate: number,
): number {
  if (reach !== 1) return Number.POSITIVE_INFINITY;
  const withoutCrawls = buckets.reduce((sum, { changeRate, mean }) => sum + changeRate * mean, 0);
  if (spent.below <= 0) return withoutCrawls;
  const smallest = Math.min(1, rate / spent.above);
  const fewer = withoutCrawls - smallest * (withoutCrawls - cost.above) - price * Math.min(rate, spent.above);
  return spent.below < rate ? Math.max(fewer, cost.above - price * spent.below) : fewer;
}

/**
 * |∫₁ˢ (1 − t^(−e)) dt|, from above: by its value at the whole exponent above e, or by one of two bounds. Where t is
 * above 1, 1 − t^(−e) ≤ e·ln t. Where it is below, t^(−e) − 1 ≤ e·ln(1/t)·t^(−e), with ln t at most t − 1.
 */
function lossFactor(scale: number, elasticity: number): number {
  const square = (scale - 1) ** 2;
  const whole = elasticity > 2 ? (square * (2 * scale + 1)) / (2 * scale * scale) : square / scale;
  return Math.min(whole, ((elasticity * square) / 2) * Math.max(1, scale ** (-elasticity - 1)));
}
