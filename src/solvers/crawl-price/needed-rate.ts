/**
 * The least crawls a unit of time that keep a target, from a histogram.
 *
 * What is left rises in the price p, and one pass over the buckets gives it. The search for the price uses it, first as
 * it is estimated, then as it is proved from above. So the answer's own plan keeps the target. Where doubles tell
 * prices apart too coarsely, Newton's method goes on. The cost V(R) of the best plan is convex and falls in R, with
 * slope −price. It goes up to the root of V(R) = s* from the left. From below D(p) ≤ V + pR: no R below
 * R + (bound − s*)/p can do, with the limits of hosts in bound and price. Of wide buckets only what is proved from above
 * is known, V̄(R), which need not fall. R is then where V̄ comes down to s*. Where it does so more than once, R is one of
 * these, and the least lies between bound and R.
 * Complexity: some fifteen passes, fewer than the forward answer's. Stopping rule: R within 1e−10, never above the
 * target.
 */
import type { Budget } from '../budget.ts';
import { clearingPrice } from '../pages/market/index.ts';
import { easedHosts, type HostsEased } from '../pages/targets/index.ts';
import { PriceMarket, type Settled } from './market.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem } from './problem.ts';
import { answerAt, settledAt, solveCrawlPrice } from './solve.ts';

export interface NeededRate {
  readonly met: true;
  readonly rate: number;
  /** No lower rate keeps the target. */
  readonly bound: number;
  /** What is left at that rate, and the price there. */
  readonly answer: CrawlPriceAnswer;
}

/** A target that the limits of hosts leave out of reach. */
export interface NeededRateMissed {
  readonly met: false;
  /** What no rate brings below. */
  readonly least: number;
  /** By host: what one more crawl would save at its limit; 0 where the limit does not bind. */
  readonly hostPrice: Float64Array;
  readonly eased: readonly HostsEased[];
}

const mostSteps = 200;
const mostRounds = 8;
/** Of a price, for the first slope. */
const aside = 1e-3;
const close = 1e-10;
/** Of the changes: a rate beyond every use, and one that is none. */
const [endless, none] = [1e40, 1e-40];
/** What rounding may leave above a target. */
const rounding = 1e-9;

/** A problem whose rate is not read, and its market. */
export interface PricedPart {
  readonly problem: CrawlPriceProblem;
  readonly market: PriceMarket;
}

export const pricedPart = (problem: CrawlPriceProblem, budget: Budget): PricedPart => ({
  problem,
  market: new PriceMarket(problem, budget),
});

/**
 * @param problem its rate is not read
 * @param most what may be left: Σ weight·cost a unit of time
 */
export function neededRate(problem: CrawlPriceProblem, most: number, budget: Budget): NeededRate | NeededRateMissed {
  return neededRateOf(pricedPart(problem, budget), most, budget);
}

export function neededRateOf(part: PricedPart, most: number, budget: Budget): NeededRate | NeededRateMissed {
  const { problem, market } = part;
  const { changes } = market;
  // a copy that is never fetched costs no more than its weight under freshness alone
  const nothing = market.objective.reach === 1 && most >= changes * market.meanRatio * (1 - Number.EPSILON);
  const found = nothing ? null : priceThatLeaves(market, most);
  let rate = found?.rate ?? (nothing ? none : 1e-3) * changes;
  let settled = settledAt(market, rate, found);
  const kept = (): boolean => most - settled.left.above <= 2 * close * rate * settled.price;
  let [low, tooMuch] = [0, 0];
  // from the left of the root on, Newton's steps stay there
  for (let step = 0; step < mostSteps && settled.left.above <= most && !kept() && rate > none * changes; step++) {
    rate /= 8;
    settled = settledAt(market, rate, settled);
  }
  for (let step = 0; step < mostSteps && settled.left.above > most; step++) {
    const { above } = settled.left;
    [low, tooMuch] = [rate, above - most];
    if (!(settled.price > 0) || rate > endless * changes) break;
    const missing = Number.isFinite(above) ? (above - most) / settled.price : 3 * rate;
    // a little beyond the root, once it is near: what is proved from above ends within the target
    const beyond = missing < 1e-6 * rate ? close * rate : 0;
    rate += Math.min(missing, 64 * rate) + beyond;
    settled = settledAt(market, rate, settled);
  }
  // what wide buckets are proved to leave is not convex, and a step may go too far
  const tooFar = (): boolean => low > 0 && settled.left.above <= most && !kept() && rate - low > close * rate;
  for (let step = 0; tooFar(); step++) {
    const share = tooMuch / (tooMuch + most - settled.left.above);
    const middle =
      low +
      (step % 2 === 0 && tooMuch < Number.POSITIVE_INFINITY
        ? share * (rate - low) + (close / 2) * rate
        : (rate - low) / 2);
    const tried = settledAt(market, Math.min(middle, rate), settled);
    if (tried.left.above > most) [low, tooMuch] = [middle, tried.left.above - most];
    else [rate, settled] = [Math.min(middle, rate), tried];
  }
  const answer = answerAt(market, rate, settled);
  const { value, bound } = answer.objective;
  if (value > most * (1 + rounding)) return missed(problem, most, endless * changes, budget);
  if (rate <= none * changes && market.objective.reach === 1) return { met: true, rate: 0, bound: 0, answer };
  if (answer.price > 0) return { met: true, rate, bound: within(rate, (bound ?? 0) - most, answer.price), answer };
  // what the limits leave is just the target: all of them are used up
  const spent = answer.hosts.reduce((sum, host) => sum + host.rate, 0);
  const cheapest = Math.min(...answer.hosts.map(({ price }) => price));
  const least = within(spent, (bound ?? 0) - most, cheapest);
  return { met: true, rate: spent, bound: least, answer: { ...answer, warnings: [] } };
}

