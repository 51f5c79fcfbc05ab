export type { Histogram } from './buckets.ts';
export { certifyCrawlPrice } from './certify.ts';
export type { CrawlPriceAnswer, CrawlPriceProblem, HostPrice } from './problem.ts';
export { priceTolerance, solveCrawlPrice } from './solve.ts';
