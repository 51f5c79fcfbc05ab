/** Threshold policy: the optimal number of active crawlers by queue length. */
export type { ThresholdPolicyAnswer } from './answer.ts';
export type { ThresholdPolicyProblem } from './problem.ts';
export { estimateThresholdPolicyWork, solveThresholdPolicy } from './solve.ts';
