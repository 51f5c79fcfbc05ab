/**
 * Lower and upper bounds on the crawl rates and costs of buckets at a price.
 *
 * Objectives are scale-free: with y = λT, the changes between two fetches, and a = w/λ, cost and price ν of fetches
 * come to a·C(y)/y + ν/y per unit of λ. The best y solves V(y) = ν/a; the minimum is then a·c(y), computed without a
 * subtraction. C, c and V are the objective's functions at λ = 1 (pages/objectives).
 * - Crawl rate: φ(a) = 1/y is 0 for ratios up to a cut-off (ν under freshness, 0 under delay and harmonic) and concave
 *   above it. (Freshness: 2y²e^(−y) + (y − 3)V ≥ 0, as its derivative is 1 − (1 + y²)e^(−y). Delay and harmonic: φ is a
 *   root of a.) The mean of φ over a bucket lies between the convex and the concave envelope of φ at the mean of a
 *   (Jensen). Above the cut-off these are the chord and φ itself. In a bucket that contains the cut-off they are a chord
 *   from the cut-off, and a tangent from the smallest ratio.
 * - Cost: per unit of λ let D(a) be the minimum of cost plus ν·(crawl rate). D is concave, so that its mean lies between
 *   the chord over [lo, hi] and D at the mean. With derivatives in ln a, D''' − D'' has the sign of the derivative of
 *   V/(y²V′); where the sign is constant over the bucket, the mean lies between the means under the two laws of
 *   buckets.ts, which are closer.
 * - Weak duality: no plan costs less than Σ λD(a) − νR. The plan at the price, with all rates rescaled by s so that they
 *   sum to R, costs Σ λD(a) − νR plus the loss by rescaling, (ν/y)·∫₁ˢ (1 − V(y/t)/V(y)) dt a page, which is at most
 *   (ν/y)·((s − 1) − (1 − s^(1−e))/(e − 1)) with e the elasticity of V. This loss is of second order in s − 1. For s
 *   near 0 the bound by convexity (costByChord) is tighter.
 */
import { findRoot } from '../numerics/search/root.ts';
import type { StalenessCost } from '../pages/objectives/index.ts';
import { type Bucket, meanUnder } from './buckets.ts';

/** Whether to compute a lower bound, an estimate or an upper bound. */
export type Side = 'lower' | 'estimate' | 'upper';

export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** Bounds on the crawl rate and the cost of all buckets at a price. */
interface PriceAccount {
  readonly price: number;
  readonly spending: Bounds;
  /** Σ λD(a): cost plus price × crawl rate. */
  readonly cost: Bounds;
  /** By bucket: the smallest y of its pages, and the upper bound on their crawl rate. */
  readonly minChanges: Float64Array;
  readonly maxSpent: Float64Array;
}

/** Smallest y whose square does not underflow by far. */
const smallestChanges = 1e-100;
/** Step of the difference quotient in the search for the tangent point, relative to the ratio's distance from `low`. */
const differenceStep = 1e-6;

/**
 * Bracket of the y at which V/(y²V′) = (e^y − 1 − y)/y³ of freshness turns from falling to rising; others only fall.
 */
const turningPoint = [2.148, 2.15];

