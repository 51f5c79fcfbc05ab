/**
 * State reduction of a banded chain, from both ends of its numbering towards a reference state.
 *
 * Eliminating from the ends keeps the band: of the states that are left, those that touch an eliminated one lie within
 * one bandwidth on its inner side. Pivots are sums of rates and nothing is ever subtracted, so that weights keep their
 * relative accuracy however stiff the chain is. O(states·down·up) multiply-adds.
 *
 * Source: W. K. Grassmann, M. I. Taksar, D. P. Heyman, Regenerative analysis and steady state distributions for Markov
 * chains, Oper. Res. 33 (1985).
 */
import type { Poll } from '../budget.ts';

/** Rates of a chain whose moves lead at most `down` numbers down and `up` numbers up; the diagonal is never read. */
export class BandedRates {
  readonly states: number;
  readonly down: number;
  readonly up: number;
  /** The rate of x → y is at x·(down + up + 1) + down + y − x. A state without rates is absent. */
  readonly rates: Float64Array;

  /** @param memory holds the rates, which are set to 0; allocated when left out */
  constructor(states: number, down: number, up: number, memory?: Float64Array) {
    this.states = states;
    this.down = Math.min(down, states - 1);
    this.up = Math.min(up, states - 1);
    const size = states * (this.down + this.up + 1);
    this.rates = memory?.subarray(0, size).fill(0) ?? new Float64Array(size);
  }

  add(from: number, to: number, rate: number): void {
    this.rates[from * (this.down + this.up) + this.down + to] += rate;
  }
}

/** All weights are divided by this number when one exceeds it: a power of two, so that the division rounds nothing. */
const hugeWeight = 2 ** 400;
/** Elementary steps of eliminating a state, however narrow the band is. */
const stepsPerState = 100;
/** A state must be this much likelier than the reference to take its place. */
const likelihoodMargin = 100;

/** A band reduced to one state: its stationary weights, and relative values for any costs. */
export class EliminatedChain {
  readonly reference: number;
  readonly #band: BandedRates;
  readonly #pivots: Float64Array;
  readonly #poll: Poll | undefined;
  /** False where some state does not lead to the reference: then there are neither weights nor values. */
  readonly reachesReference: boolean;

  /**
   * Destroys the band.
   *
   * @throws NothingToReturn from the poll
   */
  constructor(band: BandedRates, reference: number, poll?: Poll) {
    this.#band = band;
    this.#poll = poll;
    this.reference = reference;
    this.#pivots = new Float64Array(band.states);
    this.reachesReference = this.#reduce();
  }

  #reduce(): boolean {
    const { states } = this.#band;
    for (let x = states - 1; x > this.reference; x--) if (!this.#eliminate(x)) return false;
    for (let x = 0; x < this.reference; x++) if (!this.#eliminate(x)) return false;
    return true;
  }

  #eliminate(x: number): boolean {
    const { rates, down, up } = this.#band;
    this.#poll?.(stepsPerState + down * up);
    const stride = down + up;
    const row = x * stride + down;
    const [, , to, toEnd] = this.#neighbours(x);
    let pivot = 0;
    for (let y = to; y <= toEnd; y++) pivot += rates[row + y];
    this.#pivots[x] = pivot;
    // A state with moves, all of which lead to states that are already eliminated.
    if (pivot === 0 && rates.subarray(row + x - down, row + x + this.#band.up + 1).some((rate) => rate > 0))
      return false;
    const [from, fromEnd] = this.#neighbours(x);
    for (let y = from; y <= fromEnd; y++) {
      const target = y * stride + down;
      const entry = rates[target + x];
      if (entry === 0) continue;
      // Other states lead to x, which has no moves.
      if (pivot === 0) return false;
      const share = entry / pivot;
      for (let z = to; z <= toEnd; z++) rates[target + z] += share * rates[row + z];
    }
    return true;
  }

  /** Among the states left when x is eliminated: the range of those that lead to x, and of those that x leads to. */
  #neighbours(x: number): [from: number, fromEnd: number, to: number, toEnd: number] {
    const { down, up } = this.#band;
    if (x > this.reference) return [Math.max(0, x - up), x - 1, Math.max(0, x - down), x - 1];
    return [x + 1, Math.min(this.reference, x + down), x + 1, Math.min(this.reference, x + up)];
  }

  /** Every state but the reference, in the reverse order of the elimination. */
  *#statesOutward(): Generator<number> {
    for (let x = this.reference - 1; x >= 0; x--) yield x;
    for (let x = this.reference + 1; x < this.#band.states; x++) yield x;
  }

  /** Stationary weights to a common factor, 1 at the reference; those that underflow beside the largest are 0. */
  weights(): Float64Array {
    const { rates, down, up, states } = this.#band;
    const stride = down + up;
    const weights = new Float64Array(states);
    weights[this.reference] = 1;
    // All nonzero weights are at lowest..highest: a drifting chain is scaled often, but over few states each time.
    let [lowest, highest] = [this.reference, this.reference];
    for (const x of this.#statesOutward()) {
      this.#poll?.(stepsPerState + down * up);
      const [from, fromEnd] = this.#neighbours(x);
      let inflow = 0;
      for (let y = from; y <= fromEnd; y++) inflow += weights[y] * rates[y * stride + down + x];
      if (inflow === 0) continue;
      weights[x] = inflow / this.#pivots[x];
      lowest = Math.min(lowest, x);
      highest = Math.max(highest, x);
      if (weights[x] <= hugeWeight) continue;
      for (let y = lowest; y <= highest; y++) weights[y] /= hugeWeight;
      while (weights[lowest] === 0) lowest++;
      while (weights[highest] === 0) highest--;
    }
    return weights;
  }

  /** Relative values for costs whose stationary mean is 0; the reference has value 0, absent states too. */
  values(costs: Float64Array): Float64Array {
    const { rates, down, up, states } = this.#band;
    const stride = down + up;
    const costSums = costs.slice();
    const push = (x: number): void => {
      if (this.#pivots[x] === 0) return;
      const share = costSums[x] / this.#pivots[x];
      const [from, fromEnd] = this.#neighbours(x);
      for (let y = from; y <= fromEnd; y++) costSums[y] += share * rates[y * stride + down + x];
    };
    for (let x = states - 1; x > this.reference; x--) push(x);
    for (let x = 0; x < this.reference; x++) push(x);
    const values = new Float64Array(states);
    for (const x of this.#statesOutward()) {
      if (this.#pivots[x] === 0) continue;
      const row = x * stride + down;
      const [, , to, toEnd] = this.#neighbours(x);
      let value = costSums[x];
      for (let y = to; y <= toEnd; y++) value += rates[row + y] * values[y];
      values[x] = value / this.#pivots[x];
    }
    return values;
  }
}

/**
 * The chain reduced towards a likely state, with its weights: seen from a rare state relative values would cancel.
 *
 * @param first the chain reduced towards any recurrent state
 * @param reduceTo reduces the same chain towards another state
 */
export function reduceToLikeliest(
  first: EliminatedChain,
  reduceTo: (state: number) => EliminatedChain,
): { readonly eliminatedChain: EliminatedChain; readonly weights: Float64Array } {
  const weights = first.weights();
  const likeliest = weights.indexOf(weights.reduce((a, b) => Math.max(a, b)));
  if (!(weights[likeliest] > likelihoodMargin * weights[first.reference])) return { eliminatedChain: first, weights };
  const eliminatedChain = reduceTo(likeliest);
  return { eliminatedChain, weights: eliminatedChain.weights() };
}