/**
 * What is given out at the price at which a target is just kept; null where rounding hides it, or no price keeps it.
 * What is proved differs little from what is left were each bucket of one ratio, and so do their slopes. The secant of
 * the second leads close, that of the first from there. Where what is proved jumps, it is only near.
 */
function priceThatLeaves(market: PriceMarket, most: number): Settled | null {
  const byPrice = (price: number): number => 1 / market.leftByAll(price);
  const { low, high } = clearingPrice(byPrice, { supply: 1 / most, start: market.meanRatio, tolerance: 1e-5 });
  if (!(low > 0 && high - low <= 1e-4 * low)) return null;
  let price = low;
  let slope = Math.log(byPrice(price) / byPrice(price * (1 + aside))) / Math.log1p(aside);
  let last = Number.NaN;
  let step = Number.NaN;
  let settled = market.settled(price, null);
  for (let round = 0; round < mostRounds; round++) {
    const { rate, left } = settled;
    const within = (close / 2) * price * rate;
    if (!(within > 0)) return null;
    if (Math.abs(left.above + within - most) <= within) return settled;
    const missing = Math.log((left.above + within) / most);
    if (round > 0) slope = (missing - last) / step;
    step = -missing / slope;
    price *= Math.exp(step);
    last = missing;
    settled = market.settled(price, null);
  }
  return settled.rate > 0 ? settled : null;
}

/** No rate below this one, less what the cost is proved to be above the target at it, by the price. */
const within = (rate: number, excess: number, price: number): number =>
  Math.min(rate, Math.max(0, rate + excess / price));

/** What hosts' limits leave at any rate, their prices, and how far they would have to give way. */
function missed(problem: CrawlPriceProblem, most: number, rate: number, budget: Budget): NeededRateMissed {
  const limited = (maxRate: Float64Array): CrawlPriceAnswer => solveCrawlPrice({ ...problem, maxRate, rate }, budget);
  const { objective, hosts } = limited(problem.maxRate);
  const hostPrice = new Float64Array(problem.maxRate.length);
  for (const { limitedBy, price } of hosts) if (limitedBy >= 0) hostPrice[limitedBy] = price;
  const eased = easedHosts(hostPrice, (raised, factor) => {
    const maxRate = problem.maxRate.map((own, h) => (raised.has(h) ? own * factor : own));
    return limited(maxRate).objective.value <= most;
  });
  return { met: false, least: objective.value, hostPrice, eased };
}

/** Points of (crawls a unit of time, what is left, price), from half to twice a rate; no more than hosts' limits let. */
export function priceCurve(problem: CrawlPriceProblem, around: number, budget: Budget) {
  const points = 20;
  const widest = solveCrawlPrice({ ...problem, rate: 2 * around }, budget);
  const limited = (1 - rounding) * widest.hosts.reduce((sum, host) => sum + host.rate, 0);
  const most = widest.price > 0 ? 2 * around : limited;
  return Array.from({ length: points }, (_, k) => {
    const rate = (around / 2) * ((2 * most) / around) ** (k / (points - 1));
    const { objective, price } = solveCrawlPrice({ ...problem, rate }, budget);
    return { crawls: rate, left: objective.value, price };
  });
}
