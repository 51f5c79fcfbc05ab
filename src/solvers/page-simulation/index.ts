/** Pages that change under a policy that fetches them, simulated. */
export {
  nutchRule,
  type StormCrawlerParameters,
  stormCrawlerDefaults,
  stormCrawlerRule,
} from './adaptive-rules.ts';
export type { AdaptiveRule, AdaptiveState } from './fetch-rule.ts';
export { type NutchPage, type NutchParameters, nutchDefaults, nutchFetched, nutchFetches } from './nutch.ts';
export { type HostRules, type PlanningOptions, planningPolicy } from './planning.ts';
export type { FetchPolicy, PageSimulationProblem, PlannedPolicy } from './problem.ts';
export {
  pageSimulationWork,
  solvePageSimulation,
} from './solve.ts';
export { meanUpdateRate, type SimulatedUpdates } from './update-stream.ts';
