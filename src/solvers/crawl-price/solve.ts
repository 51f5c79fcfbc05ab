/**
 * The price of a crawl for any number of pages, from sums over them by ratio: one number that, applied to each page by
 * itself, gives the best plan of all.
 *
 * Model: minimise Σ cost_i(r_i) over crawl rates with Σ r_i = R and Σ_{i∈h} r_i ≤ C_h (the table in problem.ts). At the
 * price ν page i is crawled at λφ(a_i/ν); pages of a host whose limit binds pay ν_h > ν. Symbols: Λ, W, M, lo, hi of a
 * bucket as in buckets.ts.
 * Method: each bucket's mean of φ is known from both sides (spent.ts). All three sums fall in the price, and so does
 * Σ_h min(C_h, ·): the roots of the lower and upper ones enclose the exact price, the root of the estimate is the
 * answer. Its cost is proved from both sides by duality (cost.ts). Errors of the price bracket are of second order in a
 * bucket's width, those of value and bound of third order, what the plan loses of fourth.
 * Complexity: O(buckets) a price, some 40 prices. Stopping rule: roots to rounding; the bracket is widened by 1e−12 of
 * itself for the rounding of the sums.
 */
import { objective as objectiveOf, relativeGap, type Warning, warning } from '../answer.ts';
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { clearingPrice } from '../pages/market/index.ts';
import { type ScaleFree, stalenessCost } from '../pages/objectives/index.ts';
import { type Bucket, bucketAt } from './buckets.ts';
import { costByChord, leastCost, type Rescaling, rescalingLoss } from './cost.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem, HostPrice } from './problem.ts';
import { type Side, spentAt } from './spent.ts';
import { pagesWithoutCrawl } from './without-crawl.ts';

/** A gap up to this is optimal. */
export const priceTolerance = 1e-8;

const rounding = 1e-12;
/** Of the rate: what is surely spent at a price, for it to be an answer. */
const leastSure = 0.5;

/** Buckets that share a limit; `host` is −1 and the limit infinite where they have none. */
interface Group {
  readonly host: number;
  readonly maxRate: number;
  readonly buckets: Bucket[];
}

/** What groups spend at a price. */
class Spending {
  readonly objective: ScaleFree;
  readonly groups: readonly Group[];
  readonly #poll: Poll;
  evaluations = 0;

  constructor(objective: ScaleFree, groups: readonly Group[], poll: Poll) {
    this.objective = objective;
    this.groups = groups;
    this.#poll = poll;
  }

  spent(group: Group, price: number, side: Side): number {
    this.#poll(1000 * group.buckets.length);
    return spentAt(this.objective, group.buckets, price, side);
  }

  /** What all groups spend, none above its limit. */
  spentByAll(price: number, side: Side): number {
    this.evaluations++;
    let sum = 0;
    for (const group of this.groups) sum += Math.min(group.maxRate, this.spent(group, price, side));
    return sum;
  }
}

/**
 * @throws NothingToReturn when the budget runs out
 */
export function solveCrawlPrice(problem: CrawlPriceProblem, budget: Budget): CrawlPriceAnswer {
  const market = new Spending(
    stalenessCost(problem.objective).byChanges,
    groupsOf(problem),
    pollOf(budget, 'the price of a crawl had not been found'),
  );
  const { groups, objective } = market;
  const { rate } = problem;
  const most = groups.reduce((sum, group) => sum + group.maxRate, 0);
  const priced = most > rate ? globalPrice(market, rate) : { price: 0, bracket: [0, 0] as const };
  const { price, bracket } = priced;

  const hosts: HostPrice[] = [];
  const free: Bucket[] = [];
  let left = rate;
  let below = 0;
  let above = 0;
  let before = 0;
  const without = { pages: 0, low: 0, high: 0 };
  const settle = (buckets: readonly Bucket[], rescaling: Rescaling, prices: readonly [number, number]): void => {
    const cost = leastCost(objective, buckets, rescaling.price);
    const paid = rescaling.price * rescaling.rate;
    below += cost.below - paid;
    above += Math.min(
      cost.above - paid + rescalingLoss(objective, buckets, rescaling),
      costByChord(objective, buckets, rescaling, cost.above),
    );
    pagesWithoutCrawl(objective, buckets, rescaling.price, prices, without);
  };
  const unlimited: Group[] = [];
  for (const group of groups) {
    if (price > 0 && market.spent(group, price, 'estimate') <= group.maxRate) {
      unlimited.push(group);
      for (const bucket of group.buckets) free.push(bucket);
      continue;
    }
    const own = limitedPrice(market, group, price);
    const rescaling = rescalingOf(market, group, own.price, group.maxRate);
    const spent = market.spent(group, own.price, 'estimate');
    settle(group.buckets, rescaling, [Math.max(bracket[0], own.bracket[0]), Math.max(bracket[1], own.bracket[1])]);
    hosts.push({
      host: group.host,
      price: own.price,
      scale: scaleOf(group.maxRate, spent),
      rate: group.maxRate,
      limited: true,
    });
    left -= group.maxRate;
    before += spent;
  }
  let scale = 1;
  if (unlimited.length > 0) {
    const together: Group = { host: -1, maxRate: Number.POSITIVE_INFINITY, buckets: free };
    const spent = market.spent(together, price, 'estimate');
    scale = scaleOf(left, spent);
    before += spent;
    settle(free, rescalingOf(market, together, price, scale * spent), bracket);
    for (const group of unlimited) {
      if (group.host < 0) continue;
      const taken = market.spent(group, price, 'estimate') * scale;
      hosts.push({ host: group.host, price, scale, rate: taken, limited: false });
    }
  }
  const bound = Math.min(above, below);
  return {
    status: relativeGap(above, bound) <= priceTolerance ? 'optimal' : 'feasible',
    objective: objectiveOf(above, bound),
    price,
    priceBracket: bracket,
    rate: before,
    scale,
    withoutCrawl: { pages: without.pages, bracket: [without.low, without.high] },
    hosts: hosts.sort((a, b) => a.host - b.host),
    warnings: price === 0 ? [unusedCrawls(rate, most)] : [],
    evaluations: market.evaluations,
  };
}

