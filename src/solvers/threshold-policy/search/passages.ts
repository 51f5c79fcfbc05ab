/**
 * The two halves of a threshold policy around a level s, and how they are put together.
 *
 * Lower half {0..s}: a visit begins in level s. U_l is the distribution of the first exit, into level s + l, and V are
 * the rewards accumulated until then. One block elimination per level, going up.
 * Upper half {s+1..}: a visit begins one level above i. H_i = [G_i | T_i] is the phase in which level i is reached, and
 * the rewards until then; going down.
 * Together: M = Σ_l U_l·P_l is the stochastic matrix of the chain embedded where level s is entered from above. Let θ
 * be its stationary distribution; then θ(V + Σ_l U_l·T_l) are the rewards of a cycle.
 *
 * Layouts: a lower half is n rows of k·n + q (U_1 … U_k | V), an H is n rows of n + q (filled up to a multiple of 4).
 * Here n = W·M, with q reward columns.
 * Costs in steps: one level down k·n²(n+q) + n³; one level up n²(k·n+q); putting together k·n²(n+q).
 * Source: semi-regenerative splitting of the recursions of Avrachenkov et al. (2012), section 3.
 */

import {
  addArrivalProduct,
  solveByStateReduction,
  stationaryByStateReduction,
} from '../../numerics/linear/small-matrices.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../queue/queue.ts';
import { addDownProduct, addServiceRates } from '../evaluate/chain/stationary.ts';
import type { Rewards } from '../evaluate/memoryless/rewards.ts';

export class Passages {
  readonly queue: Queue;
  readonly rewards: Rewards;
  readonly n: number;
  readonly steps: number;
  /** Columns of a lower half. */
  readonly lowerWidth: number;
  /** Columns of an H. */
  readonly upperWidth: number;
  readonly #identity: Float64Array;
  readonly #rates: Float64Array;
  readonly #exit: Float64Array;
  readonly #ones: Float64Array;
  readonly #lowered: Float64Array;
  readonly #carried: Float64Array;
  readonly #next: Float64Array;
  readonly #chain: Float64Array;
  readonly #distribution: Float64Array;

  constructor(queue: Queue, rewards: Rewards) {
    this.queue = queue;
    this.rewards = rewards;
    this.n = blockSize(queue);
    this.steps = Math.min(queue.largestBatch, queue.topLevel);
    this.lowerWidth = this.steps * this.n + rewards.columns;
    // A multiple of four: see combine().
    this.upperWidth = 4 * Math.ceil((this.n + rewards.columns) / 4);
    const { n } = this;
    this.#identity = new Float64Array(n * n);
    for (let i = 0; i < n; i++) this.#identity[i * n + i] = 1;
    this.#rates = new Float64Array(n * n);
    this.#exit = new Float64Array(n);
    this.#ones = new Float64Array(n).fill(1);
    this.#lowered = new Float64Array(n * this.lowerWidth);
    this.#carried = new Float64Array(n * this.upperWidth);
    this.#next = new Float64Array(n * this.upperWidth);
    this.#chain = new Float64Array(n * n);
    this.#distribution = new Float64Array(n);
  }

