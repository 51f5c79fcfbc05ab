import { type Budget, NothingToReturn } from '../budget.ts';
import type { Distribution } from '../distributions/distribution.ts';
import { createLaw, type Law } from '../distributions/index.ts';
import { findRoot } from '../numerics/search/root.ts';
import { arrivalCounter } from './arrivals.ts';
import { minimiseConvex } from './convex-search.ts';
import { criticalWeight, largeCapacityCount, optimalLogLoad, reducedWeight } from './exponential-optimum.ts';
import { emptyProbability, exponentialQueue, logLoad } from './exponential-queue.ts';
import { generalQueue } from './general-queue.ts';
import { type CountEvaluation, type CrawlerCountProblem, costOf } from './model.ts';

/**
 * The number of crawlers that minimises C(N) = γ·P(empty) + λN·P(full) + c·N over the integers 1..maxCrawlers (model.ts), proved.
 *
 * Method: C is convex in N for every indexing law (proof in docs/crawler-count.md), so an integer no worse than both its neighbours is the global
 * minimiser. For exponential indexing the continuous minimiser is the root of one equation (exponential-optimum.ts) and its two integer neighbours are
 * compared. For any other law each C(N) costs a recursion (general-queue.ts); the next N is proposed by fitting to the last P(empty) the M/M/1 queue of
 * another capacity, made as steep as the last two counts show, whose minimiser is known: a secant method on the derivative with the curvature of that
 * queue. Four to eight evaluations usually do.
 *
 * Complexity: O(log K) for exponential indexing, K up to 1e9 and beyond; else O(K·w) an evaluation, w ≤ K/2 (general-queue.ts).
 * Stops when proved, or when the budget says so: then the best count so far with a bound from convexity.
 *
 * Source: Liu and Nain (2006), section 1.2.1, after Talim, Liu, Nain and Coffman (2001); the convexity for general laws and the cost of a crawler are additions.
 * Limits: counts up to 2^53; the general recursion holds π in doubles, so P(empty) below 1e−150 becomes 0.
 */
export interface CrawlerCountSolution {
  readonly best: CountEvaluation;
  /** No count costs less. */
  readonly bound: number;
  readonly proved: boolean;
  /** Only for exponential indexing. */
  readonly closedForm: ClosedForm | null;
  /** How many counts were evaluated. */
  readonly evaluations: number;
}

/** What is known in closed form. */
export interface ClosedForm {
  /** The minimiser over real counts ≥ 0: ρ* and ρ*μ/λ. */
  readonly continuous: { readonly offeredLoad: number; readonly crawlers: number };
  /** γ at which ρ* = 1. */
  readonly criticalStarvationWeight: number;
  /** The count of (1.12) and its cost at the capacity given. */
  readonly largeCapacityApproximation: { readonly crawlers: number; readonly cost: number };
}

/** Evaluates counts of one problem; every count is computed once. */
export type CountEvaluator = (crawlers: number) => CountEvaluation;

/** The rate of a law that is exponential, under whatever name; else null. */
export function exponentialRate(distribution: Distribution): number | null {
  switch (distribution.type) {
    case 'exponential':
      return distribution.rate;
    case 'erlang':
    case 'gamma':
      return distribution.shape === 1 ? distribution.rate : null;
    case 'weibull':
      return distribution.shape === 1 ? 1 / distribution.scale : null;
    case 'hyperexponential': {
      const rates = distribution.rates.filter((_, i) => distribution.probabilities[i] > 0);
      return rates.every((rate) => rate === rates[0]) ? rates[0] : null;
    }
    case 'phase-type':
      return distribution.initial.length === 1 ? -distribution.generator[0][0] : null;
    default:
      return null;
  }
}

/** C(N) and its measures, in closed form where the law is exponential, else through the M/G/1/K recursion. */
export function countEvaluator(problem: CrawlerCountProblem): CountEvaluator {
  const { crawlerRate, indexing, capacity } = problem;
  const serviceRate = exponentialRate(indexing);
  const known = new Map<number, CountEvaluation>();
  const measure =
    serviceRate === null
      ? generalMeasure(crawlerRate, indexing, capacity)
      : (crawlers: number) => exponentialQueue(crawlers, crawlerRate, serviceRate, capacity);
  return (crawlers) => {
    const before = known.get(crawlers);
    if (before !== undefined) return before;
    const measures = measure(crawlers);
    const evaluation = { crawlers, cost: costOf(problem, crawlers, measures), ...measures };
    known.set(crawlers, evaluation);
    return evaluation;
  };
}

function generalMeasure(crawlerRate: number, indexing: Distribution, capacity: number) {
  const { mean } = createLaw(indexing);
  const count = arrivalCounter(indexing, capacity);
  return (crawlers: number) => generalQueue(crawlers * crawlerRate, mean, capacity, count(crawlers * crawlerRate));
}