/** The price that spends `rate`, and between which the exact one lies. */
function globalPrice(market: Spending, rate: number): PriceFound {
  let changes = 0;
  let weight = 0;
  for (const { buckets } of market.groups) {
    for (const { changeRate, mean } of buckets) {
      changes += changeRate;
      weight += changeRate * mean;
    }
  }
  return priceThatSpends(rate, weight / changes, (price, side) => market.spentByAll(price, side));
}

/** The price of a host whose limit binds. */
function limitedPrice(market: Spending, group: Group, from: number): PriceFound {
  const start = from > 0 ? from : group.buckets[0].mean;
  return priceThatSpends(group.maxRate, start, (price, side) => market.spent(group, price, side));
}

interface PriceFound {
  readonly price: number;
  readonly bracket: readonly [number, number];
}

function priceThatSpends(rate: number, start: number, spent: (price: number, side: Side) => number): PriceFound {
  const at = (side: Side) => (price: number) => spent(price, side);
  const found = clearingPrice(at('estimate'), { supply: rate, start }).low;
  const estimate = spending(found, at('estimate'));
  const near = { supply: rate, start: estimate, step: 1e-6 };
  const low = clearingPrice(at('below'), near).low;
  const high = clearingPrice(at('above'), near).high;
  // where the sums leave open whether next to nothing is spent, the price at which the rate surely is
  const sure = spent(estimate, 'below') >= leastSure * rate;
  const price = sure ? estimate : spending(low, at('below'));
  return { price, bracket: widened(price, low, high) };
}

/**
 * A price at which something is spent. With freshness a page that is crawled once in some forty changes pays its whole
 * ratio to rounding, so that what is spent jumps there from nothing to a fortieth of its changes.
 */
function spending(price: number, spent: (price: number) => number): number {
  let lower = price;
  for (let step = Number.EPSILON; spent(lower) === 0; step *= 2) lower = price * (1 - step);
  return lower;
}

function widened(price: number, low: number, high: number): readonly [number, number] {
  return [Math.min(low, price) * (1 - rounding), Math.max(high, price) * (1 + rounding)];
}

function rescalingOf(market: Spending, group: Group, price: number, rate: number): Rescaling {
  return {
    price,
    rate,
    spent: { below: market.spent(group, price, 'below'), above: market.spent(group, price, 'above') },
  };
}

/** By what is multiplied what pages would spend; 1 where they spend nothing, and what is left is rounding. */
const scaleOf = (rate: number, spent: number): number => (spent > 0 ? Math.max(0, rate) / spent : 1);

function groupsOf({ histogram, host, maxRate }: CrawlPriceProblem): Group[] {
  const groups = new Map<number, Group>();
  for (let b = 0; b < histogram.pages.length; b++) {
    const at = host === null ? -1 : host[b];
    let group = groups.get(at);
    if (group === undefined) {
      group = { host: at, maxRate: at < 0 ? Number.POSITIVE_INFINITY : maxRate[at], buckets: [] };
      groups.set(at, group);
    }
    group.buckets.push(bucketAt(histogram, b));
  }
  return [...groups.values()];
}

function unusedCrawls(rate: number, most: number): Warning {
  return warning(
    'crawls-unused',
    `The limits of the hosts let ${most} crawls be made per unit of time, of ${rate}: the price is 0, and each host pays its own`,
  );
}
