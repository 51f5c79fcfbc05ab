/**
 * The least cost of one page when every moment has its price: a shortest path over the moments of a grid.
 *
 * A path goes from the start through the chosen moments to the end; a gap costs its weighted stale time, a moment its
 * price. For renewal updates the gaps' cost is convex, so that the matrix of costs is Monge. A later moment that is
 * once the better one before b stays so for all later b. The moments that are still to be the best are kept in a queue,
 * with the b from which each is (D. S. Hirschberg and L. L. Larmore, SIAM J. Computing 16, 1987). O(G·log G) of G
 * moments for renewal updates, O(G²) otherwise. A page that is crawled often may be on a grid of its own, where prices
 * are linear between the moments of theirs.
 */

/** One page, or a class of pages, on a grid. Moments are positions in the grid. */
export interface GridPage {
  /**
   * Stale time from moment a to moment b > a, at [a·stride + b]; b = G is the end of the interval. On even grids the
   * stride is −1.
   */
  readonly gaps: Float64Array;
  readonly stride: number;
  /**
   * Stale time from the start to moment b; entry G is the whole interval's without a crawl. G is that of the prices, a
   * multiple of it, or any number if all slots are at the page's own moments.
   */
  readonly first: Float64Array;
  readonly weight: number;
  /** Whether a gap's cost is convex in its length. */
  readonly convex: boolean;
  /** What every gap may really cost less, weighted: between the moments of the grid; 0 where slots have no others. */
  readonly slack: number;
}

/**
 * What crawls about a moment cost: its price. Where that is below the slack of a gap, several crawls there might pay.
 * Of those between two moments the first and the last count, and what is between them costs nothing.
 */
const momentCost = (price: number, slack: number, cell: number): number =>
  price >= slack ? price : 2 * (price - slack - cell);

export class PricedPaths {
  readonly #size: number;
  readonly #least: Float64Array;
  readonly #before: Int32Array;
  /** Moments that are or will be the best one before others, and from where on each is. */
  readonly #queue: Int32Array;
  readonly #starts: Int32Array;
  /** Of pages on finer grids, by G; and whose path was last found. */
  readonly #finer = new Map<number, PricedPaths>();
  #found: PricedPaths = this;
  /** Gaps looked at so far. */
  looks = 0;

  /** @param size G, the moments of the grid */
  constructor(size: number) {
    this.#size = size;
    this.#least = new Float64Array(size + 1);
    this.#before = new Int32Array(size + 1);
    this.#queue = new Int32Array(size + 2);
    this.#starts = new Int32Array(size + 2);
  }

  /** The least of weighted stale time + prices. */
  solve(page: GridPage, price: Float64Array): number {
    const { gaps, weight, slack, first } = page;
    const size = this.#size;
    this.#found = this;
    if (first.length !== size + 1) {
      const finer = this.#finer.get(first.length - 1) ?? new PricedPaths(first.length - 1);
      this.#finer.set(first.length - 1, finer);
      this.#found = finer;
      const least = finer.solve(page, resampled(price, first.length - 1));
      this.looks += finer.looks;
      finer.looks = 0;
      return least;
    }
    const cell = weight * gaps[1];
    if (page.convex) this.#solveConvex(page, price, cell);
    else this.#solveAny(page, price, cell);
    // a crawl in the last cell may be rounded to the end
    return this.#least[size] + Math.min(0, momentCost(price[size - 1], slack, cell));
  }

  #solveAny({ gaps, stride, first, weight, slack }: GridPage, price: Float64Array, cell: number): void {
    const [size, least, before] = [this.#size, this.#least, this.#before];
    for (let b = 0; b <= size; b++) {
      let best = weight * first[b];
      let choice = -1;
      for (let a = 0; a < b; a++) {
        const cost = least[a] + weight * gaps[a * stride + b];
        if (cost < best) {
          best = cost;
          choice = a;
        }
      }
      this.looks += b;
      least[b] = best - slack + (b < size ? momentCost(price[b], slack, cell) : 0);
      before[b] = choice;
    }
  }

  #solveConvex({ gaps, stride, first, weight, slack }: GridPage, price: Float64Array, cell: number): void {
    const [size, least, before, queue, starts] = [this.#size, this.#least, this.#before, this.#queue, this.#starts];
    const costOf = (a: number, b: number): number =>
      a < 0 ? weight * first[b] : least[a] + weight * gaps[a * stride + b];
    let [head, tail] = [0, 1];
    queue[0] = -1;
    starts[0] = 0;
    for (let b = 0; b <= size; b++) {
      while (head + 1 < tail && starts[head + 1] <= b) head++;
      before[b] = queue[head];
      least[b] = costOf(queue[head], b) - slack + (b < size ? momentCost(price[b], slack, cell) : 0);
      this.looks++;
      if (b === size) break;
      let from = b + 1;
      for (; tail > head; tail--) {
        from = Math.max(b + 1, starts[tail - 1]);
        this.looks++;
        if (!(costOf(b, from) < costOf(queue[tail - 1], from))) break;
      }
      if (tail > head) {
        // the first moment after `from` for which b is better than the last in the queue: farther and farther, then halving
        const last = queue[tail - 1];
        let step = 1;
        while (from + step <= size && !(costOf(b, from + step) < costOf(last, from + step))) {
          from += step;
          step *= 2;
          this.looks++;
        }
        let to = Math.min(size + 1, from + step);
        while (to - from > 1) {
          const middle = (from + to) >> 1;
          if (costOf(b, middle) < costOf(last, middle)) to = middle;
          else from = middle;
          this.looks++;
        }
        if (to > size) continue;
        from = to;
      }
      queue[tail] = b;
      starts[tail] = from;
      tail++;
    }
  }

  /** Adds `mass` at the moments of the path last found. */
  addCrawls(mass: number, crawls: Float64Array): void {
    const before = this.#found.#before;
    const own = this.#found.#size;
    const size = this.#size;
    for (let b = before[own]; b >= 0; b = before[b]) {
      const at = own === size ? b : Math.min(size - 1, (b * size) / own);
      const cell = Math.floor(at);
      const share = at - cell;
      crawls[cell] += mass * (1 - share);
      if (share > 0) crawls[cell + 1] += mass * share;
    }
  }
}

/** A curve on an even grid of another size: linear between its moments, level in the last cell. */
export function resampled(curve: Float64Array, size: number): Float64Array {
  if (curve.length === size) return curve;
  return new Float64Array(size).map((_, b) => {
    const at = Math.min(curve.length - 1, (b * curve.length) / size);
    const cell = Math.floor(at);
    const next = Math.min(curve.length - 1, cell + 1);
    return curve[cell] + (at - cell) * (curve[next] - curve[cell]);
  });
}
