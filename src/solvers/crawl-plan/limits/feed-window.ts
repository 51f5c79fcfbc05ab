/**
 * Items that fall off the end. A feed shows the last N of them and loses what comes beyond between two fetches.
 *
 * The longest interval T with P(Poisson(λT) > N) ≤ ε is x/λ with P(N + 1, x) = ε: a maxInterval of its own. Here P is
 * the regularised lower incomplete gamma function, and λ is taken as estimated.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { findRoot } from '../../numerics/search/root.ts';
import { lowerGamma } from '../../numerics/special/incomplete-gamma.ts';
import type { CrawlPlanProblem } from '../problem.ts';

/** The problem with its longest intervals shortened to what windows of items ask for, never below the least. */
export function withFeedWindows(problem: CrawlPlanProblem, rate: Float64Array, budget: Budget): CrawlPlanProblem {
  const { feedItems, feedLoss, maxInterval, minInterval } = problem;
  if (feedItems === undefined || feedItems.every((items) => Number.isNaN(items))) return problem;
  const means = new Map<string, number>();
  const longest = maxInterval.map((most, i) => {
    if (Number.isNaN(feedItems[i])) return most;
    const loss = feedLoss?.[i] ?? defaultLoss;
    const key = `${feedItems[i]} ${loss}`;
    let mean = means.get(key);
    if (mean === undefined) {
      if ((means.size & 63) === 0 && budget.stopRequested()) {
        throw new NothingToReturn('stopped while computing how long windows of items last');
      }
      mean = meanItems(feedItems[i], loss);
      means.set(key, mean);
    }
    return Math.min(most, Math.max(minInterval[i], mean / rate[i]));
  });
  return { ...problem, maxInterval: longest };
}

const defaultLoss = 0.01;

/** The mean x of a Poisson number that exceeds N with probability ε. */
export function meanItems(items: number, loss: number): number {
  const excess = (x: number): number => lowerGamma(items + 1, x) - loss;
  // P(N + 1, x) ≥ 1/2 at x = N + 1
  return findRoot(excess, 0, items + 1);
}
