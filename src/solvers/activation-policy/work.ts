/** The work of a problem, before it is solved. */
import { checkProblem } from './checks.ts';
import { isLimited } from './limits/limits.ts';
import type { OpenModel } from './model/activation-model.ts';
import { estimatedWork, mostCrawlers } from './model/model-limits.ts';
import { bestStaticCount } from './model/static-baseline.ts';
import { type ActivationProblem, modelOf } from './problem.ts';

/**
 * Elementary steps to expect, at least, of a search that nothing but the time limit bounds: too many for an event loop.
 */
const leastUnboundedWork = 1e8;

/** Policies at given prices of the limits that a mixture is made of, and proved with. */
const solvesUnderLimits = 20;

/** About as many crawlers as an optimum without a limit may look at. */
export function guessCrawlers(model: OpenModel): number {
  const { capacity, crawlerRate, indexingRate } = model;
  const most = mostCrawlers(capacity);
  return Math.min(most, 3 * Math.max(bestStaticCount(model, most).crawlers, indexingRate / crawlerRate));
}

/**
 * Elementary steps (about a nanosecond each) a problem will take; N is guessed where it is left out.
 *
 * @throws ConditionNotMet when the chain is too large
 */
export function activationPolicyWork(problem: ActivationProblem): number {
  const { capacity } = problem;
  const plain = modelOf(problem);
  const given = checkProblem(problem, plain);
  const crawlers = given ?? guessCrawlers(plain);
  // How many crawlers will have to be looked at is not known before they have been.
  const solves = isLimited(problem) ? solvesUnderLimits : 1;
  return solves * Math.max(estimatedWork(capacity, crawlers), given === undefined ? leastUnboundedWork : 0);
}
