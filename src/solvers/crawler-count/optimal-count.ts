import { type Budget, NothingToReturn } from '../budget.ts';
import { createLaw, exponentialRate, type Law } from '../laws/index.ts';
import { findRoot } from '../numerics/search/root.ts';
import { minimiseConvex } from './convex-search.ts';
import { criticalCost, largeCapacityCount, optimalLogLoad, reducedCost } from './exponential-optimum.ts';
import { emptyProbability, logLoad } from './exponential-queue.ts';
import type { CountEvaluation, CrawlerCountProblem, Interruptible } from './problem.ts';

export interface CountOptimum {
  readonly best: CountEvaluation;
  /** No count costs less. */
  readonly bound: number;
  readonly proved: boolean;
  /** Only for exponential service. */
  readonly closedForm: ClosedForm | null;
  /** How many counts were evaluated. */
  readonly evaluations: number;
}

export interface ClosedForm {
  /** The minimiser over real counts ≥ 0: ρ* and ρ*μ/λ. */
  readonly continuous: { readonly offeredLoad: number; readonly crawlers: number };
  /** γ at which ρ* = 1. */
  readonly criticalStarvationCost: number;
  /** The count of (1.12) and its cost at the capacity given. */
  readonly largeCapacityApproximation: { readonly crawlers: number; readonly cost: number };
}

/**
 * The number of crawlers that minimises C(N) = γ·P(empty) + ℓ·λN·P(full) + c·N over the integers
 * 1..max (problem.ts), proved.
 *
 * Method: C is convex in N for every service law (proof: test/solvers/crawler-count/convexity.test.ts). So an integer
 * no worse than both its neighbours is the global minimiser. For exponential service the continuous minimiser is the
 * root of one equation (exponential-optimum.ts) and its two integer neighbours are compared. For any other law each
 * C(N) costs a recursion (general-queue.ts). The next N is proposed by fitting the M/M/1 queue of another capacity to
 * the last P(empty). The queue is made as steep as the last two counts show. Its minimiser is known: this is a secant
 * method on the derivative with the curvature of that queue. Four to eight evaluations usually do.
 *
 * Complexity: O(log K) for exponential service, K up to 1e9 and beyond; else O(K·w) an evaluation, w ≤ K/2
 * (general-queue.ts).
 * Stops when proved, or when the budget says so: then the best count so far with a bound from convexity.
 *
 * Source: Liu and Nain (2006), section 1.2.1, after Talim, Liu, Nain and Coffman (2001). The convexity for general laws
 * and the cost of a crawler are additions.
 * Limits: counts up to 2^53; the general recursion holds π in doubles, so P(empty) below 1e−150 becomes 0.
 *
 * @param max the largest count allowed
 * @throws NothingToReturn when stopped before the first evaluation
 */
export function optimalCount(
  problem: CrawlerCountProblem,
  max: number,
  budget: Budget,
  evaluator: Interruptible,
): CountOptimum {
  const { crawlerRate, service, capacity, costs } = problem;
  if (budget.stopRequested()) throw new NothingToReturn();
  const law = createLaw(service);
  const serviceRate = exponentialRate(service) ?? 1 / law.mean;
  const loadOfOne = crawlerRate / serviceRate;
  let evaluations = 0;
  const evaluate = (crawlers: number): CountEvaluation | null => {
    evaluations++;
    const evaluation = evaluator(crawlers);
    if (evaluation !== null) budget.report({ incumbent: evaluation.cost });
    return evaluation;
  };
  const only = (count: number, form: ClosedForm | null): CountOptimum => {
    const best = evaluate(count);
    if (best === null) throw new NothingToReturn();
    return { best, bound: best.cost, proved: true, closedForm: form, evaluations };
  };
  // Where crawlers and lost pages are free, more crawlers never cost more.
  if (costs.loss === 0 && costs.crawler === 0) return only(max, null);
  const reduced = reducedCost(costs, crawlerRate, serviceRate);
  // C is convex with slope ≥ 0 at N = 0.
  if (reduced <= 0) return only(1, closedForm(problem, evaluator, reduced, 0));
  const ratio = reduced / serviceRate;
  const task = { evaluate, max, stopRequested: () => budget.stopRequested() };
  if (exponentialRate(service) !== null) {
    const load = Math.exp(optimalLogLoad(ratio, capacity + 1));
    const search = minimiseConvex({ ...task, start: load / loadOfOne, propose: () => load / loadOfOne });
    return { ...search, closedForm: closedForm(problem, evaluator, reduced, load), evaluations };
  }
  const search = minimiseConvex<CountEvaluation>({
    ...task,
    start: Math.exp(optimalLogLoad(ratio, equivalentLevels(law, capacity))) / loadOfOne,
    propose: (best, nearest) => proposal({ problem, serviceRate, ratio }, best, nearest) / loadOfOne,
  });
  return { ...search, closedForm: null, evaluations };
}

/**
 * The load to try next: that of the M/M/1 queue fitted to the best count so far and made as steep as the nearest shows.
 */
function proposal(
  { problem, serviceRate, ratio }: { problem: CrawlerCountProblem; serviceRate: number; ratio: number },
  best: CountEvaluation,
  nearest: CountEvaluation | null,
): number {
  const logLoadOf = ({ crawlers }: CountEvaluation): number => logLoad(crawlers, problem.crawlerRate, serviceRate);
  const x = logLoadOf(best);
  const levels = fittedLevels(x, best.starvationProbability, problem.capacity);
  const secant = nearest === null ? 1 : secantRatio(x, logLoadOf(nearest), best, nearest, levels);
  // (γ' + μ)·secant in the place of γ' + μ makes the fitted queue as steep as this one was seen to be
  const corrected = (ratio + 1) * secant - 1;
  return corrected > 0
    ? Math.exp(optimalLogLoad(corrected, levels))
    : Math.exp(logLoad(1, problem.crawlerRate, serviceRate));
}

function closedForm(
  { crawlerRate, service, capacity, costs }: CrawlerCountProblem,
  evaluator: Interruptible,
  reduced: number,
  load: number,
): ClosedForm | null {
  const serviceRate = exponentialRate(service);
  if (serviceRate === null) return null;
  const crawlers = largeCapacityCount(reduced, crawlerRate, serviceRate);
  // Closed forms are never stopped.
  const cost = evaluator(crawlers)?.cost ?? Number.NaN;
  return {
    continuous: { offeredLoad: load, crawlers: load * (serviceRate / crawlerRate) },
    criticalStarvationCost: criticalCost(capacity, costs, crawlerRate, serviceRate),
    largeCapacityApproximation: { crawlers, cost },
  };
}

/**
 * n = K' + 1 of the M/M/1/K' queue that behaves about like this one near ρ = 1. In heavy traffic only K/(1 + scv)
 * matters, the second moment being cut at the longest time that the room for K pages lets through.
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
