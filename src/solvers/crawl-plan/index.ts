export { certifyPlan } from './certify-plan.ts';
export { type PlanResult, planCrawls } from './plan-crawls.ts';
export type { CrawlPlan, Estimator, PlanConflict, PlanProblem, PlanWarning } from './plan-problem.ts';
