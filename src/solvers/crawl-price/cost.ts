/**
 * What the plan at a price costs, proved from both sides.
 *
 * Per page and unit of λ let D(a) be the least of cost and ν·(rate): concave in a. Weak duality: no plan costs less
 * than Σ λD(a) − νR. The plan at the price, its rates r rescaled by s so that they spend R, costs Σ λD(a) − νR and what
 * the rescaling loses: (ν/y)·∫₁ˢ (1 − V(y/t)/V(y)) dt a page, at most (ν/y)·((s − 1) − (1 − s^(1−e))/(e − 1)) where e
 * is the elasticity of V. Summed over the pages that is of second order in s − 1: νS(s − 1)²/s for e = 2, S what is
 * spent before. Where next to nothing is left of what the price would spend, convexity alone says more (costByChord).
 * Σ λD(a) is taken from both sides by the principal representations of each bucket, or by chord and Jensen's inequality
 * where D''' − D'' changes its sign inside (objectives/staleness-cost.ts).
 */

import type { ScaleFree } from '../pages/objectives/index.ts';
import type { Bucket } from './buckets.ts';
import { atHigh, atLow, meanRate } from './spent.ts';

export interface Bounds {
  readonly below: number;
  readonly above: number;
}

/** Σ λD(a) over the buckets, from both sides. O(buckets). */
export function leastCost(objective: ScaleFree, buckets: readonly Bucket[], price: number): Bounds {
  let below = 0;
  let above = 0;
  for (const bucket of buckets) {
    const mean = meanLeastCost(objective, bucket, price);
    below += bucket.changeRate * mean.below;
    above += bucket.changeRate * mean.above;
  }
  return { below, above };
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

/** What is given out at a price: the rate aimed at, and what the pages spend at the price. */
export interface Rescaling {
  readonly price: number;
  readonly rate: number;
  readonly spent: Bounds;
}

/** The most that rescaling to the rate can lose; Infinity where nothing may be spent at the price. O(buckets). */
export function rescalingLoss(objective: ScaleFree, buckets: readonly Bucket[], rescaling: Rescaling): number {
  const { price, rate, spent } = rescaling;
  if (spent.below <= 0) return Number.POSITIVE_INFINITY;
  const lossAt = (scale: number): number => {
    let sum = 0;
    for (const bucket of buckets) {
      const busiest = objective.changesBetween(bucket.high, price);
      if (busiest === Infinity) continue;
      const elasticity = objective.elasticity(busiest * Math.min(1, 1 / scale));
      sum += bucket.changeRate * meanRate(objective, bucket, price, 'above') * lossFactor(scale, elasticity);
    }
    return price * sum;
  };
  return Math.max(lossAt(rate / spent.above), lossAt(rate / spent.below));
}

/**
 * The most that the pages cost when what they would spend at the price is rescaled to the rate, by convexity: of s
 * crawls in place of one a page costs at most (1 − s) of what it costs without any and s of what it costs at the price,
 * and of more crawls at most what it costs at the price. Of first order in s − 1, but no worse where little is left of
 * what the price would have spent. What they cost without any crawl where nothing may be spent; Infinity where that
 * has no end. O(buckets).
 */
export function costByChord(
  objective: ScaleFree,
  buckets: readonly Bucket[],
  { price, rate, spent }: Rescaling,
  least: number,
): number {
  if (objective.reach !== 1) return Number.POSITIVE_INFINITY;
  const withoutCrawls = buckets.reduce((sum, { changeRate, mean }) => sum + changeRate * mean, 0);
  if (spent.below <= 0) return withoutCrawls;
  const smallest = Math.min(1, rate / spent.above);
  const fewer = withoutCrawls - smallest * (withoutCrawls - least) - price * Math.min(rate, spent.above);
  return spent.below < rate ? Math.max(fewer, least - price * spent.below) : fewer;
}

/**
 * |∫₁ˢ (1 − t^(−e)) dt|, from above: by its value at the whole exponent above e, or by 1 − t^(−e) ≤ e·ln t where t is above 1 and
 * t^(−e) − 1 ≤ e·ln(1/t)·t^(−e) where it is below, with ln t at most t − 1.
 */
function lossFactor(scale: number, elasticity: number): number {
  const square = (scale - 1) ** 2;
  const whole = elasticity > 2 ? (square * (2 * scale + 1)) / (2 * scale * scale) : square / scale;
  return Math.min(whole, ((elasticity * square) / 2) * Math.max(1, scale ** (-elasticity - 1)));
}
