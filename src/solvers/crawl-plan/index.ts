/** From a crawl log to a plan: see plan-crawls.ts, which names its parts in their order. */

export { maxPlanCrawls, nextOpenTime } from './limits.ts';
export { planCrawls } from './plan-crawls.ts';
export type { Availability, CrawlPlan, CrawlPlanAnswer, CrawlPlanProblem, PlanConflict } from './problem.ts';
export { plainPages } from './problem.ts';
export type { CrawlPlanQuestion } from './solve.ts';
/** @internal The library has operations for it. */
export { solveCrawlPlan } from './solve.ts';
export { solvePlanTarget } from './target/solve-target.ts';
