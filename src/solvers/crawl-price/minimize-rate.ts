/**
 * The least crawls a unit of time that keep a target, from a histogram.
 *
 * The market's target gives the rate as it is estimated. What the plan of a rate is proved to leave, V̄(R), falls in R;
 * the rate at which it comes down to the target is found from there by Newton's method, so that the answer's own plan keeps the target.
 * From below D(p) ≤ V + pR for the best V: no R below R + (bound − s*)/p can do, with the limits of hosts in bound and
 * price. Of wide buckets V̄ need not fall: R is then one of the rates at which it comes down to the target, and the least
 * lies between bound and R.
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
  /** No lower rate keeps the target. */
  readonly bound: number;
  /** What is left at that rate, and the price there. */
  readonly answer: CrawlPriceAnswer;
}

/** Tolerance of the root, relative to the target. */
const tolerance = 1e-12;
/** Excess over the target that counts as rounding error, relative. */
const roundoff = 1e-9;
/**
 * Newton steps on V̄(R), whose slope is −price, before a bracketing search takes over. Without them a target takes more
 * than twice the prices of the forward question.
 */
const maxNewtonSteps = 5;
/** Range of rates searched, in crawls per change of a page: squares beyond it are out of double precision. */
const [minCrawlsPerChange, maxCrawlsPerChange] = [1e-40, 1e40];

/**
 * @param problem its rate is not read
 * @param target upper limit of Σ weight·cost per unit of time; infeasible where the limits of hosts allow no rate for it
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
  const highest = Math.min(highestRate, maxCrawlsPerChange * changes);
  const estimate = clearTarget(market('estimate'), target);
  let rate = estimate.feasible ? Math.min(highest, Math.max(minCrawlsPerChange * changes, estimate.total)) : highest;
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
    rate = Math.min(highest, Math.max(rate / 2, rate + excess / price));
  }
  if (!isFound) {
    const possible = (at: number): number => Math.min(highest, Math.max(minCrawlsPerChange * changes, at));
    const search = { supply: goal, start: rate, ceiling: highest, tolerance };
    rate = possible(clearingPrice((at) => plan(possible(at)).cost.upper, search).high);
  }
  const answer = proveAnswer(histogram, plan(rate));
  const { value, bound } = answer.objective;
  if (value > target * (1 + roundoff)) {
    const hostPrice = new Float64Array(problem.maxRate.length);
    for (const { host, limited, price } of answer.hosts) if (limited) hostPrice[host] = price;
    return { feasible: false, minCost: value, hostPrice };
  }
  // where limits leave just the target all of them are used up, and the cheapest crawl is a host's
  const isUsed = answer.price > 0;
  const price = isUsed ? answer.price : Math.min(...answer.hosts.map((host) => host.price));
  const minRate = Math.min(rate, Math.max(0, rate + ((bound ?? 0) - target) / price));
  return { feasible: true, rate, bound: minRate, answer: isUsed ? answer : { ...answer, warnings: [] } };
}
