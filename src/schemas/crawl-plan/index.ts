/** The wire shapes of `crawl-plan`, and its request as the solver takes it. */
export { crawlPlanBeside, crawlPlanConflict, crawlPlanSolution } from './answer.ts';
export { missedPlanTarget } from './conflict/missed-target.ts';
export { repairsAt } from './conflict/repair-pointers.ts';
export { crawlPlanLimits } from './limits.ts';
export { type CheckedCrawlPlan, crawlPlanRequest } from './request.ts';
export { crawlPlanSentence } from './sentence.ts';
