/** Crawler count: how many always-active crawlers should feed one indexing engine. */
export type { CountSolution, CrawlerCountAnswer, MeasuredCount } from './answer.ts';
export { countEvaluator } from './evaluate.ts';
export { optimalCount } from './optimal-count.ts';
export type { CountCosts, CountEvaluation, CountRange, CrawlerCountProblem, QueueMeasures } from './problem.ts';
export { solveCrawlerCount } from './solve.ts';
export { crawlerCountWork } from './work.ts';
