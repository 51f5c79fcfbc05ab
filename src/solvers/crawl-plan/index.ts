export { certifyPlan } from './certify.ts';
export type { CrawlPlan, Estimator, PlanConflict, PlanProblem, PlanWarning } from './model/plan-problem.ts';
export { type PlanResult, planCrawls } from './solve.ts';
