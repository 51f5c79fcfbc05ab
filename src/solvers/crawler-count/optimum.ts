/**
 * The number of crawlers that minimises C(N) = γ·P(empty) + ℓ·λN·P(full) + c·N over the integers from..to.
 *
 * Method: C is convex in N for every service law (proof: test/solvers/crawler-count/convexity.test.ts). So the least N
 * with C(N + 1) ≥ C(N) is the global minimiser, found by bisection on the sign of that difference. The search starts
 * at the continuous minimiser of the M/M/1/K queue of the same mean service time (exponential-queue.ts), for
 * exponential service a neighbour of the answer, and doubles its steps until the sign changes. Ties go to the fewer
 * crawlers.
 * Complexity: O(log N) evaluations; O(1) each for exponential service, else O(K²) (general-queue.ts).
 * Source: Liu and Nain (2006), section 1.2.1, after Talim, Liu, Nain and Coffman (2001). The convexity for general laws
 * and the cost of a crawler are additions.
 */
import { type Budget, NothingToReturn, unlimitedBudget } from '../budget.ts';
import { createLaw, exponentialRate } from '../laws/index.ts';
import { arrivalCounter } from './arrivals.ts';
import {
  criticalCost,
  exponentialQueue,
  largeCapacityCount,
  optimalLogLoad,
  reducedCost,
} from './exponential-queue.ts';
import { generalQueue } from './general-queue.ts';
import {
  type CountEvaluation,
  type CountEvaluator,
  type CountRange,
  type CrawlerCountProblem,
  costOf,
} from './problem.ts';

/** Closed-form results for exponential service. */
export interface ClosedForm {
  /** The minimiser over real counts ≥ 0: ρ* and ρ*μ/λ. */
  readonly continuous: { readonly offeredLoad: number; readonly crawlers: number };
  /** γ at which ρ* = 1. */
  readonly criticalStarvationCost: number;
  /** The number of crawlers by Liu & Nain's (1.12), and its cost at the problem's capacity. */
  readonly largeCapacityApproximation: { readonly crawlers: number; readonly cost: number };
}

/**
 * Evaluates C(N) and its measures: in closed form where service is exponential, else by the M/G/1/K recursion.
 *
 * @throws NothingToReturn from the evaluator once the budget has ended
 */
export function countEvaluator(problem: CrawlerCountProblem, budget: Budget): CountEvaluator {
  const { crawlerRate, capacity, service } = problem;
  const serviceRate = exponentialRate(service);
  const { mean } = createLaw(service);
  const arrivalsAt = arrivalCounter(service, capacity);
  const evaluations = new Map<number, CountEvaluation>();
  return (crawlers) => {
    // Before the memo, so that a search among remembered counts ends with the budget too.
    if (budget.stopRequested()) throw new NothingToReturn('the best count was not known');
    const previous = evaluations.get(crawlers);
    if (previous !== undefined) return previous;
    const rate = crawlers * crawlerRate;
    const measures =
      serviceRate === null
        ? generalQueue(rate, mean, capacity, arrivalsAt(rate))
        : exponentialQueue(crawlers, crawlerRate, serviceRate, capacity);
    const evaluation = { crawlers, cost: costOf(problem, crawlers, measures), ...measures };
    evaluations.set(crawlers, evaluation);
    budget.report({ incumbent: evaluation.cost });
    return evaluation;
  };
}

/** The cheapest count of from..to. */
export function optimalCount(
  problem: CrawlerCountProblem,
  { from, to }: CountRange,
  evaluate: CountEvaluator,
): CountEvaluation {
  const { crawlerRate, service, costs } = problem;
  // Where crawlers and lost pages are free, more crawlers never cost more.
  if (costs.loss === 0 && costs.crawler === 0) return evaluate(to);
  const serviceRate = exponentialRate(service) ?? 1 / createLaw(service).mean;
  const start = Math.floor(optimalLoad(problem, serviceRate) * (serviceRate / crawlerRate));
  return evaluate(firstFailure((n) => evaluate(n + 1).cost < evaluate(n).cost, { from, to, start }));
}

/**
 * The smallest n of from..to at which a condition fails, for a condition that once failed holds at no larger n. Where
 * the condition holds at from..to − 1 the result is `to`, which is not tried. Method: doubled steps from `start`
 * until the condition changes, then bisection; O(log(to − from)) trials.
 */
export function firstFailure(
  holds: (n: number) => boolean,
  { from, to, start = from }: CountRange & { readonly start?: number },
): number {
  // The condition holds below `low` and fails at `high`.
  let [low, high] = [from, to];
  let n = Math.min(to, Math.max(from, start));
  for (let step = 1; low < high; step *= 2) {
    if (n === high) n--;
    if (holds(n)) low = n + 1;
    else high = n;
    if (low > from && high < to) break;
    n = low > from ? Math.min(high, low + step - 1) : Math.max(low, high - step);
  }
  while (low < high) {
    // The half is rounded before the addition: beyond 2^52 a sum with a fraction could round up to `high`.
    const middle = low + Math.floor((high - low) / 2);
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** ρ* of the M/M/1/K queue; 0 where one crawler is already too many. */
function optimalLoad({ crawlerRate, capacity, costs }: CrawlerCountProblem, serviceRate: number): number {
  const reducedStarvation = reducedCost(costs, crawlerRate, serviceRate);
  return reducedStarvation <= 0 ? 0 : Math.exp(optimalLogLoad(reducedStarvation / serviceRate, capacity + 1));
}

/** The closed-form results; null unless service is exponential and lost pages or crawlers cost something. */
export function closedFormOf(problem: CrawlerCountProblem, evaluate: CountEvaluator): ClosedForm | null {
  const { crawlerRate, capacity, costs } = problem;
  const serviceRate = exponentialRate(problem.service);
  if (serviceRate === null || (costs.loss === 0 && costs.crawler === 0)) return null;
  const load = optimalLoad(problem, serviceRate);
  const crawlers = largeCapacityCount(reducedCost(costs, crawlerRate, serviceRate), crawlerRate, serviceRate);
  return {
    continuous: { offeredLoad: load, crawlers: load * (serviceRate / crawlerRate) },
    criticalStarvationCost: criticalCost(capacity, costs, crawlerRate, serviceRate),
    largeCapacityApproximation: { crawlers, cost: evaluate(crawlers).cost },
  };
}

/** The best count up to `maxCount` at exponential service: the baseline of activation policies. O(log K). */
export function bestStaticCount(problem: CrawlerCountProblem, maxCount: number): CountEvaluation {
  return optimalCount(problem, { from: 1, to: maxCount }, countEvaluator(problem, unlimitedBudget()));
}
