export { certifyCrawlerCount } from './certify.ts';
export { type CountEvaluator, countEvaluator, exponentialRate } from './evaluate.ts';
export { crawlerCountsInTurn } from './in-turn.ts';
export type { CountEvaluation, CountRange, CrawlerCountProblem, QueueMeasures } from './model.ts';
export { type ClosedForm, type CrawlerCountAnswer, solveCrawlerCount } from './solve.ts';
export { crawlerCountWork } from './work.ts';
