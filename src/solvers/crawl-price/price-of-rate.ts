/**
 * The price of a crawl for any number of pages, from sums over pages with similar ratios (a histogram). The best plan
 * of all pages follows from the price, page by page.
 *
 * Model: minimise Σ cost_i(r_i) over crawl rates with Σ r_i = R and Σ_{i∈h} r_i ≤ C_h. At the price ν page i is crawled
 * at λφ(a_i/ν); pages of a host whose limit binds pay ν_h > ν. Symbols: Λ, W, M, lo, hi of a bucket as in buckets.ts.
 * Method: buckets are the pages of a market. The demand of a bucket at a price has a lower bound, an upper bound, and
 * an estimate by its two laws; a market is cleared with each of the three. The prices of the first two enclose the
 * exact price, the price of the third is the answer. The cost of its plan is bounded from both sides by duality
 * (price-bounds.ts). In the width of a bucket, errors of the price are of second order, errors of value and bound of
 * third, and the loss of the plan of fourth order.
 * Complexity: O(buckets) a price, some 30 prices. Stopping rule: the market's; the bracket is widened by 1e−9 of itself
 * for the rounding of the sums.
 */
import { objective as objectiveOf, relativeGap, type Warning, warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import {
  type ClearedMarket,
  clearSupply,
  type FeasibleTarget,
  type InfeasibleTarget,
  type MarketProblem,
  type WarmStart,
} from '../market/index.ts';
import { type StalenessCost, stalenessCost } from '../pages/objectives/index.ts';
import { type Bucket, readBucket } from './buckets.ts';
import {
  type Bounds,
  boundRescaledCost,
  costAtRate,
  countUncrawledPages,
  crawlRateAt,
  type Side,
} from './price-bounds.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem, HostPrice } from './problem.ts';
import { type CrawlGroup, type Share, shareCrawls } from './share-crawls.ts';

/** Relative gap up to which an answer is called optimal. */
export const priceTolerance = 1e-8;
/** Relative widening of the price bracket, for the rounding of the sums; above the tolerance of the market's prices. */
const bracketMargin = 1e-9;
/**
 * Share of the supply that the lower bound of the crawl rate must reach at the estimated price; else a lower price is
 * taken. Without this share costs are up to 1.9% higher (wide buckets, few crawls; families seed 86).
 */
const minSpentShare = 0.5;

/** Buckets under one limit; without a limit `host` is −1 and `maxRate` infinite. */
interface Group {
  readonly host: number;
  readonly buckets: readonly Bucket[];
  readonly maxRate: number;
}

/** A histogram as a market. */
export interface HistogramMarket {
  readonly objective: StalenessCost;
  readonly buckets: readonly Bucket[];
  readonly groups: readonly Group[];
  /** Σλ, and Σ of the weights. */
  readonly changes: number;
  readonly weight: number;
  /** Σ of the limits; Infinity where pages have none. */
  readonly highestRate: number;
  /** Evaluations of a bucket at a price so far. */
  readonly counter: { bucketEvaluations: number };
  /** The market of the lower bound, the estimate or the upper bound of the demand. */
  market(side: Side): MarketProblem;
}

/** Its searches throw NothingToReturn when the budget ends. */
export function createMarket(problem: CrawlPriceProblem, budget: Budget): HistogramMarket {
  const objective = stalenessCost(problem.objective);
  const { histogram, host, maxRate } = problem;
  const buckets = Array.from(histogram.pages, (_, b) => readBucket(histogram, b));
  const changes = buckets.reduce((sum, { changeRate }) => sum + changeRate, 0);
  const weight = buckets.reduce((sum, { changeRate, mean }) => sum + changeRate * mean, 0);
  const groups = groupByHost(buckets, problem);
  const counter = { bucketEvaluations: 0 };
  const market = (side: Side): MarketProblem => ({
    demand: {
      pages: buckets.length,
      fetchesAt: (b, price) => {
        counter.bucketEvaluations++;
        return crawlRateAt(objective, buckets[b], price, side);
      },
      costOf: (b, crawls) => costAtRate(objective, buckets[b], crawls),
    },
    hosts: host === null ? null : { of: host, limit: maxRate },
    start: weight / changes,
    budget,
  });
  const highestRate = groups.reduce((sum, group) => sum + group.maxRate, 0);
  return { objective, buckets, groups, changes, weight, highestRate, counter, market };
}

/**
 * The price at which the pages make R crawls per unit of time, with the cost of the plan and its bounds.
 *
 * @throws NothingToReturn when the budget ends first
 */
export function priceOfRate(problem: CrawlPriceProblem, budget: Budget): CrawlPriceAnswer {
  const market = createMarket(problem, budget);
  return proveAnswer(market, planForRate(market, problem.rate));
}

/** The plan at an estimated price, with bounds on its cost. */
export interface PricedPlan {
  readonly price: number;
  readonly rate: number;
  readonly groups: readonly Share<Group & CrawlGroup>[];
  readonly scale: number;
  readonly cost: Bounds;
}

/** The plan with a rate of crawls. @param warmStart prices of a similar plan */
export function planForRate(
  histogram: HistogramMarket,
  rate: number,
  warmStart?: PricedPlan | FeasibleTarget | InfeasibleTarget,
): PricedPlan {
  const { objective, groups, market, highestRate } = histogram;
  const clearedMarket = clearSupply({ ...market('estimate'), warmStart: warmStart && pricesOf(warmStart) }, rate);
  const spendingAt = (buckets: readonly Bucket[], price: number, side: Side): number =>
    buckets.reduce((sum, bucket) => sum + crawlRateAt(objective, bucket, price, side), 0);
  const certainPrice = (start: number, buckets: readonly Bucket[], supply: number): number => {
    const price = priceThatSpends(start, (at) => spendingAt(buckets, at, 'estimate'));
    if (spendingAt(buckets, price, 'lower') >= minSpentShare * supply) return price;
    const hostlessMarket = {
      ...market('lower'),
      hosts: null,
      demand: demandOf(objective, buckets, 'lower'),
      start: price,
    };
    return priceThatSpends(clearSupply(hostlessMarket, supply).bracket[0], (at) => spendingAt(buckets, at, 'lower'));
  };
  const isFree = (group: Group): boolean => !(clearedMarket.hostPrice[group.host] > clearedMarket.price);
  const groupsWithoutOwnPrice = groups.filter(isFree);
  const remainingRate = rate - groups.reduce((sum, group) => sum + (isFree(group) ? 0 : group.maxRate), 0);
  const isUsed = highestRate > rate;
  const freeBuckets = groupsWithoutOwnPrice.flatMap(({ buckets }) => buckets);
  const price = !isUsed
    ? 0
    : remainingRate > bracketMargin * rate
      ? certainPrice(clearedMarket.bracket[0], freeBuckets, remainingRate)
      : clearedMarket.price;
  const demands = groups.map((group) => {
    const limited = !isUsed || !isFree(group);
    const own = limited ? certainPrice(clearedMarket.hostPrice[group.host], group.buckets, group.maxRate) : price;
    return { ...group, limited, price: own, demand: spendingAt(group.buckets, own, 'estimate') };
  });
  const shares = shareCrawls(demands, rate);
  const costs = shares.groups
    .filter(({ limited }) => limited)
    .map((group) => boundRescaledCost(objective, group.buckets, group.price, group.crawlRate));
  const freeGroups = shares.groups.filter(({ limited }) => !limited);
  const freeRate = freeGroups.reduce((sum, group) => sum + group.crawlRate, 0);
  const sharedBuckets = freeGroups.flatMap(({ buckets }) => buckets);
  if (freeGroups.length > 0) costs.push(boundRescaledCost(objective, sharedBuckets, price, freeRate));
  const sumOf = (side: keyof Bounds): number => costs.reduce((sum, cost) => sum + cost[side], 0);
  const cost = { lower: sumOf('lower'), upper: sumOf('upper') };
  return { price, rate, groups: shares.groups, scale: shares.scale, cost };
}

/** The answer for a plan; the markets of the lower and upper bounds bracket its prices. */
export function proveAnswer(histogram: HistogramMarket, plan: PricedPlan): CrawlPriceAnswer {
  const { objective, market, highestRate, counter, buckets } = histogram;
  const { price, rate, groups, scale, cost } = plan;
  const warmStart = pricesOf(plan);
  const [lower, upper] = (['lower', 'upper'] as const).map((side) => clearSupply({ ...market(side), warmStart }, rate));
  const low = price > 0 ? Math.min(lower.bracket[0], price) * (1 - bracketMargin) : 0;
  const high = price > 0 ? Math.max(upper.bracket[1], price) * (1 + bracketMargin) : 0;
  const uncrawledCounts = { pages: 0, low: 0, high: 0 };
  const hosts: HostPrice[] = [];
  for (const group of groups) {
    const { host, limited } = group;
    const ends = [Math.min(ownPrice(lower, host), group.price), Math.max(ownPrice(upper, host), group.price)];
    const bracket = [
      Math.max(low, ends[0] * (1 - bracketMargin)),
      Math.max(high, ends[1] * (1 + bracketMargin)),
    ] as const;
    for (const bucket of group.buckets) countUncrawledPages(objective, bucket, group.price, bracket, uncrawledCounts);
    if (host >= 0) hosts.push({ host, price: group.price, scale: group.scale, rate: group.crawlRate, limited });
  }
  const bound = Math.min(cost.upper, cost.lower);
  return {
    status: relativeGap(cost.upper, bound) <= priceTolerance ? 'optimal' : 'feasible',
    objective: objectiveOf(cost.upper, bound),
    price,
    priceBracket: [low, high],
    rate: groups.reduce((sum, { demand }) => sum + demand, 0),
    scale,
    withoutCrawl: { pages: uncrawledCounts.pages, bracket: [uncrawledCounts.low, uncrawledCounts.high] },
    hosts: hosts.sort((a, b) => a.host - b.host),
    warnings: highestRate <= rate ? [unusedCrawls(rate, highestRate)] : [],
    evaluations: Math.ceil(counter.bucketEvaluations / buckets.length),
  };
}

const ownPrice = ({ price, hostPrice }: ClearedMarket, host: number): number => Math.max(price, hostPrice[host] ?? 0);

function pricesOf(plan: PricedPlan | FeasibleTarget | InfeasibleTarget): WarmStart {
  if ('hostPrice' in plan) return { price: 'price' in plan ? plan.price : 0, host: plan.hostPrice };
  const host: number[] = [];
  for (const group of plan.groups) if (group.host >= 0 && group.limited) host[group.host] = group.price;
  return { price: plan.price, host };
}

function unusedCrawls(rate: number, maxCrawls: number): Warning {
  return warning(
    'crawls-unused',
    `The limits of the hosts let ${maxCrawls} crawls be made per unit of time, of ${rate}: the price is 0, and each host pays its own`,
  );
}

/**
 * The price, lowered until the crawl rate is above 0. Under freshness the price of a page that is crawled once in about
 * 40 changes is its ratio, to rounding: just below the ratio the crawl rate jumps from 0 to 1/40 of the change rate.
 */
function priceThatSpends(price: number, spendingAt: (price: number) => number): number {
  let lower = price;
  for (let step = Number.EPSILON; spendingAt(lower) === 0; step *= 2) lower = price * (1 - step);
  return lower;
}

const demandOf = (objective: StalenessCost, buckets: readonly Bucket[], side: Side): MarketProblem['demand'] => ({
  pages: buckets.length,
  fetchesAt: (b, price) => crawlRateAt(objective, buckets[b], price, side),
  costOf: () => 0,
});

function groupByHost(buckets: readonly Bucket[], { host, maxRate }: CrawlPriceProblem): Group[] {
  const groups = new Map<number, Bucket[]>();
  for (const [b, bucket] of buckets.entries()) {
    const at = host === null ? -1 : host[b];
    const group = groups.get(at);
    if (group === undefined) groups.set(at, [bucket]);
    else group.push(bucket);
  }
  return [...groups].map(([at, own]) => ({ host: at, buckets: own, maxRate: at < 0 ? Infinity : maxRate[at] }));
}
