/** What one page costs at least, at a price of a fetch: the terms of the dual bounds of a plan. */

export interface PageBounds {
  /**
   * At most the least of weight·(expected stale time) + price·fetches over all numbers (≤ `most`) and times of fetches in
   * the interval; `age` is the copy's at the start, Infinity for a page never fetched.
   */
  leastCost(page: number, stretch: Stretch, price: number): number;
  /** At most the least of (weight·(stale time of a gap) + price)/gap over gaps from `least` to `longest`. */
  leastRate(page: number, least: number, longest: number, price: number): number;
}

/** One page's interval. */
export interface Stretch {
  readonly age: number;
  readonly interval: number;
  /** Most fetches there can be. */
  readonly most: number;
}

/** Some pages by one, the others by another; none where either is missing. */
export function eitherBounds(
  useFirst: Uint8Array,
  first: PageBounds | undefined,
  second: PageBounds | undefined,
): PageBounds | undefined {
  if (first === undefined || second === undefined) return undefined;
  const of = (i: number): PageBounds => (useFirst[i] === 1 ? first : second);
  return {
    leastCost: (i, stretch, price) => of(i).leastCost(i, stretch, price),
    leastRate: (i, least, longest, price) => of(i).leastRate(i, least, longest, price),
  };
}
