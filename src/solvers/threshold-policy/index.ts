/** Threshold policy: the optimal number of active crawlers by queue length. */
export type { PolicySolution, ThresholdPolicyAnswer } from './answer.ts';
export { certifyThresholdPolicy } from './certify.ts';
export { thresholdPoliciesInTurn } from './in-turn.ts';
export { checkedProcess, fundamentalRate, listedAt } from './model/arrival-checks.ts';
export { assembleQueue } from './model/assemble.ts';
export {
  type Constraints,
  type CostWeights,
  costOfMeasures,
  type Measures,
  type ResponseQuantile,
} from './model/measures.ts';
export { assemblePhaseType, meanOfPhaseType, recogniseExponential, writtenPhases } from './model/phase-type.ts';
export { policyOf, type WrittenPolicy } from './model/policy-input.ts';
export type {
  Admission,
  ArrivalModel,
  Discipline,
  Mode,
  ModeByLevel,
  PhaseType,
  PhaseTypeLaw,
  Queue,
  QueueDescription,
} from './model/queue.ts';
export { leastWhenEmpty } from './model/queue.ts';
export { checkRate } from './model/ranges.ts';
export { type PhaseFilter, shownFilter } from './observed/phase-filter.ts';
export { type CrawlersByState, type ModeByState, modesOfTable } from './observed/state-policy.ts';
export type { Observation, ThresholdPolicyProblem } from './problem.ts';
export { solveThresholdPolicy } from './solve.ts';
export { estimateThresholdPolicyWork } from './work.ts';
