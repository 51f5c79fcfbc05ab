/**
 * The least crawls that leave no more than a target: the market of the forward question with another stopping rule.
 *
 * Model: minimise Σ f_i over crawl rates with Σ c_i(f_i) ≤ s* and hosts with Σ f_i ≤ C_h; c_i falls and is convex. At a
 * price p page i takes the f that is best for c_i(f) + p·f. What is left, S(p), rises with p, so p is the clearing price
 * of S in the place of the crawls. A host's pages pay the host's price where that is higher.
 * Bound (weak duality): with θ = 1/p no rates that leave at most s* sum to less than R(p) + θ(S(p) − s*). Every host
 * that has a price of its own has a term of the same form.
 * Method: target-price.ts. Crawls between two prices that enclose the one sought keep the target: c is convex.
 * Complexity: pages × some 4 prices. Stopping rule: rounding.
 */
import { beyondWorth, PricedPages } from './priced-pages.ts';
import { isPrice, type TargetMet, type TargetMissed, type TargetProblem } from './problem.ts';
import { manyPages, type TargetPrices, targetPrices } from './target-price.ts';

/** How near hosts of many pages come to their limits. */
const hostTolerance = 1e-10;
/** A host that keeps its limit at a price so far below that of all is not asked for its own. */
const farBelow = 1.2;

/** @throws NothingToReturn when the budget ends first */
export function meetTarget(problem: TargetProblem): TargetMet | TargetMissed {
  const { wanting, whole, hosts, near, budget } = problem;
  const pages = new PricedPages(wanting, budget);
  const tolerance = problem.tolerance ?? (wanting.pages > manyPages ? hostTolerance : 0);
  const lowest = isPrice(near?.price) ? near.price / farBelow : 0;
  const from = { start: problem.start, near: near?.host, lowest, tolerance };
  const hostPrice = hosts === null ? new Float64Array(0) : pages.keepHosts(hosts, from);
  const start = isPrice(near?.price) ? { start: near.price, near: true } : { start: problem.start, near: false };
  const found = targetPrices(pages, { target: whole, ...start, tolerance: problem.tolerance });
  // hosts that seemed far from their limits were left out
  if (hosts !== null && (typeof found === 'number' ? 0 : found.low.price) < lowest)
    return meetTarget({ ...problem, near: undefined });
  if (typeof found === 'number') return { met: false, least: found, hostPrice };
  return settle(problem, found, hostPrice);
}

/** Every page's crawls, and what the prices prove. */
function settle(problem: TargetProblem, prices: TargetPrices, hostPrice: Float64Array): TargetMet {
  const { crawls, left, price } = prices.kept;
  const total = sumOf(crawls);
  return {
    met: true,
    crawls,
    total,
    bound: Math.min(total, boundAt(problem, prices, hostPrice)),
    left,
    price: price >= beyondWorth ? Number.POSITIVE_INFINITY : price,
    hostPrice: hostPrice.map((own) => (own > price ? own : 0)),
  };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum;
}

/** The dual function of the least crawls. */
function boundAt({ whole, hosts }: TargetProblem, { low }: TargetPrices, hostPrice: Float64Array): number {
  const { price, crawls, left } = low;
  let bound = sumOf(crawls);
  if (price < beyondWorth) bound += (left - whole) / price;
  if (hosts === null) return Math.max(0, bound);
  const spentBy = new Float64Array(hostPrice.length);
  for (const [i, h] of hosts.of.entries()) if (h >= 0) spentBy[h] += crawls[i];
  for (const [h, spent] of spentBy.entries())
    if (hostPrice[h] > price) bound += ((hostPrice[h] - price) / price) * (spent - hosts.limit[h]);
  return Math.max(0, bound);
}
