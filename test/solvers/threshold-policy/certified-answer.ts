import { expect } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import {
  certifyThresholdPolicy,
  solveThresholdPolicy,
  type ThresholdPolicyAnswer,
  type ThresholdPolicyProblem,
} from '../../../src/solvers/threshold-policy/index.ts';

/**
 * The answer for a controller that sees the phases, unless the problem says otherwise, after its certificate was
 * checked.
 */
export function observedAnswer(problem: ThresholdPolicyProblem): ThresholdPolicyAnswer {
  const asked: ThresholdPolicyProblem = { observe: 'phases', ...problem };
  const answer = solveThresholdPolicy(asked, unlimitedBudget());
  expect(certifyThresholdPolicy(asked, answer)).toEqual([]);
  return answer;
}