/**
 * @param problem checked: see model.ts
 * @param evaluator of the same problem, to share its evaluations
 * @throws NothingToReturn when stopped before the first evaluation
 */
export function solveCrawlerCount(
  problem: CrawlerCountProblem,
  budget: Budget,
  evaluator: CountEvaluator = countEvaluator(problem),
): CrawlerCountSolution {
  const { crawlerRate, indexing, capacity, starvationWeight, crawlerCost, maxCrawlers } = problem;
  if (budget.stopRequested()) throw new NothingToReturn();
  const law = createLaw(indexing);
  const serviceRate = exponentialRate(indexing) ?? 1 / law.mean;
  const weight = reducedWeight(starvationWeight, crawlerCost, crawlerRate, serviceRate);
  const loadOfOne = crawlerRate / serviceRate;
  let evaluations = 0;
  const evaluate = (crawlers: number): CountEvaluation => {
    evaluations++;
    const evaluation = evaluator(crawlers);
    budget.report({ incumbent: evaluation.cost });
    return evaluation;
  };
  if (weight <= 0) {
    // C is convex with slope ≥ 0 at N = 0
    const best = evaluate(1);
    return { best, bound: best.cost, proved: true, closedForm: closedForm(problem, evaluator, weight, 0), evaluations };
  }
  const exponential = exponentialRate(indexing) !== null;
  const ratio = weight / serviceRate;
  const load = Math.exp(optimalLogLoad(ratio, exponential ? capacity + 1 : equivalentLevels(law, capacity)));
  const logLoadOf = ({ crawlers }: CountEvaluation): number => logLoad(crawlers, crawlerRate, serviceRate);
  const search = minimiseConvex<CountEvaluation>({
    evaluate,
    start: load / loadOfOne,
    propose: (best, nearest) => {
      if (exponential) return load / loadOfOne;
      const x = logLoadOf(best);
      const levels = fittedLevels(x, best.starvationProbability, capacity);
      const secant = nearest === null ? 1 : secantRatio(x, logLoadOf(nearest), best, nearest, levels);
      // (γ' + μ)·secant in the place of γ' + μ makes the fitted queue as steep as this one was seen to be
      const corrected = (ratio + 1) * secant - 1;
      return corrected > 0 ? Math.exp(optimalLogLoad(corrected, levels)) / loadOfOne : 1;
    },
    max: maxCrawlers,
    stopRequested: () => budget.stopRequested(),
  });
  return { ...search, closedForm: closedForm(problem, evaluator, weight, load), evaluations };
}

function closedForm(
  { crawlerRate, indexing, capacity, crawlerCost }: CrawlerCountProblem,
  evaluator: CountEvaluator,
  weight: number,
  load: number,
): ClosedForm | null {
  const serviceRate = exponentialRate(indexing);
  if (serviceRate === null) return null;
  const approximate = largeCapacityCount(weight, crawlerRate, serviceRate);
  return {
    continuous: { offeredLoad: load, crawlers: load * (serviceRate / crawlerRate) },
    criticalStarvationWeight: criticalWeight(capacity, crawlerCost, crawlerRate, serviceRate),
    largeCapacityApproximation: { crawlers: approximate, cost: evaluator(approximate).cost },
  };
}

/**
 * n = K' + 1 of the M/M/1/K' queue that behaves about like this one near ρ = 1: in heavy traffic only K/(1 + scv) matters, the second moment
 * being cut at the longest time that the room for K pages lets through.
 */
function equivalentLevels(law: Law, capacity: number): number {
  const square = law.truncatedSecondMoment(capacity * law.mean) / (law.mean * law.mean);
  return 2 + (2 * (capacity - 1)) / Math.max(square, 1e-3);
}

/** How much steeper P(empty) is between two counts evaluated than in the fitted M/M/1 queue. */
function secantRatio(x: number, y: number, best: CountEvaluation, other: CountEvaluation, levels: number): number {
  const fitted = emptyProbability(y, levels) - emptyProbability(x, levels);
  const seen = other.starvationProbability - best.starvationProbability;
  const ratio = seen / fitted;
  return ratio > 0 && ratio < Infinity ? ratio : 1;
}

/** n > 1 such that an M/M/1 queue with n − 1 places and ln ρ = x is empty with the given probability. */
function fittedLevels(x: number, starvationProbability: number, capacity: number): number {
  const excess = (logLevels: number): number => emptyProbability(x, 1 + Math.exp(logLevels)) - starvationProbability;
  const low = Math.log(1e-6);
  const high = Math.log(1e3 * capacity + 1e3);
  if (!(excess(low) > 0)) return 1 + 1e-6;
  if (!(excess(high) < 0)) return 1 + 1e3 * capacity;
  return 1 + Math.exp(findRoot(excess, low, high, 1e-9));
}