  /** The lower half {0..level} in `out` from that of {0..level − 1} in `below`, the new level in `mode`. */
  extendUp(level: number, mode: number, below: Float64Array, belowAt: number, out: Float64Array, outAt: number): void {
    const { queue, n, lowerWidth, steps } = this;
    const { columns } = this.rewards;
    const { arrivalPhases } = queue;
    const servicePhases = queue.service.phases;
    const { blocks } = queue.arrivals[mode][level];
    const rates = this.#rates;
    const exit = this.#exit;
    const right = out.subarray(outAt, outAt + n * lowerWidth);
    const reward = this.rewards.table[mode][level];
    right.fill(0);
    rates.fill(0);
    addArrivalProduct(rates, 0, blocks[0], this.#identity, 0, arrivalPhases, servicePhases, n);
    if (level > 0) {
      addServiceRates(queue, rates);
      const lowered = this.#lowered;
      lowered.fill(0);
      addDownProduct(queue, level, lowered, 0, below, belowAt, lowerWidth);
      for (let i = 0; i < n; i++) {
        const row = i * lowerWidth;
        for (let j = 0; j < n; j++) rates[i * n + j] += lowered[row + j];
        // An exit into level (s−1) + l + 1 is one into s + l.
        for (let c = 0; c < (steps - 1) * n; c++) right[row + c] = lowered[row + n + c];
        for (let c = steps * n; c < lowerWidth; c++) right[row + c] = lowered[row + c];
      }
    }
    for (let step = 1; step < blocks.length; step++) {
      for (let i = 0; i < n; i++) {
        const [from, m] = [Math.floor(i / servicePhases), i % servicePhases];
        for (let to = 0; to < arrivalPhases; to++) {
          right[i * lowerWidth + (step - 1) * n + to * servicePhases + m] += blocks[step][from * arrivalPhases + to];
        }
      }
    }
    for (let i = 0; i < n; i++) {
      let sum = 0;
      for (let c = 0; c < steps * n; c++) sum += right[i * lowerWidth + c];
      exit[i] = sum;
      for (let c = 0; c < columns; c++) right[i * lowerWidth + steps * n + c] += reward[i * columns + c];
    }
    solveByStateReduction(rates, exit, right, n, lowerWidth);
  }

  /**
   * H from `level` to level − 1 in `mode`, into `out`; `above(i)` says where H from level i + 1 to i stands.
   */
  extendDown(
    level: number,
    mode: number,
    above: (level: number) => { readonly data: Float64Array; readonly at: number },
    out: Float64Array,
    outAt: number,
  ): void {
    const { queue, n, upperWidth } = this;
    const { columns } = this.rewards;
    const { blocks } = queue.arrivals[mode][level];
    const servicePhases = queue.service.phases;
    const reward = this.rewards.table[mode][level];
    let carried = this.#carried;
    let next = this.#next;
    carried.fill(0);
    this.#addArrivals(carried, blocks[blocks.length - 1], servicePhases);
    for (let step = blocks.length - 2; step >= 0; step--) {
      const { data, at } = above(level + step);
      next.fill(0);
      this.#addArrivals(next, blocks[step], servicePhases);
      for (let i = 0; i < n; i++) {
        const row = i * upperWidth;
        for (let c = n; c < upperWidth; c++) next[row + c] += carried[row + c];
        for (let k = 0; k < n; k++) {
          const rate = carried[row + k];
          if (rate === 0) continue;
          const source = at + k * upperWidth;
          for (let c = 0; c < upperWidth; c++) next[row + c] += rate * data[source + c];
        }
      }
      const swap = carried;
      carried = next;
      next = swap;
    }
    const rates = this.#rates;
    const exit = this.#exit;
    const right = out.subarray(outAt, outAt + n * upperWidth);
    right.fill(0);
    exit.fill(0);
    rates.fill(0);
    addServiceRates(queue, rates);
    addDownProduct(queue, level, exit, 0, this.#ones, 0, 1);
    this.#addDown(right, level);
    for (let i = 0; i < n; i++) {
      const row = i * upperWidth;
      for (let j = 0; j < n; j++) rates[i * n + j] += carried[row + j];
      for (let c = 0; c < columns; c++) right[row + n + c] = carried[row + n + c] + reward[i * columns + c];
    }
    solveByStateReduction(rates, exit, right, n, upperWidth);
  }

  /**
   * E_1 … E_steps stacked: [P_l | T_l] from level s + l to level s. `above` as in {@link extendDown}. Returns how many
   * steps there are (fewer near the top).
   */
  stackUpper(
    s: number,
    above: (level: number) => { readonly data: Float64Array; readonly at: number },
    stack: Float64Array,
  ): number {
    const { n, upperWidth } = this;
    const size = n * upperWidth;
    const count = Math.min(this.steps, this.queue.topLevel - s);
    const first = above(s);
    stack.set(first.data.subarray(first.at, first.at + size), 0);
    for (let l = 1; l < count; l++) {
      const { data, at } = above(s + l);
      const here = l * size;
      const lower = here - size;
      for (let i = 0; i < n; i++) {
        const target = here + i * upperWidth;
        const source = at + i * upperWidth;
        for (let c = 0; c < n; c++) stack[target + c] = 0;
        for (let c = n; c < upperWidth; c++) stack[target + c] = data[source + c];
        for (let k = 0; k < n; k++) {
          const share = data[source + k];
          for (let c = 0; c < upperWidth; c++) stack[target + c] += share * stack[lower + k * upperWidth + c];
        }
      }
    }
    return count;
  }

  /** The rewards of a cycle of the policy made of a lower half and the stacked upper half of `count` steps. */
  combine(lower: Float64Array, lowerAt: number, stack: Float64Array, count: number, cycle: Float64Array): void {
    const { n, upperWidth, lowerWidth, steps } = this;
    const { columns } = this.rewards;
    const inner = count * n;
    const chain = this.#chain;
    const joined = this.#next;
    // Four columns at a time, the sums in registers: this is the inner loop of the whole search.
    for (let i = 0; i < n; i++) {
      const row = lowerAt + i * lowerWidth;
      for (let c = 0; c < upperWidth; c += 4) {
        let a = 0;
        let b = 0;
        let d = 0;
        let e = 0;
        for (let k = 0, at = c; k < inner; k++, at += upperWidth) {
          const share = lower[row + k];
          a += share * stack[at];
          b += share * stack[at + 1];
          d += share * stack[at + 2];
          e += share * stack[at + 3];
        }
        const target = i * upperWidth + c;
        joined[target] = a;
        joined[target + 1] = b;
        joined[target + 2] = d;
        joined[target + 3] = e;
      }
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) chain[i * n + j] = joined[i * upperWidth + j];
    const distribution = this.#distribution;
    stationaryByStateReduction(chain, distribution, n);
    for (let c = 0; c < columns; c++) {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        sum += distribution[i] * (lower[lowerAt + i * lowerWidth + steps * n + c] + joined[i * upperWidth + n + c]);
      }
      cycle[c] = sum;
    }
  }

  #addArrivals(out: Float64Array, d: Float64Array, servicePhases: number): void {
    const { n, upperWidth } = this;
    const { arrivalPhases } = this.queue;
    for (let i = 0; i < n; i++) {
      const [from, m] = [Math.floor(i / servicePhases), i % servicePhases];
      for (let to = 0; to < arrivalPhases; to++) {
        out[i * upperWidth + to * servicePhases + m] += d[from * arrivalPhases + to];
      }
    }
  }

  /** out += Q_{i,i−1} in its first n columns. */
  #addDown(out: Float64Array, level: number): void {
    const { initial, exit, phases } = this.queue.service;
    const expiry = (level - 1) * obsolescenceRate(this.queue);
    for (let i = 0; i < this.n; i++) {
      const m = i % phases;
      const row = i * this.upperWidth;
      for (let next = 0; next < phases; next++) out[row + i - m + next] += exit[m] * initial[next];
      out[row + i] += expiry;
    }
  }
}
