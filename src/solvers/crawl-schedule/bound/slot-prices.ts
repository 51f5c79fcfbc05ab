/**
 * What no schedule on these slots can beat: weak duality with a price for every moment.
 *
 * Free times flatter: at the end of an interval, and at its beginning, all pages want the same moments, and slots are
 * had once. With prices q(t) ≥ μ ≥ 0, any schedule of at most R crawls on S slots s costs at least
 *   Σ over pages of min over times t_k of (weighted stale time + Σ q(t_k)) − Σ_s q(s) + μ·(S − R).
 * - q is linear between the moments of a grid, all slots' times where these are few, else evenly spaced ones. Between
 *   two of them the best times are where the cost is flat, so that rounding them to the grid (by h/2 at most) costs no more than wλh²/2 a gap:
 *   the second derivative of a gap's cost is at most wλ. That much is taken off every gap, and a shortest path over the grid
 *   (priced-paths.ts) is a bound. Where a class would gain by crawls at one moment, its free times at the price μ are.
 * - Pages stand in classes where they are many (page-classes.ts).
 * - The prices' slopes are read off the schedule (where crawls of a page cannot gain by moving, w·(H'(gap before) −
 *   H'(gap after)) is −q'), their level by golden section, then a few steps along the demand for slots. Any prices give a bound.
 * Complexity: some 40 evaluations over hundreds of classes, one over thousands; a class costs O(G²/crawls) of G
 * moments.
 */
import { type Budget, NothingToReturn, unlessStopped } from '../../budget.ts';
import { goldenSection } from '../../numerics/search/golden-section.ts';
import { type GridPage, PricedPaths } from './priced-paths.ts';

/** A class as the bound sees it. */
export interface PricedClass {
  readonly page: GridPage;
  readonly mass: number;
  /** The least of weighted stale time + price·crawls over free times. */
  readonly atOnePrice: (price: number) => number;
}

export interface SlotMarket {
  /** Moments of the grid, rising, from 0 to the end of the interval. */
  readonly moments: Float64Array;
  /** Slots at each moment; one between two of them counts as shares of both. */
  readonly supply: Float64Array;
  readonly slots: number;
  readonly crawls: number;
}

/**
 * Σ over classes less what the slots cost: a bound of Σ weight·(stale time). `demand` gets the crawls at each moment.
 *
 * @param budget null: it is short, and done whatever the time
 * @throws NothingToReturn when the budget ends: a part of the classes bounds nothing
 */
export function marketBound(
  market: SlotMarket,
  classes: Iterable<PricedClass>,
  price: Float64Array,
  demand: Float64Array | null,
  budget: Budget | null,
): number {
  const { moments, supply, slots, crawls } = market;
  const paths = new PricedPaths(moments.length);
  let least = Number.POSITIVE_INFINITY;
  for (const [b, q] of price.entries()) if (supply[b] > 0) least = Math.min(least, q);
  least = Math.max(0, least);
  const paid = price.map((q) => Math.max(q, least));
  let sum = least * (slots - crawls);
  for (let b = 0; b < paid.length; b++) sum -= supply[b] * paid[b];
  demand?.fill(0);
  for (const { page, mass, atOnePrice } of classes) {
    if (budget?.stopRequested()) throw new NothingToReturn('the slots had no prices yet');
    const free = atOnePrice(least);
    const onGrid = page.slack <= least ? paths.solve(page, paid) : free;
    sum += mass * Math.max(free, onGrid);
    if (demand !== null && page.slack <= least) paths.addCrawls(mass, demand);
  }
  return sum;
}

const ascents = 24;
const firstStep = 0.3;

/** A first guess: prices up to a constant, and about how high they are. */
export interface PriceGuess {
  readonly start: Float64Array;
  readonly level: number;
}

/** Prices for which the bound is large. @throws NothingToReturn when the budget ends before their level is known */
export function findPrices(
  market: SlotMarket,
  classes: readonly PricedClass[],
  { start, level }: PriceGuess,
  budget: Budget,
): Float64Array {
  const at = (shift: number): Float64Array => start.map((q) => q + shift);
  const value = (price: Float64Array): number => marketBound(market, classes, price, null, budget);
  const lowest = start.reduce((low, q) => Math.min(low, q), Number.POSITIVE_INFINITY);
  const found = goldenSection((shift) => -value(at(shift)), -lowest - level, 2 * level - lowest, 0.02 * level);
  let best = at(found.at);
  let most = -found.value;
  const demand = new Float64Array(start.length);
  let price = best.slice();
  for (let step = 0; step < ascents && !budget.stopRequested(); step++) {
    const tried = price;
    const bound = unlessStopped(null, () => marketBound(market, classes, tried, demand, budget));
    if (bound === null) break;
    if (bound > most) {
      most = bound;
      best = price.slice();
    }
    const wanted = smoothed(demand, market.supply);
    const size = (firstStep * level) / (1 + step / 4);
    price = price.map((q, b) => Math.max(0, q + size * Math.max(-1, Math.min(1, wanted[b]))));
  }
  return best;
}

/** Relative excess of demand over supply, averaged over neighbouring moments. */
function smoothed(demand: Float64Array, supply: Float64Array): Float64Array {
  const width = Math.floor(supply.length / 32);
  const mean = supply.reduce((sum, s) => sum + s, 0) / supply.length;
  return supply.map((_, b) => {
    let excess = 0;
    let count = 0;
    for (let k = Math.max(0, b - width); k <= Math.min(supply.length - 1, b + width); k++, count++)
      excess += demand[k] - supply[k];
    return excess / count / mean;
  });
}
