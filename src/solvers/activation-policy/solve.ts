/**
 * The activation policy of a crawler controller: when to switch crawlers on and off (Liu & Nain 2006, sections
 * 1.2.2-1.2.3). The model is in model.ts, the methods in optimum.ts and, under a limit, in limits.ts.
 */
import type { Budget } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { type ActivationPolicyAnswer, type ActivationResult, activationAnswer, defaultTolerance } from './answer.ts';
import { limitOf, optimiseLimited } from './limits.ts';
import { type ActivationModel, bestStaticCount, isNonIncreasing, type OpenModel } from './model.ts';
import { evaluateTargets, optimiseCurve, optimiseUnlimited } from './optimum.ts';
import { type ActivationProblem, givenCrawlers, modelOf, targetsOf } from './problem.ts';
import { checkModelSize, checkRates, estimatedWork, maxStates, mostCrawlers, stateCount } from './size.ts';

/**
 * The best policy, or what the caller's own does; numbers are in range (positive rates, K ≥ 1, N ≥ 1).
 *
 * @throws ConditionNotMet when the chain is too large (before memory is touched)
 * @throws NothingToReturn when the budget ends first
 */
export function solveActivationPolicy(problem: ActivationProblem, budget: Budget): ActivationPolicyAnswer {
  const open = modelOf(problem);
  const { capacity } = problem;
  const given = checkProblem(problem, open);
  const { model, ...found } = solutionOf(problem, open, given, budget);
  const answer = {
    ...found,
    crawlers: model.crawlers,
    baseline: bestStaticCount(open, given === undefined ? undefined : model.crawlers),
    states: stateCount(capacity, model.crawlers),
  };
  return activationAnswer(answer, problem.costs.loss);
}

/** A result without what follows from the model. */
type PartialResult = Omit<ActivationResult, 'baseline' | 'crawlers' | 'states'> & { readonly model: ActivationModel };

function solutionOf(
  problem: ActivationProblem,
  open: OpenModel,
  given: number | undefined,
  budget: Budget,
): PartialResult {
  const targets = targetsOf(problem);
  const limit = limitOf(problem.constraints, open.indexingRate);
  if (limit !== undefined) {
    const {
      targets: found,
      averages,
      conflict,
      ...proof
    } = optimiseLimited({ ...open, crawlers: given }, limit, budget);
    const crawlers = given ?? found.reduce((a, b) => Math.max(a, b));
    return {
      model: { ...open, crawlers },
      targets: found,
      classes: [averages],
      ...proof,
      verdict: conflict === undefined ? defaultTolerance : 'infeasible',
      solver: 'multiplier',
      ...(conflict && { conflict }),
    };
  }
  if (targets !== undefined && given !== undefined) {
    const model = { ...open, crawlers: given };
    const falling = isNonIncreasing(targets);
    const classes = evaluateTargets(model, targets, budget);
    // What the best policy would cost says how much there is to gain.
    const search = { tolerance: defaultTolerance, start: falling ? targets : undefined };
    const { bound, iterations } = optimiseCurve(model, search, budget);
    const solver = falling ? 'row-elimination' : 'banded-elimination';
    return { model, targets, classes, bound, verdict: 'evaluated', solver, iterations };
  }
  const optimum =
    given === undefined
      ? optimiseUnlimited(open, defaultTolerance, budget)
      : optimiseCurve({ ...open, crawlers: given }, { tolerance: defaultTolerance }, budget);
  const { model, curve, bound, method: solver, iterations } = optimum;
  const classes = evaluateTargets(model, curve, budget);
  return { model, targets: curve, classes, bound, verdict: defaultTolerance, solver, iterations };
}

/**
 * Its crawlers, as given or as its targets name them, undefined where they are left out.
 *
 * @throws ConditionNotMet when the rates are too far apart, the chain is too large, or properties contradict each other
 */
function checkProblem(problem: ActivationProblem, model: OpenModel): number | undefined {
  const { capacity, crawlerRate, indexingRate } = model;
  const given = givenCrawlers(problem);
  checkRates(crawlerRate, indexingRate);
  const isLimited = limitOf(problem.constraints, indexingRate) !== undefined;
  if (isLimited && problem.evaluate !== undefined) {
    const message = 'does not go with constraints: under them the best policy is searched for';
    throw new ConditionNotMet(['evaluate'], 'not-applicable', message);
  }
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
  const solves = limitOf(problem.constraints, indexingRate) === undefined ? 1 : solvesUnderLimits;
  if (given !== undefined) return solves * estimatedWork(capacity, given);
  const most = mostCrawlers(capacity);
  const guess = Math.min(most, 3 * Math.max(bestStaticCount(model, most).crawlers, indexingRate / crawlerRate));
  return solves * Math.max(estimatedWork(capacity, guess), leastUnboundedWork);
}
