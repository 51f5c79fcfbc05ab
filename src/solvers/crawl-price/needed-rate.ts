/**
 * The least crawls a unit of time that keep a target, from a histogram.
 *
 * What is left rises in the price p, and one pass over the buckets gives it. The search for the price uses it, first as
 * it is estimated, then as it is proved from above. So the answer's own plan keeps the target. At the end the rates are
 * rescaled, which takes no further pass. Where doubles tell prices apart too coarsely, or what is spent jumps, Newton's
 * method goes on. The cost V(R) of the best plan is convex and falls in R, with slope −price. It goes up to the root of
 * V(R) = s* from the left. From below D(p) ≤ V + pR: no R below R + (bound − s*)/p can do, with the limits of hosts in
 * bound and price. Of wide buckets only what is proved from above is known, V̄(R), which need not fall. R is then where
 * V̄ comes down to s*. Where it does so more than once, R is one of these, and the least lies between bound and R.
 * Complexity: some fifteen passes, fewer than the forward answer's. Stopping rule: R within 1e−10, never above the
 * target.
 */
import type { Budget } from '../budget.ts';
import { clearingPrice } from '../market/index.ts';
import { PriceMarket, type Settled } from './market.ts';
import { answerAt, priceOfRate, settledAt } from './price-of-rate.ts';
import type { CrawlPriceAnswer, CrawlPriceProblem } from './problem.ts';

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
}

const mostSteps = 200;
const mostRounds = 40;
/** Of what is left as it is estimated, how near its price is found; of a price, for the first slope. */
const [ofEstimate, aside] = [1e-5, 1e-3];
/** Of the crawls: what a price may be off, where buckets are wide; of ln p: on both sides of a jump. */
const [mostMoved, together] = [5e-6, 1e-7];
/** Of what is left: how near what is proved is to what is estimated, for it to fall nearly as that does. */
const nearly = 0.01;
const close = 1e-10;
/** Of the changes: a rate beyond every use, and one that is none. */
const [endless, none] = [1e40, 1e-40];
/** What rounding may leave above a target. */
const rounding = 1e-9;

/**
 * @param problem its rate is not read
 * @param most what may be left: Σ weight·cost a unit of time
 */
