/**
 * What the plan's fetch intervals cost for ever, and what no fetch intervals can beat that keep the same limits.
 *
 * A page fetched every τ costs w·C(τ)/τ a second. Take the steady state's prices, those of its hosts added. Sum the
 * least of (w·C(τ) + price)/τ, less price × fetches. No intervals that spend no more cost less than this: weak duality,
 * with each page's least and longest interval kept. Beliefs are taken as they are now.
 */
import { type Objective, objective } from '../answer.ts';
import type { PricedPlan } from './price.ts';
import type { KeptPages } from './problem.ts';

/** Gaps below this are rounding. */
const rounding = 1e-9;

/**
 * It is null where the longest intervals alone ask for more fetches than slots or a host's delay leave. It is also null
 * where a page that is left alone for ever has no cost rate.
 */
export function longRunCost(plan: PricedPlan): Objective | null {
  const { problem, pages, steady, crawlRate, hostDelay } = plan;
  const { weight, host } = problem;
  const model = pages.now;
  const { fetchInterval, pagePrice, price, hostPrice } = steady;
  let value = 0;
  let spent = 0;
  let bound = 0;
  const byHost = new Float64Array(hostDelay.length);
  for (let i = 0; i < weight.length; i++) {
    const gap = fetchInterval[i];
    const never = gap === Number.POSITIVE_INFINITY;
    // under other objectives than freshness a page left alone for ever has no cost rate
    if (never && weight[i] > 0 && model.costTime !== null) return null;
    value += weight[i] * (never ? 1 : model.longRunCost(i, gap));
    spent += 1 / gap;
    bound += leastRate(plan, i, pagePrice[i]);
    if (host[i] >= 0) byHost[host[i]] += 1 / gap;
  }
  const tooMany = byHost.some((fetches, h) => fetches * hostDelay[h] > 1 + 1e-6);
  if (tooMany || !(spent <= crawlRate * (1 + 1e-6))) return null;
  // what the plan itself spends beyond its crawls, by rounding, others may spend
  bound -= price * Math.max(crawlRate, spent);
  for (const [h, own] of hostPrice.entries())
    if (own > price) bound -= (own - price) * Math.max(1 / hostDelay[h], byHost[h]);
  return objective(value, bound > value && bound - value <= rounding * value ? value : Math.max(0, bound));
}

/** At most the least of (weight·C(gap) + price)/gap over the gaps that page i may have. */
function leastRate({ problem, pages, longest }: PricedPlan, i: number, price: number): number {
  if (problem.weight[i] > 0) return pages.now.leastRate(i, price, problem.minInterval[i], longest[i]);
  return longest[i] === Number.POSITIVE_INFINITY ? 0 : price / longest[i];
}

/**
 * What fetching every page at least once in the plan's interval would cost: at the plan's own price, for each page that
 * is fetched more seldom what that saves less what its fetches are worth elsewhere. No less than this by duality. Null
 * where there are not that many fetches.
 */
export function costOfKeepingAll({ problem, pages, steady, crawlRate }: PricedPlan, value: number): KeptPages | null {
  const { interval, weight, minInterval } = problem;
  let [cost, needed] = [value, 0];
  for (const [i, gap] of steady.fetchInterval.entries()) {
    const longest = Math.max(interval, minInterval[i]);
    const keptGap = Math.min(gap, longest);
    needed += 1 / longest;
    if (keptGap === gap) continue;
    const now = gap === Number.POSITIVE_INFINITY ? 1 : pages.now.longRunCost(i, gap);
    cost += weight[i] * (pages.now.longRunCost(i, keptGap) - now) + steady.pagePrice[i] * (1 / keptGap - 1 / gap);
  }
  return needed > crawlRate ? null : { maxInterval: interval, value: cost };
}
