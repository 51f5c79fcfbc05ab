/** The conditions of a plain problem that a schema cannot express. */
import { ConditionNotMet } from '../condition.ts';
import { isLimited } from './constrained/limits.ts';
import { checkModelSize, checkRates } from './model/model-limits.ts';
import type { ActivationProblem } from './problem.ts';

/**
 * Checks a problem; answers its crawlers, as given or as its targets name them, undefined where they are left out.
 *
 * @throws ConditionNotMet when the rates are too far apart, the chain is too large, or properties contradict each other
 */
export function checkProblem(problem: ActivationProblem): number | undefined {
  const given = problem.crawlers ?? problem.targets?.reduce((a, b) => Math.max(a, b));
  checkRates(problem.crawlerRate, problem.indexingRate);
  checkLimits(problem);
  checkFront(problem, given);
  checkModelSize(problem.capacity, given ?? 1);
  return given;
}

/** @throws ConditionNotMet when limits are asked for beside what is not optimised by policy iteration */
function checkLimits(problem: ActivationProblem): void {
  if (!isLimited(problem)) return;
  const foreign = problem.targets !== undefined ? 'targets' : 'algorithm';
  if (foreign === 'algorithm' && problem.algorithm === 'policy-iteration') return;
  const message = `does not go with constraints: under them the best policy is searched for by policy iteration`;
  throw new ConditionNotMet([foreign], 'not-applicable', message);
}

/** @throws ConditionNotMet when a front is asked for without a number of crawlers, or beside what it is not about */
function checkFront({ front, targets, constraints }: ActivationProblem, given: number | undefined): void {
  if (front === undefined) return;
  if (given === undefined) {
    const message = 'is missing: where nothing but idle time counts, ever more crawlers are better; give their number';
    throw new ConditionNotMet(['crawlers'], 'crawlers-missing', message);
  }
  const foreign = targets !== undefined ? 'targets' : constraints !== undefined ? 'constraints' : null;
  if (foreign === null) return;
  const message = 'does not go with a front, which is between the best policies at all prices; leave one of them out';
  throw new ConditionNotMet([foreign], 'not-applicable', message);
}
