/**
 * A set of indices 0..count−1 with predecessor and successor queries.
 *
 * Layout: one bit an index in words of 32. Above every level of words lies one that has a bit for each word that is not
 * empty: five levels for millions of indices. Complexity: O(log₃₂ count) an operation.
 */
export class IndexSet {
  readonly #levels: Uint32Array[] = [];

  /** The full set 0..count−1. */
  constructor(count: number) {
    for (let bits = count; this.#levels.length === 0 || bits > 1; bits = Math.ceil(bits / 32)) {
      const words = new Uint32Array(Math.max(1, Math.ceil(bits / 32))).fill(0xffffffff);
      if (bits % 32 !== 0) words[words.length - 1] = 2 ** (bits % 32) - 1;
      this.#levels.push(words);
    }
  }

  add(index: number): void {
    let at = index;
    for (const words of this.#levels) {
      words[at >>> 5] |= 1 << (at & 31);
      at >>>= 5;
    }
  }

  delete(index: number): void {
    let at = index;
    for (const words of this.#levels) {
      words[at >>> 5] &= ~(1 << (at & 31));
      if (words[at >>> 5] !== 0) return;
      at >>>= 5;
    }
  }

  /** The largest index of the set that is at most `limit`; −1 for none. */
  lastUpTo(limit: number): number {
    let at = limit;
    for (let level = 0; level < this.#levels.length && at >= 0; level++) {
      const bits = this.#levels[level][at >>> 5] & (0xffffffff >>> (31 - (at & 31)));
      if (bits !== 0) return this.#lastIn(level, (at & ~31) + 31 - Math.clz32(bits));
      at = (at >>> 5) - 1;
    }
    return -1;
  }

  /** The smallest index of the set that is at least `limit`; −1 for none. */
  firstFrom(limit: number): number {
    let at = limit;
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level];
      if (at >>> 5 >= words.length) return -1;
      const bits = words[at >>> 5] & (0xffffffff << (at & 31));
      if (bits !== 0) return this.#firstIn(level, (at & ~31) + 31 - Math.clz32(bits & -bits));
      at = (at >>> 5) + 1;
    }
    return -1;
  }

  /** The largest index of the set under a position of a level. */
  #lastIn(level: number, position: number): number {
    let at = position;
    for (let below = level - 1; below >= 0; below--) at = 32 * at + 31 - Math.clz32(this.#levels[below][at]);
    return at;
  }

  /** The smallest index of the set under a position of a level. */
  #firstIn(level: number, position: number): number {
    let at = position;
    for (let below = level - 1; below >= 0; below--) {
      const word = this.#levels[below][at];
      at = 32 * at + 31 - Math.clz32(word & -word);
    }
    return at;
  }
}
