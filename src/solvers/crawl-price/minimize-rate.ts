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
import { clearingPrice, clearTarget } from '../market/index.ts';
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

/** A target that the limits of hosts leave out of reach. */
export interface UnreachableTarget {
  readonly feasible: false;
  /** What no rate brings below. */
  readonly least: number;
  /** By host: what one more crawl would save at its limit; 0 where the limit does not bind. */
  readonly hostPrice: Float64Array;
}

/** Relative to what is left: how near the target is met, and what rounding may leave above it. */
const [close, rounding] = [1e-12, 1e-9];
/** Newton's steps on V̄(R), whose slope is −price, before a search that needs no slope. */
const newtonSteps = 5;
/** Crawls a change: a rate beyond every use, and one that is none. */
const [endless, none] = [1e40, 1e-40];

/**
 * @param problem its rate is not read
 * @param most what may be left: Σ weight·cost a unit of time
 */
export function minimizeRate(problem: CrawlPriceProblem, most: number, budget: Budget): MinRate | UnreachableTarget {
  const histogram = createMarket(problem, budget);
  const { objective, changes, weight, mostSpent, market } = histogram;
  // a copy that is never fetched costs no more than its weight under freshness alone
  if (objective.reach === 1 && most >= weight * (1 - Number.EPSILON)) {
    return {
      feasible: true,
      rate: 0,
      bound: 0,
      answer: proveAnswer(histogram, planForRate(histogram, none * changes)),
    };
  }
  const highest = Math.min(mostSpent, endless * changes);
  const estimate = clearTarget(market('estimate'), most);
  let rate = estimate.met ? Math.min(highest, Math.max(none * changes, estimate.total)) : highest;
  let last: PricedPlan | undefined;
  const plan = (at: number): PricedPlan => {
    if (last?.rate !== at) last = planForRate(histogram, at, last ?? estimate);
    return last;
  };
  const supply = most * (1 - 2 * close);
  let isFound = false;
  for (let step = 0; step < newtonSteps && !isFound; step++) {
    const { left, price } = plan(rate);
    const missing = left.above - supply;
    isFound = Math.abs(missing) <= close * supply;
    if (isFound || !(price > 0) || !Number.isFinite(missing)) break;
    rate = Math.min(highest, Math.max(rate / 2, rate + missing / price));
  }
  if (!isFound) {
    const possible = (at: number): number => Math.min(highest, Math.max(none * changes, at));
    const search = { supply, start: rate, near: true, ceiling: highest, tolerance: close };
    rate = possible(clearingPrice((at) => plan(possible(at)).left.above, search).high);
  }
  const answer = proveAnswer(histogram, plan(rate));
  const { value, bound } = answer.objective;
  if (value > most * (1 + rounding)) {
    const hostPrice = new Float64Array(problem.maxRate.length);
    for (const { host, limited, price } of answer.hosts) if (limited) hostPrice[host] = price;
    return { feasible: false, least: value, hostPrice };
  }
  // where limits leave just the target all of them are used up, and the cheapest crawl is a host's
  const isUsed = answer.price > 0;
  const price = isUsed ? answer.price : Math.min(...answer.hosts.map((host) => host.price));
  const least = Math.min(rate, Math.max(0, rate + ((bound ?? 0) - most) / price));
  return { feasible: true, rate, bound: least, answer: isUsed ? answer : { ...answer, warnings: [] } };
}
