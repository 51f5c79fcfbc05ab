/**
 * How much work a problem is, in elementary steps of about a nanosecond. Checks every condition of the model on the
 * way, so that a bad request is refused before it is queued.
 */

import { assembleQueue } from '../queue/assemble.ts';
import { policyOf } from '../queue/policy-input.ts';
import { checkCosts } from '../queue/ranges.ts';
import { checkConditions, seesPhases } from './conditions.ts';
import { evaluationSize } from './evaluate/choose-evaluator.ts';
import type { ThresholdPolicyProblem } from './problem.ts';
import { countThresholdVectors } from './search/enumerate.ts';

/** Searches stop at the time limit with what they have, so that no search counts for more than this. */
const longestSearch = 1e12;
/** Evaluations a search with a proof by branch and bound takes, roughly. */
const branchingEvaluations = 20_000;
/** Evaluations, a mode each, of a search that sees phases, roughly. */
const observedEvaluations = 500;

/** @throws ConditionNotMet for every condition of the model that is not met */
export function estimateThresholdPolicyWork(problem: ThresholdPolicyProblem): number {
  checkCosts(problem.costs);
  const { queue } = assembleQueue(problem);
  const { work, preparation } = evaluationSize(queue);
  checkConditions(problem, queue);
  const modes = queue.modes.length;
  const measured = preparation + (modes + 2) * work * (problem.measures === undefined ? 1 : 50);
  const { evaluate } = problem;
  if (evaluate !== undefined) {
    if (!('crawlersByState' in evaluate)) policyOf(queue, evaluate);
    return measured;
  }
  if (seesPhases(problem)) return measured + Math.min(observedEvaluations * modes * work, longestSearch);
  const vectors = countThresholdVectors(queue.capacity, modes);
  return measured + Math.min(work * Math.min(vectors, branchingEvaluations), longestSearch);
}
