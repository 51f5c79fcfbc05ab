/**
 * The fewest crawls per unit of time that keep a target, from a histogram.
 *
 * Clearing the market on the target gives an estimate of the rate. V̄(R), the proved upper bound on the cost of the
 * plan with rate R, falls in R; from the estimate, Newton's method finds the R at which V̄ equals the target s*, so
 * that the plan of the answer keeps the target. Lower bound: by duality D(p) ≤ V + pR for the least cost V at any rate,
 * so that no rate below R + (bound − s*)/p keeps the target; limits of hosts are in the bound and the price. For wide
 * buckets V̄ need not fall: R is then one of the rates at which V̄ equals the target, and the least rate lies between
 * the bound and R.
 * Complexity: some 4 rates of a few prices each. Stopping rule: ln V̄ within 1e−12 of the target, never above it.
 */
import type { Budget } from '../budget.ts';
import { clearingPrice, clearTarget, type InfeasibleTarget } from '../market/index.ts';
import { fetchCutoffFactor } from './price-bounds.ts';
import { createMarket, type PricedPlan, planForRate, proveAnswer } from './price-of-rate.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem } from './problem.ts';

export interface MinRate {
  readonly feasible: true;
  readonly rate: number;
  /** Lower bound on the rates that keep the target. */
  readonly bound: number;
  /** The answer for this rate: price, cost and bounds. */
  readonly answer: CrawlPriceAnswer;
}

/** Tolerance of V̄, relative to the target. */
const tolerance = 1e-12;
/** Relative excess over the target that counts as rounding error. */
const roundoff = 1e-9;
/**
 * Maximum number of Newton steps on V̄(R), whose slope is −price, before a bracketing search takes over. Without Newton
 * steps a target takes more than twice as many prices as a given rate.
 */
const maxNewtonSteps = 5;
/** Range of the rates searched, in crawls per change of a page: beyond it squares overflow or underflow. */
const [minCrawlsPerChange, maxCrawlsPerChange] = [1e-40, 1e40];

/**
 * @param problem its rate is not read
 * @param target upper limit of Σ weight·cost per unit of time; infeasible where the limits of hosts allow no rate for
 *   it
 */
export function minimizeRate(problem: CrawlPriceProblem, target: number, budget: Budget): MinRate | InfeasibleTarget {
  const histogram = createMarket(problem, budget);
  const { objective, changes, weight, highestRate, market } = histogram;
  // under freshness a page without crawls costs its weight: a target at or above the sum needs no crawl
  if (fetchCutoffFactor(objective) === 1 && target >= weight * (1 - Number.EPSILON)) {
    return {
      feasible: true,
      rate: 0,
      bound: 0,
      answer: proveAnswer(histogram, planForRate(histogram, minCrawlsPerChange * changes)),
    };
  }
  const rateLimit = Math.min(highestRate, maxCrawlsPerChange * changes);
  const estimate = clearTarget(market('estimate'), target);
  let rate = estimate.feasible
    ? Math.min(rateLimit, Math.max(minCrawlsPerChange * changes, estimate.total))
    : rateLimit;
  let last: PricedPlan | undefined;
  const plan = (at: number): PricedPlan => {
    if (last?.rate !== at) last = planForRate(histogram, at, last ?? estimate);
    return last;
  };
  const goal = target * (1 - 2 * tolerance);
  let isFound = false;
  for (let step = 0; step < maxNewtonSteps && !isFound; step++) {
    const { cost, price } = plan(rate);
    const excess = cost.upper - goal;
    isFound = Math.abs(excess) <= tolerance * goal;
    if (isFound || !(price > 0) || !Number.isFinite(excess)) break;
    rate = Math.min(rateLimit, Math.max(rate / 2, rate + excess / price));
  }
  if (!isFound) {
    const clampRate = (at: number): number => Math.min(rateLimit, Math.max(minCrawlsPerChange * changes, at));
    const search = { supply: goal, start: rate, ceiling: rateLimit, tolerance };
    rate = clampRate(clearingPrice((at) => plan(clampRate(at)).cost.upper, search).high);
  }
  const answer = proveAnswer(histogram, plan(rate));
  const { value, bound } = answer.objective;
  if (value > target * (1 + roundoff)) {
    const hostPrice = new Float64Array(problem.maxRate.length);
    for (const { host, limited, price } of answer.hosts) if (limited) hostPrice[host] = price;
    return { feasible: false, minCost: value, hostPrice };
  }
  // at a price of 0 all hosts are at their limits, and the crawls of lowest price are those of a host
  const isUsed = answer.price > 0;
  const price = isUsed ? answer.price : Math.min(...answer.hosts.map((host) => host.price));
  const minRate = Math.min(rate, Math.max(0, rate + ((bound ?? 0) - target) / price));
  return { feasible: true, rate, bound: minRate, answer: isUsed ? answer : { ...answer, warnings: [] } };
}
