/**
 * Prices along lines, with their minima over blocks of 64 and 4096 entries, so that a scan can jump over what is dear.
 */

export const blockBits = 6;
export const superBlockBits = 12;

const perSuperBlock = 1 << (superBlockBits - blockBits);

/** Hot loops read the arrays; only `set` and `rebuild` change them. */
export class BlockMinima {
  /** Price of each entry, +∞ where there is no slot. */
  readonly price: Float64Array;
  /** Least price of each block of 64 entries, and of each block of 4096. */
  readonly least: Float64Array;
  readonly superLeast: Float64Array;

  constructor(price: Float64Array) {
    this.price = price;
    this.least = new Float64Array((price.length >> blockBits) + 1);
    this.superLeast = new Float64Array((price.length >> superBlockBits) + 1);
    this.rebuild();
  }

  /** Brings the minima up to date after prices were written directly. O(entries). */
  rebuild(): void {
    const { price, least, superLeast } = this;
    least.fill(Number.POSITIVE_INFINITY);
    superLeast.fill(Number.POSITIVE_INFINITY);
    for (let e = 0; e < price.length; e++) {
      if (price[e] < least[e >> blockBits]) least[e >> blockBits] = price[e];
      if (price[e] < superLeast[e >> superBlockBits]) superLeast[e >> superBlockBits] = price[e];
    }
  }

  /** Changes one price. O(1), or O(64) when the least of a block changes. */
  set(e: number, value: number): void {
    const old = this.price[e];
    this.price[e] = value;
    const least = this.least[e >> blockBits];
    if (old <= least || value < least) this.refresh(e);
  }

  private refresh(e: number): void {
    const { price, least, superLeast } = this;
    const block = e >> blockBits;
    let minimum = Number.POSITIVE_INFINITY;
    const start = block << blockBits;
    const end = Math.min(start + (1 << blockBits), price.length);
    for (let x = start; x < end; x++) if (price[x] < minimum) minimum = price[x];
    if (minimum === least[block]) return;
    least[block] = minimum;
    const big = e >> superBlockBits;
    let superMinimum = Number.POSITIVE_INFINITY;
    const last = Math.min((big + 1) * perSuperBlock, least.length);
    for (let x = big * perSuperBlock; x < last; x++) if (least[x] < superMinimum) superMinimum = least[x];
    superLeast[big] = superMinimum;
  }
}
