/**
 * The long-run cost of the plan's fetch intervals, and a lower bound for all fetch intervals within the same limits.
 *
 * A page fetched every τ seconds costs w·C(τ)/τ a second. At the prices of the steady state, those of hosts included,
 * the bound is Σ min over τ of (w·C(τ) + price)/τ, less price × fetches: by weak duality no fetch intervals within
 * minInterval and maxInterval that spend as many fetches cost less. Beliefs are kept as they are now. Windows reduce
 * slots and the time of hosts only: fetches count as spread evenly over all hours.
 */

import { type Objective, objective } from '../answer.ts';
import { isNever } from '../pages/never.ts';
import type { PricedPlan } from './price.ts';
import { type KeptPages, roundoff } from './problem.ts';

/**
 * The long-run cost a second and its bound; null if the longest intervals need more fetches than the slots or the delay
 * of a host allow, or if a page that is never fetched has no cost rate. O(pages).
 */
export function longRunCost(plan: PricedPlan): Objective | null {
  const { problem, pages, steady, crawlRate, hostDelay } = plan;
  const { weight, host } = problem;
  const model = pages.now;
  const { fetchInterval, pagePrice, price, hostPrice } = steady;
  let value = 0;
  let fetchRate = 0;
  let bound = 0;
  const byHost = new Float64Array(hostDelay.length);
  for (let i = 0; i < weight.length; i++) {
    const gap = fetchInterval[i];
    const isUnfetched = isNever(gap);
    // except under freshness, the cost rate of a page that is never fetched has no limit
    if (isUnfetched && weight[i] > 0 && model.costTime !== null) return null;
    value += weight[i] * (isUnfetched ? 1 : model.longRunCost(i, gap));
    fetchRate += 1 / gap;
    bound += minCostRate(plan, i, pagePrice[i]);
    if (host[i] >= 0) byHost[host[i]] += 1 / gap;
  }
  const tooMany = byHost.some((fetches, h) => fetches * hostDelay[h] > 1 + 1e-6);
  if (tooMany || !(fetchRate <= crawlRate * (1 + 1e-6))) return null;
  // rounding may let the plan spend slightly more than its crawls; the bound then is for what the plan spends
  bound -= price * Math.max(crawlRate, fetchRate);
  for (const [h, own] of hostPrice.entries())
    if (own > price) bound -= (own - price) * Math.max(1 / hostDelay[h], byHost[h]);
  return objective(value, bound > value && bound - value <= roundoff * value ? value : Math.max(0, bound));
}

/** Lower bound on (weight·C(gap) + price)/gap over the gaps that page i may have. */
function minCostRate({ problem, pages, longest }: PricedPlan, i: number, price: number): number {
  if (problem.weight[i] > 0) return pages.now.minCostRate(i, price, problem.minInterval[i], longest[i]);
  return longest[i] === Number.POSITIVE_INFINITY ? 0 : price / longest[i];
}

/**
 * Lower bound, by duality, on the long-run cost if every page were fetched at least once per interval: each page with a
 * longer fetch interval gets its cost at the shorter one, plus the plan's price of the additional fetches. Null if the
 * crawls do not suffice for all pages.
 */
export function costOfKeepingAll({ problem, pages, steady, crawlRate }: PricedPlan, value: number): KeptPages | null {
  const { interval, weight, minInterval } = problem;
  let [cost, requiredRate] = [value, 0];
  for (const [i, gap] of steady.fetchInterval.entries()) {
    const longest = Math.max(interval, minInterval[i]);
    const keptGap = Math.min(gap, longest);
    requiredRate += 1 / longest;
    if (keptGap === gap) continue;
    const now = isNever(gap) ? 1 : pages.now.longRunCost(i, gap);
    cost += weight[i] * (pages.now.longRunCost(i, keptGap) - now) + steady.pagePrice[i] * (1 / keptGap - 1 / gap);
  }
  return requiredRate > crawlRate ? null : { maxInterval: interval, value: cost };
}
