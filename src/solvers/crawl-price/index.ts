export type { PriceQuestion, PricesInForce } from './answer.ts';
/** @internal The library has operations for it. */
export { solvePriceQuestion } from './answer.ts';
export type { Histogram } from './buckets.ts';
export {
  type GroupNeeds,
  type NeededByTarget,
  neededByTarget,
  type PriceTargets,
  type TargetsMissed,
} from './needed-by-target.ts';
export { type NeededRate, type NeededRateMissed, neededRate, priceCurve } from './needed-rate.ts';
export type { CrawlPriceAnswer, CrawlPriceProblem, HostPrice } from './problem.ts';
export { priceTolerance, solveCrawlPrice } from './solve.ts';
