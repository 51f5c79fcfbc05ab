/**
 * Prices along lines of slots, with their minima over blocks of 16 entries, 256, 4096 and so on, so that an outward scan
 * can jump over expensive blocks. Blocks are small because a bid raises one of the cheapest prices, so that the minimum
 * of its block of every size has to be taken again.
 */

/** log₂ of the number of blocks of one level that make a block of the next. */
const blockBits = 4;

/** Prices of entries with the minimum of every block. Hot loops read `price`; only `set` and `rebuild` change it. */
export class BlockMinima {
  /** Price of each entry, +∞ where there is no slot. */
  readonly price: Float64Array;
  /** Least price of each block: one array a level, the smallest blocks first; the last level is one block. */
  private readonly levels: Float64Array[] = [];
  /**
   * Results of `findCheapest`: an entry of least price (−1 without one), its price, and the least price of all other
   * entries.
   */
  cheapest = -1;
  cheapestPrice = Number.POSITIVE_INFINITY;
  nextPrice = Number.POSITIVE_INFINITY;

  /**
   * @param slot the slot of each entry, −1: padding
   * @param priceOf price of each slot
   */
  constructor(slot: Int32Array, priceOf: Float64Array) {
    const price = new Float64Array(slot.length);
    for (let e = 0; e < price.length; e++) price[e] = slot[e] < 0 ? Number.POSITIVE_INFINITY : priceOf[slot[e]];
    this.price = price;
    for (let count = price.length; this.levels.length === 0 || count > 1; ) {
      count = Math.ceil(count / 2 ** blockBits);
      this.levels.push(new Float64Array(count));
    }
    this.rebuild();
  }

  /** Brings the minima up to date after prices were written directly. O(entries). */
  rebuild(): void {
    let values = this.price;
    for (const minima of this.levels) {
      takeMinima(values, minima);
      values = minima;
    }
  }

  /** Changes one price. O(1), or O(16) for each level at which the minimum of its block changes. */
  set(e: number, value: number): void {
    const { levels, price } = this;
    const old = price[e];
    price[e] = value;
    const minimum = levels[0][e >> blockBits];
    if (old > minimum && value >= minimum) return;
    let values = price;
    let block = e;
    for (const minima of levels) {
      block >>= blockBits;
      if (!takeMinimum(values, minima, block)) return;
      values = minima;
    }
  }

  /**
   * The number of entries that an outward scan at e may jump over (step 1: to the right, −1: to the left): the length of
   * the largest block that begins at e and in which reach + price is nowhere below `limit`; 0 when there is none.
   */
  skipLength(e: number, step: 1 | -1, reach: number, limit: number): number {
    const { levels } = this;
    const first = step > 0 ? e : ~e;
    let length = 0;
    for (let level = 0, bits = blockBits; level < levels.length; level++, bits += blockBits) {
      if ((first & ((1 << bits) - 1)) !== 0 || !(reach + levels[level][e >> bits] >= limit)) break;
      length = 1 << bits;
    }
    return length;
  }

  /** Finds the cheapest entry and the next price, from the largest block down. O(16) a level. */
  findCheapest(): void {
    this.nextPrice = Number.POSITIVE_INFINITY;
    this.cheapest = 0;
    for (let level = this.levels.length - 2; level >= 0; level--) this.descend(this.levels[level]);
    this.descend(this.price);
    if (this.cheapestPrice === Number.POSITIVE_INFINITY) this.cheapest = -1;
  }

  /**
   * One level of `findCheapest`: finds the cheapest block within the cheapest one above. The minima of the other blocks
   * count for the next price.
   */
  private descend(values: Float64Array): void {
    const from = this.cheapest << blockBits;
    const end = Math.min(from + 2 ** blockBits, values.length);
    let at = from;
    let minimum = values[from];
    let next = this.nextPrice;
    for (let i = from + 1; i < end; i++) {
      const value = values[i];
      if (value < minimum) {
        if (minimum < next) next = minimum;
        minimum = value;
        at = i;
      } else if (value < next) next = value;
    }
    this.cheapest = at;
    this.cheapestPrice = minimum;
    this.nextPrice = next;
  }
}

/** The minimum of every block of values. */
function takeMinima(values: Float64Array, minima: Float64Array): void {
  minima.fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < values.length; i++) if (values[i] < minima[i >> blockBits]) minima[i >> blockBits] = values[i];
}

/** Recomputes the minimum of one block. Returns whether it has changed. */
function takeMinimum(values: Float64Array, minima: Float64Array, block: number): boolean {
  const from = block << blockBits;
  const end = Math.min(from + 2 ** blockBits, values.length);
  let minimum = values[from];
  for (let i = from + 1; i < end; i++) if (values[i] < minimum) minimum = values[i];
  if (minimum === minima[block]) return false;
  minima[block] = minimum;
  return true;
}
