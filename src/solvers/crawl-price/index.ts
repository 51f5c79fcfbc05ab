export type { Histogram } from './buckets.ts';
export { type MinRate, minimizeRate } from './minimize-rate.ts';
export { priceOfRate, priceTolerance } from './price-of-rate.ts';
export type { CrawlPriceAnswer, CrawlPriceProblem } from './problem.ts';
export { type CrawlGroup, type Share, shareCrawls } from './share-crawls.ts';
export type { CrawlPriceQuestion, PricesInForce } from './solve.ts';
/** @internal The library has operations for it. */
export { solveCrawlPrice } from './solve.ts';
