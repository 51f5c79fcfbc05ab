/** The activation policy of a crawler controller: when to switch crawlers on and off. */
import type { Budget } from '../budget.ts';
import { type ActivationPolicyAnswer, activationAnswer } from './answer.ts';
import { findActivation } from './find.ts';
import { type ActivationProblem, taskOf } from './problem.ts';
import { activationWork } from './work.ts';

/**
 * The best policy, or what the caller's own does.
 *
 * @throws ConditionNotMet when the chain is too large (before memory is touched)
 * @throws NothingToReturn when the budget ended the evaluation of given targets
 */
export function solveActivationPolicy(problem: ActivationProblem, budget: Budget): ActivationPolicyAnswer {
  return activationAnswer(findActivation(taskOf(problem), budget), problem.costs.loss);
}

/** Elementary steps to expect. @throws ConditionNotMet when the chain is too large */
export function activationPolicyWork(problem: ActivationProblem): number {
  return activationWork(taskOf(problem));
}
