/** The wire shapes of `crawl-plan`, and its request as the solver takes it. */
export { crawlPlanConflict, crawlPlanSentence, crawlPlanSolution, crawlPlanSupplement } from './answer.ts';
export { crawlPlanRequest } from './request.ts';
export { crawlPlanLimits } from './wire-request.ts';
