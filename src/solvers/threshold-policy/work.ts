/**
 * How much work a problem is, in elementary steps of about a nanosecond. Checks every condition of the model on the
 * way, so that a bad request is refused before it is queued.
 */

import { evaluationSize } from './evaluation/choose-evaluator.ts';
import { blockSize } from './evaluation/stationary.ts';
import { checkFront } from './front/front-between.ts';
import { checkMeasures } from './further-measures.ts';
import { assembleQueue } from './model/assemble.ts';
import { policyOf } from './model/policy-input.ts';
import { memorylessObsolescence } from './model/queue.ts';
import { checkCosts } from './model/ranges.ts';
import { checkObservation, seesPhases } from './observed/solve-observed.ts';
import type { ThresholdPolicyProblem } from './problem.ts';
import { countThresholdVectors } from './search/enumerate.ts';
import { refuseLongEnumeration } from './search/search.ts';

/** Searches stop at the time limit with what they have, so that no search counts for more than this. */
const longestSearch = 1e12;
/** Evaluations a search with a proof by branch and bound takes, roughly. */
const branchingEvaluations = 20_000;
/** Evaluations, a mode each, of a search that sees phases, roughly. */
const observedEvaluations = 500;

/** @throws ConditionNotMet for every condition of the model that is not met */
export function estimateThresholdPolicyWork(problem: ThresholdPolicyProblem): number {
  checkCosts(problem.costs);
  checkFront(problem);
  checkMeasures(problem);
  const { queue } = assembleQueue(problem);
  const { work, preparation } = evaluationSize(queue);
  const modes = queue.modes.length;
  const measured =
    preparation + (modes + 2) * work * (problem.quantiles === undefined && problem.measures === undefined ? 1 : 50);
  checkObservation(problem, queue);
  if (problem.policy !== undefined) {
    if (!('crawlersByState' in problem.policy)) policyOf(queue, problem.policy);
    return measured;
  }
  if (seesPhases(problem)) return measured + Math.min(observedEvaluations * modes * work, longestSearch);
  const vectors = countThresholdVectors(queue.capacity, modes);
  if (problem.search === 'enumerate') refuseLongEnumeration(queue, vectors);
  if (memorylessObsolescence(queue) && queue.discipline === 'fifo' && problem.search !== 'local') {
    const n = blockSize(queue);
    const combination = 200 + queue.largestBatch * n * n * (n + 8);
    const splitting = vectors * combination + queue.capacity ** 2 * queue.largestBatch * n ** 3;
    const branching = branchingEvaluations * work;
    const search = problem.search === 'enumerate' ? splitting : Math.min(splitting, branching);
    return measured + Math.min(search, longestSearch);
  }
  return measured + Math.min(work * Math.min(vectors, branchingEvaluations), longestSearch);
}
