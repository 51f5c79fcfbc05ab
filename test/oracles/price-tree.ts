/**
 * The slots of one crawler with their prices: which costs a task least, price and deviation together?
 *
 * A complete binary tree with the least price at every node is searched nearest node first. That alone would look at
 * every slot to which prices fall about as fast as the task's cost rises, which near full load are most. So blocks of
 * some widths also keep the lower hull of their points (slot, price). On one side of its ideal time a task's cost is a
 * line. Its best slot in a block is therefore a corner of that hull, found by bisection. Complexity: O(M) to build; a
 * search looks at O(log M) nodes and hulls typically, at M/4096 hulls at most. Memory: some 30 bytes a slot. Limits:
 * which of two slots is the best is told to the rounding of their costs.
 */

/** A task as the tree sees it. */
interface SoughtTask {
  readonly ideal: number;
  readonly weight: number;
  readonly from: number;
  readonly to: number;
}

/** Slots of a block with a hull; powers of 2, ascending. */
const hullWidths = [64, 512, 4096];

/** Node i has children 2i and 2i + 1. */
export class PriceTree {
  readonly #interval: number;
  readonly #slots: number;
  readonly #leaves: number;
  readonly #least: Float64Array;
  readonly #hulls: readonly BlockHulls[];

  /** @param prices by slot, at least 0 */
  constructor(interval: number, prices: Float64Array) {
    this.#interval = interval;
    this.#slots = prices.length;
    let leaves = 1;
    while (leaves < prices.length) leaves *= 2;
    this.#leaves = leaves;
    this.#least = new Float64Array(2 * leaves).fill(Number.POSITIVE_INFINITY);
    this.#least.set(prices, leaves);
    for (let i = leaves - 1; i > 0; i--) this.#least[i] = Math.min(this.#least[2 * i], this.#least[2 * i + 1]);
    this.#hulls = hullWidths.filter((width) => width <= leaves).map((width) => new BlockHulls(prices, width));
  }

  /** min(cap, least cost and price of a slot in the task's window). */
  leastCost(task: SoughtTask, cap: number): number {
    return this.#slots === 0 ? cap : this.#search(task, 1, 0, this.#leaves, cap);
  }

  /** The same below one node, whose slots are first .. first + width − 1. */
  #search(task: SoughtTask, node: number, first: number, width: number, cap: number): number {
    if (first >= this.#slots) return cap;
    const start = this.#timeOf(first);
    const end = this.#timeOf(Math.min(first + width, this.#slots) - 1);
    if (end < task.from || start > task.to) return cap;
    const away = task.ideal < start ? start - task.ideal : task.ideal > end ? task.ideal - end : 0;
    const atLeast = task.weight * away + this.#least[node];
    if (!(atLeast < cap)) return cap;
    if (width === 1) return atLeast;
    if (width >= hullWidths[0] && away > 0 && start >= task.from && end <= task.to) {
      const hulls = this.#hulls.find((each) => each.width === width);
      if (hulls !== undefined) return Math.min(cap, this.#onHull(task, hulls, first / width));
    }
    const half = width / 2;
    const middle = first + half;
    const rightFirst = middle < this.#slots && task.ideal >= this.#timeOf(middle);
    const near = rightFirst ? 1 : 0;
    const best = this.#search(task, 2 * node + near, first + near * half, half, cap);
    return this.#search(task, 2 * node + 1 - near, first + (1 - near) * half, half, best);
  }

  /** The least cost in a block that lies on one side of the ideal time. */
  #onHull(task: SoughtTask, hulls: BlockHulls, block: number): number {
    const rise = (task.weight * this.#interval) / this.#slots;
    const earlier = this.#timeOf(block * hulls.width) < task.ideal;
    const at = hulls.lowest(block, earlier ? -rise : rise);
    let least = Number.POSITIVE_INFINITY;
    // Beside it, as rounding may have chosen a neighbour.
    for (const slot of hulls.near(block, at)) {
      const cost = task.weight * Math.abs(this.#timeOf(slot) - task.ideal) + this.#least[this.#leaves + slot];
      if (cost < least) least = cost;
    }
    return least;
  }

  #timeOf(l: number): number {
    return (l * this.#interval) / this.#slots;
  }
}

/** The lower hulls of the points (slot, price) of blocks of one width. */
class BlockHulls {
  readonly width: number;
  readonly #prices: Float64Array;
  /** Corners, ascending, of block b from position b·width on. */
  readonly #corners: Int32Array;
  /** How many corners each block has. */
  readonly #counts: Int32Array;

  constructor(prices: Float64Array, width: number) {
    this.width = width;
    this.#prices = prices;
    this.#corners = new Int32Array(prices.length);
    this.#counts = new Int32Array(Math.ceil(prices.length / width));
    for (let block = 0; block < this.#counts.length; block++) this.#counts[block] = this.#build(block * width);
  }

  /** Position in its hull of the corner at which price + rise·slot is least. */
  lowest(block: number, rise: number): number {
    const base = block * this.width;
    let low = 0;
    let high = this.#counts[block] - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const here = this.#corners[base + middle];
      const next = this.#corners[base + middle + 1];
      if (this.#prices[next] - this.#prices[here] + rise * (next - here) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The slots of the corner at a position and of those beside it. */
  near(block: number, at: number): Int32Array {
    const base = block * this.width;
    return this.#corners.subarray(base + Math.max(0, at - 1), base + Math.min(this.#counts[block], at + 2));
  }

  /** Finds the corners of the block that begins at a slot (Andrew 1979); how many they are. */
  #build(from: number): number {
    const prices = this.#prices;
    const corners = this.#corners;
    const to = Math.min(from + this.width, prices.length);
    let top = from;
    for (let slot = from; slot < to; slot++) {
      while (top - from >= 2 && this.#isAbove(corners[top - 2], corners[top - 1], slot)) top--;
      corners[top++] = slot;
    }
    return top - from;
  }

  /** Whether the point at `middle` is on or above the line from `left` to `right`. */
  #isAbove(left: number, middle: number, right: number): boolean {
    const prices = this.#prices;
    const before = (prices[middle] - prices[left]) * (right - middle);
    return before >= (prices[right] - prices[middle]) * (middle - left);
  }
}
