/**
 * The fewest accesses that keep a target: the frequencies of least Σ x_i with Σ c_i r_i(x_i) at most the target.
 *
 * x_i is the number of accesses of page i in the mean time E X of an access; Σ x_i = k keeps k crawlers busy for ever.
 * All accesses of a page are made by one crawler: x_i ≤ 1, so that even back-to-back accesses leave the page stale for
 * the share 1 − (1 − h)/(μ E X) of the time. A minimum frequency m is a share of all accesses: x_i ≥ m·k. Then k is the
 * root of k = K(mk), where K(x), the accesses that the target takes with all x_i ≥ x, is convex.
 */
import { provedWithin } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { clearTarget, type FeasibleTarget, type InfeasibleTarget, tradeOff } from '../market/index.ts';
import { findRoot } from '../numerics/search/root.ts';
import { measuredCurve } from '../pages/targets/index.ts';
import { accessPages } from './access-pages.ts';
import { demandOf, optimalGap, pageStaleness, zeroFrequencyWarnings } from './frequencies.ts';
import { type AccessFrequenciesProblem, minFrequencyConflict } from './problem.ts';

/**
 * The fewest accesses per unit of time with Σ c_i r_i ≤ `maxCost`, or the conflict.
 *
 * @param maxCost upper limit of Σ c_i r_i
 * @throws ConditionNotMet where the load or the gain of a page is out of range
 * @throws NothingToReturn when the budget ends first
 */
export function solveAccessTarget(problem: AccessFrequenciesProblem, maxCost: number, budget: Budget) {
  const { accessTime, changeRate, weight, policy, minFrequency, place } = problem;
  const conflict = minFrequencyConflict(minFrequency, changeRate.length);
  if (conflict !== null) return { status: 'infeasible' as const, conflict };
  const pages = accessPages(accessTime, changeRate, weight, place, budget);
  const clearAt = (minimum: number): FeasibleTarget | InfeasibleTarget => {
    const demand = demandOf(pages, policy, [Math.min(1, minimum), 1]);
    return clearTarget({ demand, hosts: null, start: demand.start, budget }, maxCost);
  };
  const clearing = minFrequency === 0 ? clearAt(0) : solveWithMinFrequency(clearAt, minFrequency);
  if (!clearing.feasible) return { status: 'infeasible' as const, conflict: null, minCost: clearing.minCost };
  const { total, fetches, price } = clearing;
  const { meanAccessTime } = pages;
  const frequency = fetches.map((x) => (x > 0 ? x / total : 0));
  const starved = fetches.reduce((count, x) => (x > 0 ? count : count + 1), 0);
  // with a minimum frequency all frequencies scale with k, and the dual bound is far too low: no bound is given
  const bound = minFrequency === 0 ? clearing.bound / meanAccessTime : null;
  return {
    ...provedWithin(optimalGap, total / meanAccessTime, bound),
    crawlers: Math.ceil(total * (1 - 1e-12)),
    frequency,
    staleness: pageStaleness(pages, policy, fetches),
    multiplier: Number.isFinite(price) ? price : 0,
    starved,
    meanAccessTime,
    total,
    warnings: zeroFrequencyWarnings(
      starved,
      'the target is met without them, and such a page stays stale for ever; set minFrequency to keep every page alive',
    ),
  };
}

/** Solves k = K(m·k) for a share m. A target that is infeasible without a minimum frequency is infeasible with one. */
function solveWithMinFrequency(
  clearAt: (minFrequency: number) => FeasibleTarget | InfeasibleTarget,
  share: number,
): FeasibleTarget | InfeasibleTarget {
  const unconstrained = clearAt(0);
  if (!unconstrained.feasible) return unconstrained;
  const excess = (k: number): number => {
    const clearing = clearAt(share * k);
    return clearing.feasible ? clearing.total - k : Number.POSITIVE_INFINITY;
  };
  let high = Math.max(unconstrained.total, Number.MIN_VALUE);
  while (excess(high) > 0 && high < 1 / share) high = Math.min(1 / share, high * 1.5);
  const k =
    excess(unconstrained.total) <= 0 ? unconstrained.total : findRoot(excess, unconstrained.total, high, 1e-12 * high);
  return clearAt(share * k);
}

/**
 * The trade-off of freshness against accesses per unit of time. @param crawlers busy crawlers in the middle of the
 * curve
 */
export function accessCurve(problem: AccessFrequenciesProblem, crawlers: number, budget: Budget) {
  const { accessTime, changeRate, weight, policy, place } = problem;
  const pages = accessPages(accessTime, changeRate, weight, place, budget);
  const demand = demandOf(pages, policy, [0, 1]);
  const scale = weight.reduce((sum, each) => sum + each, 0);
  return measuredCurve(tradeOff({ demand, hosts: null, start: demand.start, budget }, crawlers), {
    measure: 'freshness',
    scale,
    perCrawl: 1 / pages.meanAccessTime,
  });
}
