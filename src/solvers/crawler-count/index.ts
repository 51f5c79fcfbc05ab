/** Crawler count: how many always-active crawlers should feed one indexing engine. */

export { bestStaticCount, countEvaluator } from './optimum.ts';
export type { CrawlerCountProblem, LimitedMeasure, QueueMeasures } from './problem.ts';
export { type CrawlerCountAnswer, crawlerCountWork, solveCrawlerCount } from './solve.ts';
