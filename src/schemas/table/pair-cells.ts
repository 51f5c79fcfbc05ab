/**
 * Cells that are lists of pairs, `[[number, true or false], …]`, as they were read from a body's bytes: flat, without a
 * JavaScript array for each pair.
 */

/**
 * Where lists of pairs stand in the requests of an operation: in this column of this list, whose rows or columns they
 * are.
 */
export interface PairColumn {
  readonly list: string;
  readonly column: string;
  /** The largest size of a number. */
  readonly mostSize: number;
}

const firstCapacity = 4096;

/** Pairs of all cells, one after the other. */
export class PairStore {
  numbers = new Float64Array(firstCapacity);
  /** 1 for true. */
  flags = new Uint8Array(firstCapacity);
  used = 0;
  /** No number is less. */
  least = Number.POSITIVE_INFINITY;

  /** Makes room for one more. */
  grow(): void {
    if (this.used === this.numbers.length) this.reserve(2 * this.used);
  }

  push(value: number, flag: number): void {
    this.grow();
    if (value < this.least) this.least = value;
    this.numbers[this.used] = value;
    this.flags[this.used++] = flag;
  }

  /** Makes room for so many pairs in all. */
  reserve(pairs: number): void {
    if (pairs <= this.numbers.length) return;
    const numbers = new Float64Array(pairs);
    numbers.set(this.numbers.subarray(0, this.used));
    this.numbers = numbers;
    const flags = new Uint8Array(pairs);
    flags.set(this.flags.subarray(0, this.used));
    this.flags = flags;
  }
}

/** One cell: the pairs of a store from position `from` to before `to`. */
export class PairsCell {
  readonly store: PairStore;
  readonly from: number;
  readonly to: number;

  constructor(store: PairStore, from: number, to: number) {
    this.store = store;
    this.from = from;
    this.to = to;
  }

  get length(): number {
    return this.to - this.from;
  }
}
