export { type Certificate, certifyCrawlerCount } from './certify.ts';
export type { CountEvaluation, CrawlerCountProblem, QueueMeasures } from './model.ts';
export {
  type ClosedForm,
  type CountEvaluator,
  type CrawlerCountSolution,
  countEvaluator,
  exponentialRate,
  solveCrawlerCount,
} from './solve.ts';
export { crawlerCountWork } from './work.ts';
