/**
 * The least cost of one page when every moment has its price: a shortest path over the moments of a grid.
 *
 * A path goes from the start through the chosen moments to the end; a gap costs its weighted stale time, a moment its
 * price. For renewal updates the gaps' cost is convex, so that the matrix of costs is Monge, and the best moment before
 * b moves only forward with b (D. S. Hirschberg and L. L. Larmore, SIAM J. Computing 16, 1987): the search is over
 * those from there on. O(G²/crawls) of G moments for renewal updates, O(G²) otherwise.
 */

/** One page, or a class of pages, on a grid. Moments are positions in the grid. */
export interface GridPage {
  /**
   * Stale time from moment a to moment b > a, at [a·stride + b]; b = G is the end of the interval. On even grids the
   * stride is −1.
   */
  readonly gaps: Float64Array;
  readonly stride: number;
  /** Stale time from the start to moment b; entry G is the whole interval's without a crawl. */
  readonly first: Float64Array;
  readonly weight: number;
  /** Whether a gap's cost is convex in its length. */
  readonly convex: boolean;
  /** What every gap may really cost less, weighted: between the moments of the grid; 0 where slots have no others. */
  readonly slack: number;
}

/**
 * What crawls about a moment cost: its price. Where that is below the slack of a gap, several crawls there might pay: of
 * those between two moments the first and the last count, and what is between them costs nothing.
 */
const momentCost = (price: number, slack: number, cell: number): number =>
  price >= slack ? price : 2 * (price - slack - cell);

export class PricedPaths {
  readonly #size: number;
  readonly #least: Float64Array;
  readonly #before: Int32Array;

  /** @param size G, the moments of the grid */
  constructor(size: number) {
    this.#size = size;
    this.#least = new Float64Array(size + 1);
    this.#before = new Int32Array(size + 1);
  }

  /** The least of weighted stale time + prices. */
  solve({ gaps, stride, first, weight, convex, slack }: GridPage, price: Float64Array): number {
    const size = this.#size;
    const least = this.#least;
    const before = this.#before;
    const cell = weight * gaps[1];
    let from = -1;
    for (let b = 0; b <= size; b++) {
      let best = from < 0 || !convex ? weight * first[b] : Number.POSITIVE_INFINITY;
      let choice = -1;
      for (let a = convex && from > 0 ? from : 0; a < b; a++) {
        const cost = least[a] + weight * gaps[a * stride + b];
        if (cost < best) {
          best = cost;
          choice = a;
        }
      }
      least[b] = best - slack + (b < size ? momentCost(price[b], slack, cell) : 0);
      before[b] = choice;
      from = choice;
    }
    // a crawl in the last cell may be rounded to the end
    return least[size] + Math.min(0, momentCost(price[size - 1], slack, cell));
  }

  /** Adds `mass` at the moments of the path last found. */
  addCrawls(mass: number, crawls: Float64Array): void {
    for (let b = this.#before[this.#size]; b >= 0; b = this.#before[b]) crawls[b] += mass;
  }
}
