/**
 * The price of a crawl for any number of pages, from sums over them by ratio. This one number, applied to each page by
 * itself, gives the best plan of all.
 *
 * Model: minimise Σ cost_i(r_i) over crawl rates with Σ r_i = R and Σ_{i∈h} r_i ≤ C_h (the table in problem.ts). At the
 * price ν page i is crawled at λφ(a_i/ν); pages of a host whose limit binds pay ν_h > ν. Symbols: Λ, W, M, lo, hi of a
 * bucket as in buckets.ts.
 * Method: each bucket's mean of φ is known from both sides (spent.ts). All three sums fall in the price, and so does
 * Σ_h min(C_h, ·). The roots of the lower and upper ones enclose the exact price; the root of the estimate is the
 * answer. Its cost is proved from both sides by duality (cost.ts). Errors of the price bracket are of second order in a
 * bucket's width. Those of value and bound are of third order, and what the plan loses is of fourth.
 * Complexity: O(buckets) a price, some 25 prices. Stopping rule: roots to rounding; the bracket is widened by 1e−12 of
 * itself for the rounding of the sums.
 */
import { objective as objectiveOf, relativeGap, type Warning, warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { bracketAround, leastSure, PriceMarket, priceThatSpends, type Settled, surePrice } from './market.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem, HostPrice } from './problem.ts';
import { pagesWithoutCrawl } from './without-crawl.ts';

/** A gap up to this is optimal. */
export const priceTolerance = 1e-8;

/**
 * @throws NothingToReturn when the budget runs out
 */
export function priceOfRate(problem: CrawlPriceProblem, budget: Budget): CrawlPriceAnswer {
  return answerAt(new PriceMarket(problem, budget), problem.rate);
}

/** What is given out at the price that spends the rate. @param last the same at this rate, or at another one */
export function settledAt(market: PriceMarket, rate: number, last: Settled | null = null): Settled {
  const { mostSpent, meanRatio } = market;
  const spent = market.spentByAll.bind(market);
  if (mostSpent <= rate) return market.settled(0, rate);
  const near = last !== null && last.price > 0;
  if (last?.rate !== rate)
    return market.settled(priceThatSpends(rate, near ? last.price : meanRatio, spent, near), rate);
  if (last.sure >= leastSure * rate) return last;
  const price = surePrice(last.price, rate, spent);
  return price === last.price ? last : market.settled(price, rate);
}

/** @param settled what is given out at the price that spends the rate */
export function answerAt(market: PriceMarket, rate: number, settled = settledAt(market, rate)): CrawlPriceAnswer {
  const { mostSpent, objective } = market;
  const { price, left, limited, free, scale } = settled;
  const bracket = price > 0 ? bracketAround(price, rate, market.spentByAll.bind(market)) : ([0, 0] as const);
  const without = { pages: 0, low: 0, high: 0 };
  const hosts: HostPrice[] = [];
  let spent = 0;
  for (const group of limited) {
    const own = market.limited(group, price);
    const { host, maxRate } = group;
    hosts.push({
      host,
      price: own.price,
      scale: own.spent > 0 ? maxRate / own.spent : 1,
      rate: maxRate,
      limited: true,
    });
    spent += own.spent;
    const prices = [Math.max(bracket[0], own.bracket[0]), Math.max(bracket[1], own.bracket[1])] as const;
    pagesWithoutCrawl(objective, group.buckets, own.price, prices, without);
  }
  for (const { group, spent: own } of free) {
    spent += own;
    pagesWithoutCrawl(objective, group.buckets, price, bracket, without);
    if (group.host >= 0) hosts.push({ host: group.host, price, scale, rate: own * scale, limited: false });
  }
  const bound = Math.min(left.above, left.below);
  return {
    status: relativeGap(left.above, bound) <= priceTolerance ? 'optimal' : 'feasible',
    objective: objectiveOf(left.above, bound),
    price,
    priceBracket: bracket,
    rate: spent,
    scale,
    withoutCrawl: { pages: without.pages, bracket: [without.low, without.high] },
    hosts: hosts.sort((a, b) => a.host - b.host),
    warnings: price === 0 ? [unusedCrawls(rate, mostSpent)] : [],
    evaluations: market.evaluations,
  };
}

function unusedCrawls(rate: number, most: number): Warning {
  return warning(
    'crawls-unused',
    `The limits of the hosts let ${most} crawls be made per unit of time, of ${rate}: the price is 0, and each host pays its own`,
  );
}
