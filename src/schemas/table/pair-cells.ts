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

  push(value: number, flag: number): void {
    if (this.used === this.numbers.length) this.#grow();
    this.numbers[this.used] = value;
    this.flags[this.used++] = flag;
  }

  /** Makes room for as many again. */
  #grow(): void {
    const numbers = new Float64Array(2 * this.numbers.length);
    numbers.set(this.numbers);
    this.numbers = numbers;
    const flags = new Uint8Array(2 * this.flags.length);
    flags.set(this.flags);
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
