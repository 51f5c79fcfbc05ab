/**
 * The activation policy of a crawler controller: when to switch crawlers on and off (Liu & Nain 2006, sections
 * 1.2.2-1.2.3). The model is in model.ts, the methods in optimum.ts and, under a limit, in limits.ts.
 */
import type { Budget } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { type ActivationPolicyAnswer, type ActivationResult, activationAnswer } from './answer.ts';
import { limitOf, optimiseLimited } from './limits.ts';
import { bestStaticCount, isNonIncreasing, type OpenModel } from './model.ts';
import { evaluateTargets, optimise, optimiseCurve } from './optimum.ts';
import {
  type ActivationProblem,
  checkModelSize,
  checkRates,
  maxStates,
  modelOf,
  mostCrawlers,
  targetsOf,
} from './problem.ts';

/**
 * The best policy, or what the caller's own does; numbers are in range (positive rates, K ≥ 1, N ≥ 1).
 *
 * @throws ConditionNotMet when the chain is too large (before memory is touched)
 * @throws NothingToReturn when the budget ends first
 */
export function solveActivationPolicy(problem: ActivationProblem, budget: Budget): ActivationPolicyAnswer {
  const open = modelOf(problem);
  const given = checkProblem(problem, open);
  const result = resultOf(problem, open, given, budget);
  const most = given === undefined ? undefined : result.model.crawlers;
  return activationAnswer(result, bestStaticCount(open, most));
}

function resultOf(
  problem: ActivationProblem,
  open: OpenModel,
  given: number | undefined,
  budget: Budget,
): ActivationResult {
  const targets = targetsOf(problem);
  const limit = limitOf(problem.constraints, open.indexingRate);
  if (limit !== undefined) {
    const found = optimiseLimited({ ...open, crawlers: given }, limit, budget);
    const model = { ...open, crawlers: given ?? found.targets.reduce((a, b) => Math.max(a, b)) };
    return { ...found, model, classes: [found.averages], solver: 'multiplier' };
  }
  if (targets !== undefined && given !== undefined) {
    const model = { ...open, crawlers: given };
    const falling = isNonIncreasing(targets);
    const classes = evaluateTargets(model, targets, budget);
    // What the best policy would cost says how much there is to gain.
    const { bound, iterations } = optimiseCurve(model, budget, falling ? targets : undefined);
    const solver = falling ? 'row-elimination' : 'banded-elimination';
    return { model, targets, classes, bound, solver, iterations, isGiven: true };
  }
  const { model, curve, bound, method, iterations } = optimise({ ...open, crawlers: given }, budget);
  const classes = evaluateTargets(model, curve, budget);
  return { model, targets: curve, classes, bound, solver: method, iterations };
}

/**
 * Its crawlers, as given or as its targets name them, undefined where they are left out.
 *
 * @throws ConditionNotMet when the rates are too far apart, the chain is too large, or properties contradict each other
 */
function checkProblem(problem: ActivationProblem, model: OpenModel): number | undefined {
  const { capacity, crawlerRate, indexingRate } = model;
  checkRates(crawlerRate, indexingRate);
  const isLimited = limitOf(problem.constraints, indexingRate) !== undefined;
  if (isLimited && problem.evaluate !== undefined) {
    const message = 'does not go with constraints: under them the best policy is searched for';
    throw new ConditionNotMet(['evaluate'], 'not-applicable', message);
  }
  const given = problem.crawlers ?? targetsOf(problem)?.reduce((a, b) => Math.max(a, b));
  checkModelSize(capacity, given ?? 1);
  const most = mostCrawlers(capacity);
  if (given !== undefined || isLimited || bestStaticCount(model, most + 1).crawlers <= most) return given;
  const message =
    `is left out, and the optimum uses more than ${most} crawlers at capacity ${capacity}: the chain would have more than ` +
    `${maxStates} states. Give crawlers, or reduce capacity or costs.starvation`;
  throw new ConditionNotMet(['crawlers'], 'too-large', message);
}

/** Elementary steps to expect of a search that nothing but the time limit bounds: too many for an event loop. */
const leastUnboundedWork = 1e8;
/** Policies at given prices of a limit. */
const solvesUnderLimits = 20;

/**
 * Elementary steps (about a nanosecond each) a problem will take; N is guessed where it is left out.
 *
 * @throws ConditionNotMet when the chain is too large
 */
export function activationPolicyWork(problem: ActivationProblem): number {
  const model = modelOf(problem);
  const { capacity, crawlerRate, indexingRate } = model;
  const given = checkProblem(problem, model);
  const n = capacity + 1;
  // Eight evaluations of 12·Σ c(K − c) ≈ 2·K²·rows flops, the meeting row, and the passes over all states.
  const workOf = (crawlers: number): number => 8 * (1.5 * n * n * crawlers + n * n * n + 20 * n * (crawlers + 1));
  const solves = limitOf(problem.constraints, indexingRate) === undefined ? 1 : solvesUnderLimits;
  if (given !== undefined) return solves * workOf(given);
  const most = mostCrawlers(capacity);
  const guess = Math.min(most, 3 * Math.max(bestStaticCount(model, most).crawlers, indexingRate / crawlerRate));
  return solves * Math.max(workOf(guess), leastUnboundedWork);
}
