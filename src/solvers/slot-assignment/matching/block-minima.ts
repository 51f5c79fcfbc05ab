/**
 * Prices along lines, with their minima over blocks of 16, 256 and 4096 entries, so that a scan can jump over what is
 * expensive.
 * Blocks are small because bids raise just the cheapest prices: each then looks through a block of every size anew.
 */

export const smallBlockBits = 4;
export const blockBits = 8;
export const superBlockBits = 12;

/** Hot loops read the arrays; only `set` and `rebuild` change them. */
export class BlockMinima {
  /** Price of each entry, +∞ where there is no slot. */
  readonly price: Float64Array;
  /** Least price of each block of 16, 256 and 4096 entries. */
  readonly smallLeast: Float64Array;
  readonly least: Float64Array;
  readonly superLeast: Float64Array;
  /**
   * What `findCheapest` found: an entry of least price (−1 without one), its price, and the least price of all others.
   */
  cheapest = -1;
  cheapestPrice = Number.POSITIVE_INFINITY;
  nextPrice = Number.POSITIVE_INFINITY;

  constructor(price: Float64Array) {
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

/** The least of every 2^bits values. */
function takeMinima(values: Float64Array, minima: Float64Array, bits: number): void {
  minima.fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < values.length; i++) if (values[i] < minima[i >> bits]) minima[i >> bits] = values[i];
}

/** The least of one block of 2^bits values. Returns whether it has changed. */
function takeMinimum(values: Float64Array, minima: Float64Array, block: number, bits: number): boolean {
  const from = block << bits;
  const end = Math.min(from + (1 << bits), values.length);
  let minimum = values[from];
  for (let i = from + 1; i < end; i++) if (values[i] < minimum) minimum = values[i];
  if (minimum === minima[block]) return false;
  minima[block] = minimum;
  return true;
}
