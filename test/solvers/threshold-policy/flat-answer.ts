/** Solves, and gives the answer as the wire has it: the fields of `supplement` at the top, next to the solution. */
import type { Budget } from '../../../src/solvers/budget.ts';
import * as solver from '../../../src/solvers/threshold-policy/index.ts';

export type { ThresholdPolicyProblem } from '../../../src/solvers/threshold-policy/index.ts';

type Answer = solver.ThresholdPolicyAnswer;
export type ThresholdPolicyAnswer = Omit<Answer, 'supplement'> & Answer['supplement'];

export function solveThresholdPolicy(problem: solver.ThresholdPolicyProblem, budget: Budget): ThresholdPolicyAnswer {
  const { supplement, ...answer } = solver.solveThresholdPolicy(problem, budget);
  return { ...answer, ...supplement };
}
