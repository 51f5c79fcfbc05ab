/**
 * What no schedule on these slots can beat: weak duality with a price for every moment.
 *
 * Free times flatter: at the end of an interval, and at its beginning, all pages want the same moments, and slots are
 * had once. With prices q(t) ≥ μ ≥ 0, any schedule of at most R crawls on S slots s costs at least
 *   Σ over pages of min over times t_k of (weighted stale time + Σ q(t_k)) − Σ_s q(s) + μ·(S − R).
 * - q is linear between the moments of a grid, all slots' times where these are few, else evenly spaced ones. Between
 *   two of them the best times are where the cost is flat. So rounding them to the grid (by h/2 at most) costs no more
 *   than wλh²/2 a gap: the second derivative of a gap's cost is at most wλ. That much is taken off every gap, and a
 *   shortest path over the grid (priced-paths.ts) is a bound. So are free times at the price μ.
 * - Pages stand in classes where they are many (page-classes.ts).
 * - Any prices give a bound; price-search.ts looks for good ones.
 * Complexity: a class costs O(G·log G) of G moments.
 */
import { type Budget, NothingToReturn } from '../../budget.ts';
import { type GridPage, PricedPaths } from './priced-paths.ts';

/** A class as the bound sees it. */
export interface PricedClass {
  readonly page: GridPage;
  readonly mass: number;
  /** The least of weighted stale time + price·crawls over free times. */
  readonly atOnePrice: (price: number) => number;
}

/** Of the time for a bound, what is kept for computing it of all pages, at the prices found by then. */
export const evaluating = 0.35;

/** A bound, and whether the time ended before it was as close as it can be. */
export interface Bound {
  readonly value: number;
  readonly cut: boolean;
}

export const noBound: Bound = { value: 0, cut: false };
export const cutShort: Bound = { value: 0, cut: true };

export interface SlotMarket {
  /** Moments of the grid, rising, from 0 to the end of the interval. */
  readonly moments: Float64Array;
  /** Slots at each moment; one between two of them counts as shares of both. */
  readonly supply: Float64Array;
  readonly slots: number;
  readonly crawls: number;
}

/**
 * Σ over classes less what the slots cost: a bound of Σ weight·(stale time).
 *
 * @param budget null: it is short, and done whatever the time
 * @throws NothingToReturn when the budget ends: a part of the classes bounds nothing
 */
export function marketBound(
  market: SlotMarket,
  classes: Iterable<PricedClass>,
  price: Float64Array,
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
  for (const { page, mass, atOnePrice } of classes) {
    if (budget?.stopRequested()) throw new NothingToReturn('the slots had no prices yet');
    sum += mass * Math.max(atOnePrice(least), paths.solve(page, paid));
  }
  return sum;
}
