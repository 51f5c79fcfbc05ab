export { certifyCrawlPlan } from './certify.ts';
export { type Availability, nextOpen } from './model/availability.ts';
export { maxPlanCrawls } from './model/conflict-repair.ts';
export { type FetchCosts, slotsOfBudget } from './model/fetch-costs.ts';
export type {
  CrawlPlan,
  CrawlPlanAnswer,
  CrawlPlanProblem,
  Estimator,
  Horizon,
  PageGroups,
  PlanConflict,
  RhythmQuestion,
  SiblingFigures,
  SignalEvidence,
} from './model/plan-problem.ts';
export { plainPages } from './model/plan-problem.ts';
export { solveCrawlPlan } from './solve.ts';
