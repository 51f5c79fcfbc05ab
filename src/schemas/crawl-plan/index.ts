/** The wire shapes of `crawl-plan`, and its request as the solver takes it. */
export { crawlPlanBeside, crawlPlanConflict, crawlPlanSolution } from './answer.ts';
export { crawlPlanRequest } from './request.ts';
export { crawlPlanSentence } from './sentence.ts';
export { crawlPlanLimits } from './wire-request.ts';
