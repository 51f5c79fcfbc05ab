/** What one page costs at least, at a price of a fetch: the terms of the dual bounds of a plan. */

export interface PageBounds {
  /**
   * At most the least of weight·(expected stale time) + price·fetches over all numbers (≤ `most`) and times of fetches
   * in the interval. Ages are those at the start, Infinity for a page never fetched.
   */
  leastCost(page: number, stretch: Stretch, price: number): number;
  /** At most the least of (weight·(stale time of a gap) + price)/gap over gaps from `least` to `longest`. */
  leastRate(page: number, least: number, longest: number, price: number): number;
  /**
   * What lies below the cost of every gap in the interval. It is close from an eighth of the gap on at which a fetch is
   * worth so much.
   */
  tangents(page: number, stretch: Stretch, worth: number): GapTangents;
}

/**
 * Lines below what the gaps of one page cost by their length, before weighting: slope·gap − offset, the first `count`
 * of each list, slopes rising. What is returned stands until the next call.
 */
interface GapTangents {
  readonly count: number;
  /** Of all gaps; the length of the first, which has begun, counts from the fetch before. */
  readonly slope: Float64Array;
  readonly offset: Float64Array;
  /**
   * How long the first gap is at the start, as its lines take it, and what it has cost by then. It is Infinity for
   * none, and stale.
   */
  readonly begun: number;
  readonly paid: number;
}

/** One page's interval. */
export interface Stretch {
  /** Of the copy. */
  readonly age: number;
  readonly interval: number;
  /** Most fetches there can be. */
  readonly most: number;
}
