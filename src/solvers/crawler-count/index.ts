/** Crawler count: how many always-active crawlers should feed one indexing engine. */

export { bestStaticCount, measureCount } from './optimum.ts';
export type { CountCosts, CountEvaluation, CountRange, CrawlerCountProblem, QueueMeasures } from './problem.ts';
export {
  type CountSolution,
  type CrawlerCountAnswer,
  crawlerCountWork,
  type MeasuredCount,
  solveCrawlerCount,
} from './solve.ts';
