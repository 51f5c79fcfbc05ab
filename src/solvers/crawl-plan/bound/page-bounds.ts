/** What one page costs at least, at a price of a fetch: the terms of the dual bounds of a plan. */

export interface PageBounds {
  /**
   * At most the least of weight·(expected stale time) + price·fetches over all numbers (≤ `most`) and times of fetches
   * in the interval. Ages are those at the start, Infinity for a page never fetched.
   */
  leastCost(page: number, stretch: Stretch, price: number): number;
  /** At most the least of (weight·(stale time of a gap) + price)/gap over gaps from `least` to `longest`. */
  leastRate(page: number, least: number, longest: number, price: number): number;
}

/** One page's interval. */
export interface Stretch {
  /** Of the copy. */
  readonly age: number;
  readonly interval: number;
  /** Most fetches there can be. */
  readonly most: number;
}
