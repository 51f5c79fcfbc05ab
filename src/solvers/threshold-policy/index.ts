/** Threshold policy: the optimal number of active crawlers by queue length. */
export type { ThresholdPolicyAnswer } from './answer/answer.ts';
export type { PolicySolution } from './answer/policy-solution.ts';
export type { Observation, ThresholdPolicyProblem } from './problem.ts';
export { solveThresholdPolicy } from './solve.ts';
export { estimateThresholdPolicyWork } from './work.ts';
