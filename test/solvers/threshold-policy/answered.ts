/** Answers as the wire has them: what stands beside the solution at the top. */
import type { Budget } from '../../../src/solvers/budget.ts';
import * as solver from '../../../src/solvers/threshold-policy/index.ts';

export type { ThresholdPolicyProblem } from '../../../src/solvers/threshold-policy/index.ts';

type Answer = solver.ThresholdPolicyAnswer;
export type ThresholdPolicyAnswer = Omit<Answer, 'supplement'> & Answer['supplement'];

export function solveThresholdPolicy(problem: solver.ThresholdPolicyProblem, budget: Budget): ThresholdPolicyAnswer {
  const { supplement, ...answer } = solver.solveThresholdPolicy(problem, budget);
  return { ...answer, ...supplement };
}
