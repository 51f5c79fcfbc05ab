/** Threshold policy: the optimal number of active crawlers by queue length. */
export type { PolicySolution } from './answer.ts';
export { assembleQueue } from './assemble.ts';
export { certify } from './certify.ts';
export type { Constraints, CostWeights, Measures, ResponseQuantile } from './measures.ts';
export { policyOf, type WrittenPolicy } from './policy-input.ts';
export type {
  Admission,
  ArrivalModel,
  Discipline,
  Mode,
  ModeByLevel,
  Notice,
  PhaseTypeLaw,
  Queue,
  QueueDescription,
} from './queue.ts';
export { solveThresholdPolicy, type ThresholdPolicyAnswer, type ThresholdPolicyProblem } from './solve.ts';
export { estimateThresholdPolicyWork } from './work.ts';
