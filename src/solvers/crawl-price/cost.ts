/**
 * What the plan at a price costs, proved from both sides.
 *
 * Per page and unit of λ let D(a) be the least of cost and ν·(rate): concave in a. Weak duality: no plan costs less
 * than Σ λD(a) − νR. The plan at the price, its rates r rescaled by s so that they spend R, costs Σ λD(a) − νR and what
 * the rescaling loses. That is (ν/y)·∫₁ˢ (1 − V(y/t)/V(y)) dt a page, at most (ν/y)·((s − 1) − (1 − s^(1−e))/(e − 1))
 * where e is the elasticity of V. Summed over the pages that is of second order in s − 1: νS(s − 1)²/s for e = 2, S
 * what is spent before. Where next to nothing is left of what the price would spend, convexity alone says more
 * (costByChord). The sum Σ λD(a) is taken from both sides by the principal representations of each bucket. Where
 * D''' − D'' changes its sign inside, chord and Jensen's inequality take it (objectives/staleness-cost.ts).
 */

import type { ScaleFree } from '../pages/objectives/index.ts';
import type { Bucket } from './buckets.ts';
import { chord, mixed, tangent } from './spent.ts';

export interface Bounds {
  readonly below: number;
  readonly above: number;
}

/** What buckets spend and cost at a price. */
export interface PriceAccount {
  readonly price: number;
  readonly spent: Bounds & { readonly estimate: number };
  /** Σ λD(a). */
  readonly cost: Bounds;
  /** By bucket: the least changes between two crawls of a page, and what its pages spend from above. */
  readonly busiest: Float64Array;
  readonly most: Float64Array;
}

/** O(buckets). What the best rate takes and costs is found once at each of the five ratios that a bucket tells of. */
export function accountAt(objective: ScaleFree, buckets: readonly Bucket[], price: number): PriceAccount {
  const { changesBetween, marginal, turn } = objective;
  const reach = objective.reach * price;
  const rateOf = (ratio: number): number => 1 / changesBetween(ratio, price);
  const [spent, cost] = [
    { below: 0, estimate: 0, above: 0 },
    { below: 0, above: 0 },
  ];
  const busiest = new Float64Array(buckets.length).fill(Number.POSITIVE_INFINITY);
  const most = new Float64Array(buckets.length);
  for (let b = 0; b < buckets.length; b++) {
    const bucket = buckets[b];
    const { changeRate, low, high, mean, fromLow, fromHigh } = bucket;
    if (high <= reach) {
      cost.below += changeRate * mean;
      cost.above += changeRate * mean;
      continue;
    }
    const atMean = changesBetween(mean, price);
    const jensen = changeRate * mean * marginal(atMean);
    if (low === high) {
      busiest[b] = atMean;
      most[b] = changeRate / atMean;
      spent.below += most[b];
      spent.estimate += most[b];
      spent.above += most[b];
      cost.below += jensen;
      cost.above += jensen;
      continue;
    }
    const [atLow, atHigh] = [changesBetween(low, price), changesBetween(high, price)];
    const [above, below] = [changesBetween(fromLow.point, price), changesBetween(fromHigh.point, price)];
    busiest[b] = atHigh;
    most[b] = changeRate * (low >= reach ? 1 / atMean : tangent(rateOf, bucket, reach));
    spent.below += changeRate * chord(bucket, reach, 1 / atLow, 1 / atHigh);
    spent.estimate +=
      (changeRate / 2) * (mixed(fromLow, 1 / atLow, 1 / above) + mixed(fromHigh, 1 / atHigh, 1 / below));
    spent.above += most[b];
    const [costLow, costHigh] = [low * marginal(atLow), high * marginal(atHigh)];
    const straight = changeRate * chord(bucket, low, costLow, costHigh);
    const turns = turn !== null && atHigh < turn[1] && atLow > turn[0];
    if (low < reach || turns) {
      cost.below += Math.min(straight, jensen);
      cost.above += jensen;
      continue;
    }
    const first = changeRate * mixed(fromLow, costLow, fromLow.point * marginal(above));
    const second = changeRate * mixed(fromHigh, costHigh, fromHigh.point * marginal(below));
    const least = Math.min(jensen, Math.max(straight, Math.min(first, second)));
    cost.below += least;
    cost.above += Math.max(least, Math.min(jensen, Math.max(first, second)));
  }
  return { price, spent, cost, busiest, most };
}

/**
 * What buckets would leave and spend at a price, were each of one ratio; the crawls' own cost is not counted.
 * O(buckets).
 */
export function leftAt(objective: ScaleFree, buckets: readonly Bucket[], price: number) {
  let left = 0;
  let spent = 0;
  for (const { changeRate, mean } of buckets) {
    const changes = objective.changesBetween(mean, price);
    spent += changeRate / changes;
    left += changeRate * (mean * objective.marginal(changes) - price / changes);
  }
  return { left, spent };
}

/**
 * What buckets cost when their rates at a price are rescaled to a rate; the crawls' own cost is not counted.
 * O(buckets).
 */
export function rescaled(
  objective: ScaleFree,
  buckets: readonly Bucket[],
  account: PriceAccount,
  rate: number,
): Bounds {
  const { price, cost } = account;
  const paid = price * rate;
  const loss = cost.above - paid + rescalingLoss(objective, account, rate);
  return { below: cost.below - paid, above: Math.min(loss, costByChord(objective, buckets, account, rate)) };
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
