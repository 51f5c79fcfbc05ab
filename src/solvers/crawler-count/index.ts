export { type Certificate, certifyCrawlerCount } from './certify.ts';
export type { CountEvaluation, CrawlerCountProblem, QueueMeasures } from './model.ts';
export {
  type ClosedForm,
  type CrawlerCountSolution,
  countEvaluator,
  exponentialRate,
  solveCrawlerCount,
} from './solve.ts';
