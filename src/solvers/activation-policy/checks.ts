/** The conditions of a plain problem that a schema cannot express. */

import { ConditionNotMet } from '../condition.ts';
import { isLimited } from './limits/limits.ts';
import type { OpenModel } from './model/activation-model.ts';
import { checkModelSize, checkRates, maxStates, mostCrawlers } from './model/model-limits.ts';
import { bestStaticCount } from './model/static-baseline.ts';
import { type ActivationProblem, givenCrawlers } from './problem.ts';

/**
 * Checks a problem; answers its crawlers, as given or as its targets name them, undefined where they are left out.
 *
 * @throws ConditionNotMet when the rates are too far apart, the chain is too large, or properties contradict each other
 */
export function checkProblem(problem: ActivationProblem, model: OpenModel): number | undefined {
  const given = givenCrawlers(problem);
  checkRates(model.crawlerRate, model.indexingRate);
  checkLimits(problem);
  checkModelSize(model.capacity, given ?? 1);
  if (given === undefined && !isLimited(problem)) checkStatic(model);
  return given;
}

/** @throws ConditionNotMet where crawlers are left out, and even the best number that never switches is too large */
function checkStatic(model: OpenModel): void {
  const { capacity } = model;
  const most = mostCrawlers(capacity);
  if (bestStaticCount(model, most + 1).crawlers <= most) return;
  const message =
    `is left out, and the optimum uses more than ${most} crawlers at capacity ${capacity}: the chain would have more than ` +
    `${maxStates} states. Give crawlers, or reduce capacity or costs.starvation`;
  throw new ConditionNotMet(['crawlers'], 'too-large', message);
}

/** @throws ConditionNotMet when limits are asked for beside the caller's own targets */
function checkLimits(problem: ActivationProblem): void {
  if (!isLimited(problem) || problem.evaluate === undefined) return;
  const message = 'does not go with constraints: under them the best policy is searched for';
  throw new ConditionNotMet(['evaluate'], 'not-applicable', message);
}
