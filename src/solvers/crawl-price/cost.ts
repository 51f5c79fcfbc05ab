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
import { atHigh, atLow, meanRate } from './spent.ts';

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

/** O(buckets). */
export function accountAt(objective: ScaleFree, buckets: readonly Bucket[], price: number): PriceAccount {
  const once = pricingOnce(objective);
  const [spent, cost] = [
    { below: 0, estimate: 0, above: 0 },
    { below: 0, above: 0 },
  ];
  const busiest = new Float64Array(buckets.length);
  const most = new Float64Array(buckets.length);
  for (const [b, bucket] of buckets.entries()) {
    const { changeRate, high } = bucket;
    busiest[b] = once.changesBetween(high, price);
    most[b] = changeRate * meanRate(once, bucket, price, 'above');
    spent.below += changeRate * meanRate(once, bucket, price, 'below');
    spent.estimate += changeRate * meanRate(once, bucket, price, 'estimate');
    spent.above += most[b];
    const least = meanLeastCost(once, bucket, price);
    cost.below += changeRate * least.below;
    cost.above += changeRate * least.above;
  }
  return { price, spent, cost, busiest, most };
}

/** Remembers the last ratios: a bucket asks for the same ones again. */
function pricingOnce(objective: ScaleFree): ScaleFree {
  const ratios = new Float64Array(6);
  const changes = new Float64Array(6);
  let next = 0;
  return {
    ...objective,
    changesBetween(ratio, price) {
      const known = ratios.indexOf(ratio);
      if (known >= 0) return changes[known];
      const found = objective.changesBetween(ratio, price);
      ratios[next] = ratio;
      changes[next] = found;
      next = (next + 1) % ratios.length;
      return found;
    },
  };
}

function meanLeastCost(objective: ScaleFree, bucket: Bucket, price: number): Bounds {
  const { low, high, mean } = bucket;
  const least = (ratio: number): number => ratio * objective.marginal(objective.changesBetween(ratio, price));
  const reach = objective.reach * price;
  if (high <= reach) return { below: mean, above: mean };
  const jensen = least(mean);
  if (low === high) return { below: jensen, above: jensen };
  const start = least(low);
  const chord = start + (least(high) - start) * ((mean - low) / (high - low));
  if (low < reach || turnsInside(objective, bucket, price)) return { below: Math.min(chord, jensen), above: jensen };
  const first = atLow(bucket, least);
  const second = atHigh(bucket, least);
  const below = Math.min(jensen, Math.max(chord, Math.min(first, second)));
  return { below, above: Math.max(below, Math.min(jensen, Math.max(first, second))) };
}

function turnsInside({ turn, changesBetween }: ScaleFree, { low, high }: Bucket, price: number): boolean {
  return turn !== null && changesBetween(high, price) < turn[1] && changesBetween(low, price) > turn[0];
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
