/**
 * The activation policy of a crawler controller: when to switch crawlers on and off (Liu & Nain 2006, sections
 * 1.2.2-1.2.3). The model is in model.ts, the methods in optimum.ts and, under a limit, in limits.ts.
 */
import type { Budget } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { isNonIncreasing } from '../queue/queue.ts';
import { type ActivationPolicyAnswer, type ActivationResult, activationAnswer } from './answer.ts';
import { limitOf, optimiseLimited } from './limits.ts';
import { bestStaticCount, type ModelWithoutCrawlerCount } from './model.ts';
import { measureCurve, optimise } from './optimum.ts';
import { type ActivationProblem, checkModelSize, checkRates, maxCrawlersAt, modelOf, targetsOf } from './problem.ts';
import { measureClasses } from './recurrent-classes.ts';

/**
 * Finds the best policy, or evaluates the caller's own.
 *
 * @param problem with its numbers in range: positive rates, K ≥ 1, N ≥ 1
 * @throws ConditionNotMet when the chain is too large (before memory is touched)
 * @throws NothingToReturn when the budget ends first
 */
export function solveActivationPolicy(problem: ActivationProblem, budget: Budget): ActivationPolicyAnswer {
  const baseModel = modelOf(problem);
  const crawlerCount = checkProblem(problem, baseModel);
  const result = resultOf(problem, baseModel, crawlerCount, budget);
  const crawlerLimit = crawlerCount === undefined ? undefined : result.model.crawlers;
  return activationAnswer(result, bestStaticCount(baseModel, crawlerLimit));
}

function resultOf(
  problem: ActivationProblem,
  baseModel: ModelWithoutCrawlerCount,
  crawlerCount: number | undefined,
  budget: Budget,
): ActivationResult {
  const targets = targetsOf(problem);
  const limit = limitOf(problem.constraints, baseModel.indexingRate);
  if (limit !== undefined) {
    const optimum = optimiseLimited({ ...baseModel, crawlers: crawlerCount }, limit, budget);
    const model = { ...baseModel, crawlers: crawlerCount ?? optimum.targets[0] };
    return { ...optimum, model, solver: 'multiplier' };
  }
  if (targets !== undefined) {
    const isCurve = isNonIncreasing(targets);
    const classes = isCurve ? [measureCurve(baseModel, targets, budget)] : measureClasses(baseModel, targets, budget);
    // The bound over all policies of as many crawlers shows how much the caller could gain.
    const optimum = optimise({ ...baseModel, crawlers: crawlerCount }, budget, isCurve ? targets : undefined);
    const solver = isCurve ? 'row-elimination' : 'banded-elimination';
    return { ...optimum, targets, measures: classes[0], classes, solver };
  }
  return { ...optimise({ ...baseModel, crawlers: crawlerCount }, budget), solver: 'policy-iteration' };
}

/**
 * Checks the problem.
 *
 * @returns its number of crawlers: as given, else the largest of its targets, else undefined
 * @throws ConditionNotMet when the rates are too far apart, the chain is too large, or properties contradict each other
 */
function checkProblem(problem: ActivationProblem, model: ModelWithoutCrawlerCount): number | undefined {
  const { capacity, crawlerRate, indexingRate } = model;
  checkRates(crawlerRate, indexingRate);
  const isLimited = limitOf(problem.constraints, indexingRate) !== undefined;
  if (isLimited && problem.evaluate !== undefined) {
    const message = 'does not go with constraints: under them the best policy is searched for';
    throw new ConditionNotMet(['evaluate'], 'not-applicable', message);
  }
  const crawlerCount = problem.crawlers ?? targetsOf(problem)?.reduce((a, b) => Math.max(a, b));
  checkModelSize(capacity, crawlerCount ?? 1);
  const crawlerLimit = maxCrawlersAt(capacity);
  if (crawlerCount !== undefined || isLimited || bestStaticCount(model, crawlerLimit + 1).crawlers <= crawlerLimit)
    return crawlerCount;
  const message =
    `is left out, and the optimum uses more than ${crawlerLimit} crawlers at capacity ${capacity}, the most that are ` +
    'accepted. Give crawlers, or reduce capacity or costs.starvation';
  throw new ConditionNotMet(['crawlers'], 'too-large', message);
}

/** Elementary steps assumed, at least, for a search over an open number of crawlers: too many for the event loop. */
const minUnboundedWork = 1e8;
/** Policies that a problem with a limit optimises, one at each price of the limit, roughly. */
const solvesUnderLimits = 20;

/**
 * Elementary steps (about a nanosecond each) a problem will take; N is guessed where it is left out.
 *
 * @throws ConditionNotMet when the chain is too large
 */
export function activationPolicyWork(problem: ActivationProblem): number {
  const model = modelOf(problem);
  const { capacity, crawlerRate, indexingRate } = model;
  const crawlerCount = checkProblem(problem, model);
  const n = capacity + 1;
  // Eight evaluations of 12·Σ c(K − c) flops, some 1.5·K² a row for usual curves, the meeting row, and the passes over all states.
  const workOf = (crawlers: number): number => 8 * (1.5 * n * n * crawlers + n * n * n + 20 * n * (crawlers + 1));
  const solves = limitOf(problem.constraints, indexingRate) === undefined ? 1 : solvesUnderLimits;
  if (crawlerCount !== undefined) return solves * workOf(crawlerCount);
  const crawlerLimit = maxCrawlersAt(capacity);
  const guess = Math.min(
    crawlerLimit,
    3 * Math.max(bestStaticCount(model, crawlerLimit).crawlers, indexingRate / crawlerRate),
  );
  return solves * Math.max(workOf(guess), minUnboundedWork);
}
