/** From a crawl log to a plan: evidence, rates, market, place, bound, answer. */

export type { PlanQuestion } from './answer-crawl-plan.ts';
/** @internal The library has operations for it. */
export { solvePlanQuestion } from './answer-crawl-plan.ts';
export { nextOpen } from './limits/allowed.ts';
export { maxPlanCrawls } from './limits/conflict-repair.ts';
export { slotsOfSpending } from './limits/fetch-costs.ts';
export type {
  Availability,
  CrawlPlan,
  CrawlPlanAnswer,
  CrawlPlanProblem,
  FetchCosts,
  PlanConflict,
  PlanFor,
  PlanRepair,
  SignalEvidence,
} from './problem.ts';
export { plainPages } from './problem.ts';
export { solveCrawlPlan } from './solve.ts';
export type { NeededCrawls } from './target/problem.ts';
export { solvePlanTarget } from './target/solve-target.ts';
