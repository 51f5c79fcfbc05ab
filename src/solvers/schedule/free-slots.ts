/**
 * A set of slots with predecessor and successor queries.
 *
 * Layout: one bit a slot in words of 32. Above every level of words lies one that has a bit for each word that is not
 * empty: five levels for millions of slots. Complexity: O(log₃₂ slots) an operation.
 */
export class FreeSlots {
  readonly #levels: Uint32Array[] = [];

  /** All slots 0..count−1 are free. */
  constructor(count: number) {
    for (let bits = count; this.#levels.length === 0 || bits > 1; bits = Math.ceil(bits / 32)) {
      const words = new Uint32Array(Math.max(1, Math.ceil(bits / 32))).fill(0xffffffff);
      if (bits % 32 !== 0) words[words.length - 1] = 2 ** (bits % 32) - 1;
      this.#levels.push(words);
    }
  }

  add(slot: number): void {
    let at = slot;
    for (const words of this.#levels) {
      words[at >>> 5] |= 1 << (at & 31);
      at >>>= 5;
    }
  }

  delete(slot: number): void {
    let at = slot;
    for (const words of this.#levels) {
      words[at >>> 5] &= ~(1 << (at & 31));
      if (words[at >>> 5] !== 0) return;
      at >>>= 5;
    }
  }

  /** The last free slot at or before `slot`; −1 for none. */
  atOrBefore(slot: number): number {
    let at = slot;
    for (let level = 0; level < this.#levels.length && at >= 0; level++) {
      const bits = this.#levels[level][at >>> 5] & (0xffffffff >>> (31 - (at & 31)));
      if (bits !== 0) return this.#lastIn(level, (at & ~31) + 31 - Math.clz32(bits));
      at = (at >>> 5) - 1;
    }
    return -1;
  }

  /** The first free slot at or after `slot`; −1 for none. */
  atOrAfter(slot: number): number {
    let at = slot;
    for (let level = 0; level < this.#levels.length; level++) {
      const words = this.#levels[level];
      if (at >>> 5 >= words.length) return -1;
      const bits = words[at >>> 5] & (0xffffffff << (at & 31));
      if (bits !== 0) return this.#firstIn(level, (at & ~31) + 31 - Math.clz32(bits & -bits));
      at = (at >>> 5) + 1;
    }
    return -1;
  }

  #lastIn(level: number, position: number): number {
    let at = position;
    for (let below = level - 1; below >= 0; below--) at = 32 * at + 31 - Math.clz32(this.#levels[below][at]);
    return at;
  }

  #firstIn(level: number, position: number): number {
    let at = position;
    for (let below = level - 1; below >= 0; below--) {
      const word = this.#levels[below][at];
      at = 32 * at + 31 - Math.clz32(word & -word);
    }
    return at;
  }
}
