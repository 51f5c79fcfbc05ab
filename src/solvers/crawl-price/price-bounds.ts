/**
 * Lower and upper bounds on what buckets spend and cost at a price.
 *
 * Objectives are scale-free: in y = λT, the changes between two fetches, and with a = w/λ, cost and price ν of a fetch
 * come to a·C(y)/y + ν/y per unit of λ. The best y solves V(y) = ν/a; the least is then a·c(y), so that nothing is
 * subtracted. All are the objective's own functions at λ = 1 (pages/objectives).
 * Spent: φ(a) = 1/y is 0 up to the reach of the price and concave from there. (Freshness: 2y²e^(−y) + (y − 3)V ≥ 0, as
 * its derivative is 1 − (1 + y²)e^(−y). Delay and harmonic, which reach 0, are roots of a.) Its mean
 * over a bucket lies between the least convex and the greatest concave function around φ, both at the mean of a
 * (Jensen). Within a bucket that is crawled whole these are the chord and φ itself. Where the reach lies inside, they
 * are a chord from there, and a tangent from the least ratio.
 * Cost: per unit of λ let D(a) be the least of cost and ν·(rate): concave in a, so that its mean lies between the chord
 * over [lo, hi] and D at the mean. With derivatives in ln a, D''' − D'' has the sign of the derivative of V/(y²V′); where
 * that is the same in all of the bucket the mean lies between those of its two laws (buckets.ts), which are closer.
 * Weak duality: no plan costs less than Σ λD(a) − νR. The plan at the price, its rates r rescaled by s so that they spend
 * R, costs Σ λD(a) − νR and what the rescaling loses: (ν/y)·∫₁ˢ (1 − V(y/t)/V(y)) dt a page, at most
 * (ν/y)·((s − 1) − (1 − s^(1−e))/(e − 1)) where e is the elasticity of V. That is of second order in s − 1. Where s is
 * near 0 the bound by convexity (costByChord) is tighter.
 */
import { findRoot } from '../numerics/search/root.ts';
import type { StalenessCost } from '../pages/objectives/index.ts';
import { type Bucket, meanUnder } from './buckets.ts';

/** Whether a quantity is a lower bound, an estimate or an upper bound. */
export type Side = 'lower' | 'estimate' | 'upper';

export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** Spending and cost of buckets at a price, bounded. */
interface PriceAccount {
  readonly price: number;
  readonly spending: Bounds;
  /** Σ λD(a). */
  readonly cost: Bounds;
  /** By bucket: the fewest changes between two crawls of a page, and the upper bound on what its pages spend. */
  readonly minChanges: Float64Array;
  readonly maxSpent: Float64Array;
}

/** Fewer changes between two crawls than this have squares out of double precision. */
const smallestChanges = 1e-100;
/** Step of the difference quotient that finds the tangent point, relative to the distance from the bucket's lower end. */
const differenceStep = 1e-6;

/** Of freshness V/(y²V′) = (e^y − 1 − y)/y³ falls up to a y between these two and rises from there; of others it falls. */
const turningPoint = [2.148, 2.15];

/** A page whose ratio is at most this many times the price is never fetched: worth has a limit, or none. */
export const fetchCutoffFactor = (objective: StalenessCost): 0 | 1 =>
  objective.worth(1, 1, Number.POSITIVE_INFINITY) < Number.POSITIVE_INFINITY ? 1 : 0;

/** y·V′(y)/V(y), which falls in y from 2: what rescaling loses. */
const elasticity = (objective: StalenessCost, y: number): number =>
  y > smallestChanges ? Math.min(2, (y * y * objective.growth(1, y)) / objective.worth(1, 1, y)) : 2;

/** Crawls per unit of time of the pages of a bucket at a price. */
export function crawlRateAt(objective: StalenessCost, bucket: Bucket, price: number, side: Side): number {
  const rate = (ratio: number): number => 1 / objective.intervalAt(1, ratio, price);
  const { changeRate, low, high, mean, laws } = bucket;
  const reach = fetchCutoffFactor(objective) * price;
  if (high <= reach) return 0;
  if (low === high) return changeRate * rate(mean);
  if (side === 'estimate') return (changeRate / 2) * (meanUnder(laws[0], rate) + meanUnder(laws[1], rate));
  if (side === 'lower') return changeRate * chord(bucket, reach, rate(low), rate(high));
  return changeRate * (low >= reach ? rate(mean) : tangent(rate, bucket, reach));
}

/** Cost of a bucket at a crawl rate if all its pages had the mean ratio. */
export function costAtRate(objective: StalenessCost, bucket: Bucket, crawls: number): number {
  const changes = bucket.changeRate / crawls;
  const weight = bucket.changeRate * bucket.mean;
  if (changes < Number.POSITIVE_INFINITY) return (weight * objective.integral(1, changes)) / changes;
  return fetchCutoffFactor(objective) === 1 ? weight : Number.POSITIVE_INFINITY;
}

/**
 * Bounds on the cost of buckets when their rates at a price are rescaled to spend a given rate; the price of the crawls
 * is not counted.
 * O(buckets).
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
 * Adds to `counts` the pages that are never crawled: those whose ratio is within the reach of the price. The lower bound
 * counts buckets wholly within reach of the lowest possible price, the upper bound those with any page within reach of the
 * highest. The estimate takes the pages of a bucket as spread evenly over ln a.
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

/** At the mean, the convex envelope of a function that is flat up to the reach and concave from there. */
function chord({ low, high, mean }: Bucket, reach: number, atLow: number, atHigh: number): number {
  const from = Math.max(low, reach);
  return mean > from ? atLow + (atHigh - atLow) * ((mean - from) / (high - from)) : atLow;
}

/**
 * At the mean, the concave envelope of φ over the bucket: the line from (low, 0) tangent to φ, or φ itself beyond the
 * tangent point.
 */
function tangent(rate: (ratio: number) => number, { low, high, mean }: Bucket, reach: number): number {
  if (mean <= low) return 0;
  const slope = (ratio: number): number => rate(ratio) / (ratio - low);
  const slopeChange = (ratio: number): number => slope(ratio + differenceStep * (ratio - low)) - slope(ratio);
  const from = Math.max(mean, reach);
  const falls = !(slopeChange(from) > 0);
  const tangentPoint = falls
    ? from
    : slopeChange(high) >= 0
      ? high
      : findRoot(slopeChange, from, high, differenceStep * (from - low));
  return (
    (1 + 10 * differenceStep ** 2) * Math.max(rate(mean), (mean - low) * Math.max(slope(tangentPoint), slope(high)))
  );
}

/** Upper bound on the loss by rescaling to a rate; Infinity where the price may spend nothing. */
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
 * Upper bound on the cost of the rescaled plan by convexity. With its crawls scaled by s < 1 a page costs at most
 * (1 − s)·c₀ + s·c₁, c₀ its cost without crawls and c₁ that at the price; with s ≥ 1 at most c₁. The bound is of first
 * order in s − 1, but stays tight as s → 0. Where the price may spend nothing it is the cost without crawls; Infinity
 * where that is unbounded.
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
 * |∫₁ˢ (1 − t^(−e)) dt|, from above, e ≤ 2: by its value at e = 2, or by one of two bounds. Where t is above 1,
 * 1 − t^(−e) ≤ e·ln t. Where it is below, t^(−e) − 1 ≤ e·ln(1/t)·t^(−e), with ln t at most t − 1.
 */
function lossFactor(scale: number, elasticity: number): number {
  const square = (scale - 1) ** 2;
  return Math.min(square / scale, ((elasticity * square) / 2) * Math.max(1, scale ** (-elasticity - 1)));
}
