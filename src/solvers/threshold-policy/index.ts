/** Threshold policy: the optimal number of active crawlers by queue length. */
export type { PolicySolution, ThresholdPolicyAnswer } from './answer.ts';
export type { Observation, ThresholdPolicyProblem } from './problem.ts';
export { estimateThresholdPolicyWork, solveThresholdPolicy } from './solve.ts';
