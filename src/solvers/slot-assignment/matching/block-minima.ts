/**
 * Prices along lines of slots, with their minima over blocks of 16, 256 and 4096 entries, so that an outward scan can
 * jump over expensive blocks. Blocks are small because a bid raises one of the cheapest prices, so that the minimum of
 * its block of every size has to be taken again.
 */

const smallBlockBits = 4;
const blockBits = 8;
const superBlockBits = 12;

/** Hot loops read `price`; only `set` and `rebuild` change it. */
export class BlockMinima {
  /** Price of each entry, +∞ where there is no slot. */
  readonly price: Float64Array;
  /** Least price of each block of 16, 256 and 4096 entries. */
  private readonly smallLeast: Float64Array;
  private readonly least: Float64Array;
  private readonly superLeast: Float64Array;
  /**
   * What `findCheapest` found: an entry of least price (−1 without one), its price, and the least price of all others.
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
    this.smallLeast = new Float64Array((price.length >> smallBlockBits) + 1);
    this.least = new Float64Array((price.length >> blockBits) + 1);
    this.superLeast = new Float64Array((price.length >> superBlockBits) + 1);
    this.rebuild();
  }

  /** Brings the minima up to date after prices were written directly. O(entries). */
  rebuild(): void {
    takeMinima(this.price, this.smallLeast, smallBlockBits);
    takeMinima(this.smallLeast, this.least, blockBits - smallBlockBits);
    takeMinima(this.least, this.superLeast, superBlockBits - blockBits);
  }

  /** Changes one price. O(1), or O(48) when the least of its blocks changes. */
  set(e: number, value: number): void {
    const old = this.price[e];
    this.price[e] = value;
    const least = this.smallLeast[e >> smallBlockBits];
    if (old > least && value >= least) return;
    if (!takeMinimum(this.price, this.smallLeast, e >> smallBlockBits, smallBlockBits)) return;
    if (!takeMinimum(this.smallLeast, this.least, e >> blockBits, blockBits - smallBlockBits)) return;
    takeMinimum(this.least, this.superLeast, e >> superBlockBits, superBlockBits - blockBits);
  }

  /**
   * The number of entries that an outward scan at e may jump over (step 1: to the right, −1: to the left): the length of
   * the largest block that begins at e and in which reach + price is nowhere below `limit`; 0 when there is none.
   */
  skipLength(e: number, step: 1 | -1, reach: number, limit: number): number {
    const first = step > 0 ? e : ~e;
    if ((first & 15) !== 0) return 0;
    if ((first & 4095) === 0 && reach + this.superLeast[e >> superBlockBits] >= limit) return 4096;
    if ((first & 255) === 0 && reach + this.least[e >> blockBits] >= limit) return 256;
    return reach + this.smallLeast[e >> smallBlockBits] >= limit ? 16 : 0;
  }

  /** Looks for the cheapest entry of all, down through the blocks. O(entries / 4096 + 48). */
  findCheapest(): void {
    this.nextPrice = Number.POSITIVE_INFINITY;
    this.descend(this.superLeast, 0, this.superLeast.length);
    this.descend(this.least, this.cheapest << 4, (this.cheapest + 1) << 4);
    this.descend(this.smallLeast, this.cheapest << 4, (this.cheapest + 1) << 4);
    this.descend(this.price, this.cheapest << 4, (this.cheapest + 1) << 4);
    if (this.cheapestPrice === Number.POSITIVE_INFINITY) this.cheapest = -1;
  }

  /** One level of `findCheapest`: the least of [from, to) becomes the cheapest, the others count for the next price. */
  private descend(values: Float64Array, from: number, to: number): void {
    const end = Math.min(to, values.length);
    let at = from;
    let least = values[from];
    let next = this.nextPrice;
    for (let i = from + 1; i < end; i++) {
      const value = values[i];
      if (value < least) {
        if (least < next) next = least;
        least = value;
        at = i;
      } else if (value < next) next = value;
    }
    this.cheapest = at;
    this.cheapestPrice = least;
    this.nextPrice = next;
  }
}

/** The minimum of every 2^bits values. */
function takeMinima(values: Float64Array, minima: Float64Array, bits: number): void {
  minima.fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < values.length; i++) if (values[i] < minima[i >> bits]) minima[i >> bits] = values[i];
}

/** Takes the minimum of one block of 2^bits values again. Returns whether it has changed. */
function takeMinimum(values: Float64Array, minima: Float64Array, block: number, bits: number): boolean {
  const from = block << bits;
  const end = Math.min(from + (1 << bits), values.length);
  let minimum = values[from];
  for (let i = from + 1; i < end; i++) if (values[i] < minimum) minimum = values[i];
  if (minimum === minima[block]) return false;
  minima[block] = minimum;
  return true;
}