export function neededRate(problem: CrawlPriceProblem, most: number, budget: Budget): NeededRate | NeededRateMissed {
  const market = new PriceMarket(problem, budget);
  const { changes } = market;
  // a copy that is never fetched costs no more than its weight under freshness alone
  const nothing = market.objective.reach === 1 && most >= changes * market.meanRatio * (1 - Number.EPSILON);
  const found = nothing ? null : priceThatLeaves(market, most);
  let rate = found?.kept.rate ?? (nothing ? none : 1e-3) * changes;
  let settled = settledAt(market, rate, found?.kept);
  const kept = (): boolean => most - settled.left.above <= 2 * close * rate * settled.price;
  let [low, tooMuch] =
    found === null || found.short === null ? [0, 0] : [found.short.rate, found.short.left.above - most];
  // from the left of the root on, Newton's steps stay there
  for (
    let step = 0;
    step < mostSteps && low === 0 && settled.left.above <= most && !kept() && rate > none * changes;
    step++
  ) {
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
  if (value > most * (1 + rounding)) return missed(problem, endless * changes, budget);
  if (rate <= none * changes && market.objective.reach === 1) return { met: true, rate: 0, bound: 0, answer };
  if (answer.price > 0) return { met: true, rate, bound: within(rate, (bound ?? 0) - most, answer.price), answer };
  // what the limits leave is just the target: all of them are used up
  const spent = answer.hosts.reduce((sum, host) => sum + host.rate, 0);
  const cheapest = Math.min(...answer.hosts.map(({ price }) => price));
  const least = within(spent, (bound ?? 0) - most, cheapest);
  return { met: true, rate: spent, bound: least, answer: { ...answer, warnings: [] } };
}

/**
 * What is given out near the price at which a target is just kept, rescaled to keep it. Null where rounding hides it, or
 * no price keeps it. What is proved differs little from what is left were each bucket of one ratio, and so do their
 * slopes. The secant of the second leads close, that of the first from there. Where what is proved jumps over the
 * target, the prices on both sides are brought together.
 */
function priceThatLeaves(market: PriceMarket, most: number): Found | null {
  const byPrice = (price: number): number => 1 / market.leftByAll(price);
  const { low, high } = clearingPrice(byPrice, { supply: 1 / most, start: market.meanRatio, tolerance: ofEstimate });
  if (!(low > 0 && high - low <= 10 * ofEstimate * low)) return null;
  const look = (price: number) => {
    const settled = market.settled(price, null);
    const within = (close / 2) * price * settled.rate;
    return { settled, within, at: Math.log(price), off: Math.log((settled.left.above + within) / most) };
  };
  let slope = Math.log(byPrice(low) / byPrice(low * (1 + aside))) / Math.log1p(aside);
  let last = look(low);
  // what rescaling moves is to be little beside what the widths of the buckets do
  const apart = Math.abs(last.off);
  const little = apart > 10 * ofEstimate ? Math.min(mostMoved, apart / 1000) : 0;
  let [under, over]: (typeof last | null)[] = [null, null];
  let isSlow = false;
  for (let round = 0; round < mostRounds; round++) {
    const { settled, within, at, off } = last;
    if (!(within > 0)) return null;
    const isLittle = Math.abs(settled.left.above - most) <= Math.max(2 * within, little * settled.price * settled.rate);
    const kept = isLittle ? leaving(market, settled, { most, steps: 2 }) : null;
    if (kept !== null) return { kept, short: null };
    if (off < 0) under = last;
    else over = last;
    let next = at - off / slope;
    if (under !== null && over !== null) {
      if (Math.abs(over.at - under.at) <= together) {
        const isJump = Math.abs(over.settled.rate / under.settled.rate - 1) > mostMoved;
        if (isJump) return { kept: under.settled, short: apart < nearly ? over.settled : null };
        const rescaled = leaving(market, under.settled, { most, steps: mostSteps });
        return rescaled && { kept: rescaled, short: null };
      }
      const isBetween = (next - under.at) * (next - over.at) < 0;
      if (isSlow || !isBetween) next = (under.at + over.at) / 2;
    }
    last = look(Math.exp(next));
    isSlow = Math.abs(last.off) > Math.abs(off) / 4;
    const steepness = (last.off - off) / (last.at - at);
    if (steepness > 0) slope = steepness;
  }
  return null;
}

/** What keeps a target; where it could not be brought near, beside what does not. */
interface Found {
  readonly kept: Settled;
  readonly short: Settled | null;
}

/** The same at this price, rescaled to the rate that leaves just the target; null where that is none. */
function leaving(
  market: PriceMarket,
  found: Settled,
  { most, steps }: { readonly most: number; readonly steps: number },
): Settled | null {
  const { price } = found;
  let settled = found;
  for (let step = 0; step < steps && settled.rate > 0; step++) {
    const { rate, left } = settled;
    const within = (close / 2) * price * rate;
    const missing = left.above + within - most;
    if (Math.abs(missing) <= within) return settled;
    settled = market.settled(price, rate + missing / price);
  }
  return null;
}

/** No rate below this one, less what the cost is proved to be above the target at it, by the price. */
const within = (rate: number, excess: number, price: number): number =>
  Math.min(rate, Math.max(0, rate + excess / price));

/** What hosts' limits leave at any rate, and their prices. */
function missed(problem: CrawlPriceProblem, rate: number, budget: Budget): NeededRateMissed {
  const { objective, hosts } = priceOfRate({ ...problem, rate }, budget);
  const hostPrice = new Float64Array(problem.maxRate.length);
  for (const { host, limited, price } of hosts) if (limited) hostPrice[host] = price;
  return { met: false, least: objective.value, hostPrice };
}

/** Points of (crawls a unit of time, what is left, price), from half to twice a rate; no more than hosts' limits let. */
export function priceCurve(problem: CrawlPriceProblem, around: number, budget: Budget) {
  const points = 20;
  const widest = priceOfRate({ ...problem, rate: 2 * around }, budget);
  const limited = (1 - rounding) * widest.hosts.reduce((sum, host) => sum + host.rate, 0);
  const most = widest.price > 0 ? 2 * around : limited;
  return Array.from({ length: points }, (_, k) => {
    const rate = (around / 2) * ((2 * most) / around) ** (k / (points - 1));
    const { objective, price } = priceOfRate({ ...problem, rate }, budget);
    return { crawls: rate, left: objective.value, price };
  });
}
