/**
 * The number of crawlers that minimises C(N) = γ·P(empty) + ℓ·λN·P(full) + c·N over the integers from..to.
 *
 * Method: C is convex in N for every service law (proof: test/solvers/crawler-count/convexity.test.ts). So the least N
 * with C(N + 1) ≥ C(N) is the global minimiser, found by bisection on the sign of that difference. It starts at the
 * continuous minimiser of the M/M/1/K queue of the same mean (exponential-queue.ts), where the law is exponential a
 * neighbour of the answer, and goes from there by doubled steps until the sign changes. Ties go to the smaller N.
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
import { type CountEvaluation, type CountEvaluator, type CrawlerCountProblem, costOf } from './problem.ts';

/** Closed-form results for exponential service. */
export interface ClosedForm {
  /** The minimiser over real counts ≥ 0: ρ* and ρ*μ/λ. */
  readonly continuous: { readonly offeredLoad: number; readonly crawlers: number };
  /** γ at which ρ* = 1. */
  readonly criticalStarvationCost: number;
  /** The count of (1.12) and its cost at the capacity given. */
  readonly largeCapacityApproximation: { readonly crawlers: number; readonly cost: number };
}

/**
 * C(N) and its measures, in closed form where the law is exponential, else through the M/G/1/K recursion.
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
  { from, to }: { readonly from: number; readonly to: number },
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
 * The least n of from..to at which a condition fails that holds up to some n and not beyond; `to`, which is not tried,
 * where it holds before. By doubled steps from `start` until it changes, then by bisection.
 */
export function firstFailure(
  holds: (n: number) => boolean,
  { from, to, start = from }: { readonly from: number; readonly to: number; readonly start?: number },
): number {
  // It holds below `low`, and fails at `high`.
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
    // Rounded before it is added: beyond 2^52 a half more would round up to `high`.
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

/** Null unless service is exponential, and lost pages or crawlers cost something. */
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

/** The best count of at most `maxCount` crawlers with exponential service, for policies that are compared with it. O(log K). */
export function bestStaticCount(problem: CrawlerCountProblem, maxCount: number): CountEvaluation {
  return optimalCount(problem, { from: 1, to: maxCount }, countEvaluator(problem, unlimitedBudget()));
}
