/**
 * A Markov chain whose moves lead at most `above` states up and `below` states down, solved state by state from the
 * highest. It gives the stationary distribution, or what is gathered until the chain is left.
 *
 * Symbols: rates[i][j] off the diagonal · exit[i] rate of leaving the chain. Eliminating state k sends its inflow on to
 * the states below it in the shares rates[k][j]/(exit[k] + Σ_{j<k} rates[k][j]); the band does not widen. Only positive
 * numbers are added, so every result keeps its relative accuracy.
 * Cost O(states·above·below), memory 8·states·(above + below + 1) bytes.
 * Source: Grassmann, Taksar, Heyman (1985).
 */
export class BandedChain {
  readonly size: number;
  readonly #below: number;
  readonly #width: number;
  /** Row i holds the rates to i − below … i + above; after elimination, above the diagonal, shares. */
  readonly #rates: Float64Array;
  readonly #exit: Float64Array;
  readonly #pivots: Float64Array;

  constructor(size: number, below: number, above: number) {
    this.size = size;
    this.#below = below;
    this.#width = below + above + 1;
    this.#rates = new Float64Array(size * this.#width);
    this.#exit = new Float64Array(size);
    this.#pivots = new Float64Array(size);
  }

  /** A move from one state to another; a state does not lead to itself. */
  move(from: number, to: number, rate: number): void {
    if (from !== to) this.#rates[this.#at(from, to)] += rate;
  }

  /** A way out of the chain. */
  leave(from: number, rate: number): void {
    this.#exit[from] += rate;
  }

  #at(from: number, to: number): number {
    return from * this.#width + to - from + this.#below;
  }

  /** Eliminates the states from the highest down to `last`; called once, before solving. */
  eliminate(last: number): this {
    const rates = this.#rates;
    const above = this.#width - 1 - this.#below;
    for (let k = this.size - 1; k >= last; k--) {
      const lowest = Math.max(0, k - this.#below);
      let out = this.#exit[k];
      for (let j = lowest; j < k; j++) out += rates[this.#at(k, j)];
      this.#pivots[k] = out;
      for (let i = Math.max(0, k - above); i < k; i++) {
        const cell = this.#at(i, k);
        if (rates[cell] === 0) continue;
        const share = rates[cell] / (out > 0 ? out : 1);
        rates[cell] = share;
        this.#exit[i] += share * this.#exit[k];
        for (let j = lowest; j < k; j++) if (j !== i) rates[this.#at(i, j)] += share * rates[this.#at(k, j)];
      }
    }
    return this;
  }

  /** The stationary distribution of a chain that is not left, all states but the first eliminated. */
  stationary(): Float64Array {
    const above = this.#width - 1 - this.#below;
    const shares = new Float64Array(this.size);
    shares[0] = 1;
    for (let k = 1; k < this.size; k++) {
      for (let i = Math.max(0, k - above); i < k; i++) shares[k] += shares[i] * this.#rates[this.#at(i, k)];
      // Under heavy load the shares grow geometrically with the level.
      if (shares[k] > 1e200) for (let i = 0; i <= k; i++) shares[i] /= 1e200;
    }
    const total = shares.reduce((sum, share) => sum + share, 0);
    return shares.map((share) => share / total);
  }

  /**
   * x with (−T)x = source, T the rates of a chain that is left, all states eliminated: what is gathered from each
   * state.
   */
  gathered(source: Float64Array): Float64Array {
    const rates = this.#rates;
    const above = this.#width - 1 - this.#below;
    const x = source.slice();
    for (let k = this.size - 1; k > 0; k--) {
      for (let i = Math.max(0, k - above); i < k; i++) x[i] += rates[this.#at(i, k)] * x[k];
    }
    for (let k = 0; k < this.size; k++) {
      for (let j = Math.max(0, k - this.#below); j < k; j++) x[k] += rates[this.#at(k, j)] * x[j];
      x[k] /= this.#pivots[k];
    }
    return x;
  }
}
