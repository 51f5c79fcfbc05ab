import { expect } from 'vitest';
import { unlimitedBudget } from '../../../src/solvers/budget.ts';
import { certifyThresholdPolicy } from '../../certificates/queues.ts';
import { solveThresholdPolicy, type ThresholdPolicyAnswer, type ThresholdPolicyProblem } from './answered.ts';

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
