export type { PriceQuestion, PricesInForce } from './answer.ts';
/** @internal The library has operations for it. */
export { solvePriceQuestion } from './answer.ts';
export type { Histogram } from './buckets.ts';
export { neededByTarget } from './needed-by-target.ts';
export { type NeededRate, neededRate } from './needed-rate.ts';
export type { CrawlPriceAnswer, CrawlPriceProblem } from './problem.ts';
export { priceTolerance, solveCrawlPrice } from './solve.ts';