/** The cut-off over the price: a page whose ratio is at most this multiple of the price is never fetched. */
export const fetchCutoffFactor = (objective: StalenessCost): 0 | 1 =>
  objective.worth(1, 1, Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY ? 1 : 0;

/** Elasticity y·V′(y)/V(y), which falls in y from 2 at y = 0. */
const elasticity = (objective: StalenessCost, y: number): number =>
  y > smallestChanges ? Math.min(2, (y * y * objective.growth(1, y)) / objective.worth(1, 1, y)) : 2;

/** Crawls per unit of time of the pages of a bucket at a price, or a bound on them. */
export function crawlRateAt(objective: StalenessCost, bucket: Bucket, price: number, side: Side): number {
  const rate = (ratio: number): number => 1 / objective.intervalAt(1, ratio, price);
  const { changeRate, low, high, mean, laws } = bucket;
  const cutoff = fetchCutoffFactor(objective) * price;
  if (high <= cutoff) return 0;
  if (low === high) return changeRate * rate(mean);
  if (side === 'estimate') return (changeRate / 2) * (meanUnder(laws[0], rate) + meanUnder(laws[1], rate));
  if (side === 'lower') return changeRate * chord(bucket, cutoff, rate(low), rate(high));
  return changeRate * (low >= cutoff ? rate(mean) : tangent(rate, bucket, cutoff));
}

/** Cost of a bucket at a crawl rate if all its pages had the mean ratio. */
export function costAtRate(objective: StalenessCost, bucket: Bucket, crawls: number): number {
  const changes = bucket.changeRate / crawls;
  const weight = bucket.changeRate * bucket.mean;
  if (changes < Number.POSITIVE_INFINITY) return (weight * objective.integral(1, changes)) / changes;
  return fetchCutoffFactor(objective) === 1 ? weight : Number.POSITIVE_INFINITY;
}

/**
 * Bounds on the cost per unit of time of buckets whose crawl rates at a price are rescaled to sum to `rate`; the price
 * of the crawls is not included. O(buckets).
 */
export function boundRescaledCost(
  objective: StalenessCost,
  buckets: readonly Bucket[],
  price: number,
  rate: number,
): Bounds {
  const account = accountAt(objective, buckets, price);
  const crawlCost = price * rate;
  const upper = account.cost.upper - crawlCost + rescalingLoss(objective, account, rate);
  return {
    lower: account.cost.lower - crawlCost,
    upper: Math.min(upper, costByChord(objective, buckets, account, rate)),
  };
}

/**
 * Adds to `counts` the pages that are never crawled, because their ratio is at most the price. The lower bound counts
 * buckets wholly below the lowest possible price, the upper bound buckets with any page below the highest possible
 * price. The estimate assumes that the pages of a bucket are spread evenly over ln a.
 */
export function countUncrawledPages(
  objective: StalenessCost,
  { pages, low, high }: Bucket,
  price: number,
  [lowest, highest]: readonly [number, number],
  counts: { pages: number; low: number; high: number },
): void {
  if (fetchCutoffFactor(objective) === 0) return;
  if (high <= lowest) counts.low += pages;
  if (low <= highest) counts.high += pages;
  if (high <= price) counts.pages += pages;
  else if (low < price) counts.pages += Math.round((pages * Math.log(price / low)) / Math.log(high / low));
}

function accountAt(objective: StalenessCost, buckets: readonly Bucket[], price: number): PriceAccount {
  const costAt = (ratio: number): number => ratio * objective.cost(1, objective.intervalAt(1, ratio, price));
  const [spending, cost] = [
    { lower: 0, upper: 0 },
    { lower: 0, upper: 0 },
  ];
  const minChanges = new Float64Array(buckets.length).fill(Number.POSITIVE_INFINITY);
  const maxSpent = new Float64Array(buckets.length);
  for (const [b, bucket] of buckets.entries()) {
    const { changeRate, low, high, mean, laws } = bucket;
    if (high <= fetchCutoffFactor(objective) * price) {
      cost.lower += changeRate * mean;
      cost.upper += changeRate * mean;
      continue;
    }
    minChanges[b] = objective.intervalAt(1, high, price);
    maxSpent[b] = crawlRateAt(objective, bucket, price, 'upper');
    spending.lower += crawlRateAt(objective, bucket, price, 'lower');
    spending.upper += maxSpent[b];
    const atMean = costAt(mean);
    let bounds = [atMean, atMean];
    if (low < high) {
      bounds[0] = Math.min(atMean, chord(bucket, low, costAt(low), costAt(high)));
      if (areLawsBounds(objective, bucket, price)) {
        const means = laws.map((law) => meanUnder(law, costAt));
        bounds = [Math.min(...means), Math.max(...means)];
      }
    }
    cost.lower += changeRate * bounds[0];
    cost.upper += changeRate * bounds[1];
  }
  return { price, spending, cost, minChanges, maxSpent };
}

/** Whether D''' − D'' has one sign in the bucket, so that the means under its two laws bound that of D. */
function areLawsBounds(objective: StalenessCost, { low, high }: Bucket, price: number): boolean {
  if (fetchCutoffFactor(objective) === 0) return true;
  const [maxChanges, minChanges] = [low, high].map((ratio) => objective.intervalAt(1, ratio, price));
  return maxChanges <= turningPoint[0] || (minChanges >= turningPoint[1] && maxChanges < Number.POSITIVE_INFINITY);
}

/** The convex envelope, at the mean ratio, of a function that is flat up to a cut-off and concave above it. */
function chord({ low, high, mean }: Bucket, cutoff: number, atLow: number, atHigh: number): number {
  const from = Math.max(low, cutoff);
  return mean > from ? atLow + (atHigh - atLow) * ((mean - from) / (high - from)) : atLow;
}

/**
 * The concave envelope of φ over a bucket with the cut-off inside, at the mean ratio: the line from (low, 0) tangent to
 * φ, and φ itself beyond the tangent point.
 */
function tangent(rate: (ratio: number) => number, { low, high, mean }: Bucket, cutoff: number): number {
  if (mean <= low) return 0;
  const slope = (ratio: number): number => rate(ratio) / (ratio - low);
  const slopeChange = (ratio: number): number => slope(ratio + differenceStep * (ratio - low)) - slope(ratio);
  const from = Math.max(mean, cutoff);
  const isFalling = !(slopeChange(from) > 0);
  const tangentPoint = isFalling
    ? from
    : slopeChange(high) >= 0
      ? high
      : findRoot(slopeChange, from, high, differenceStep * (from - low));
  return (
    (1 + 10 * differenceStep ** 2) * Math.max(rate(mean), (mean - low) * Math.max(slope(tangentPoint), slope(high)))
  );
}

/** Upper bound on the loss by rescaling to a rate; Infinity if the crawl rate at the price may be 0. */
function rescalingLoss(objective: StalenessCost, account: PriceAccount, rate: number): number {
  const { price, spending, minChanges, maxSpent } = account;
  if (spending.lower <= 0) return Number.POSITIVE_INFINITY;
  const lossAt = (scale: number): number => {
    let sum = 0;
    for (let b = 0; b < maxSpent.length; b++) {
      if (minChanges[b] === Infinity) continue;
      sum += maxSpent[b] * lossFactor(scale, elasticity(objective, minChanges[b] * Math.min(1, 1 / scale)));
    }
    return price * sum;
  };
  return Math.max(lossAt(rate / spending.upper), lossAt(rate / spending.lower));
}

/**
 * Upper bound on the cost of the rescaled plan by convexity. With its crawls scaled by s < 1 a page costs at most (1 −
 * s)·c₀ + s·c₁, c₀ its cost without crawls and c₁ that at the price; with s ≥ 1 at most c₁. The bound is of first order
 * in s − 1, but stays tight as s → 0. If the crawl rate at the price may be 0, the bound is the cost without crawls;
 * Infinity where that cost is unbounded.
 */
function costByChord(
  objective: StalenessCost,
  buckets: readonly Bucket[],
  { price, spending, cost }: PriceAccount,
  rate: number,
): number {
  if (fetchCutoffFactor(objective) === 0) return Number.POSITIVE_INFINITY;
  const withoutCrawls = buckets.reduce((sum, { changeRate, mean }) => sum + changeRate * mean, 0);
  if (spending.lower <= 0) return withoutCrawls;
  const minScale = Math.min(1, rate / spending.upper);
  const fewer = withoutCrawls - minScale * (withoutCrawls - cost.upper) - price * Math.min(rate, spending.upper);
  return spending.lower < rate ? Math.max(fewer, cost.upper - price * spending.lower) : fewer;
}

/**
 * Upper bound on |∫₁ˢ (1 − t^(−e)) dt| for e ≤ 2: the smaller of its value at e = 2 and a bound by 1 − t^(−e) ≤ e·ln t
 * for t > 1, t^(−e) − 1 ≤ e·ln(1/t)·t^(−e) for t < 1, and ln t ≤ t − 1.
 */
function lossFactor(scale: number, elasticity: number): number {
  const square = (scale - 1) ** 2;
  return Math.min(square / scale, ((elasticity * square) / 2) * Math.max(1, scale ** (-elasticity - 1)));
}
