export type { Histogram } from './buckets.ts';
export { type NeededRateMissed, neededRate, priceCurve } from './needed-rate.ts';
export type { CrawlPriceAnswer, CrawlPriceProblem, HostPrice } from './problem.ts';
export { priceTolerance, solveCrawlPrice } from './solve.ts';
