/**
 * First passages out of the levels of the queue, with a mode for each state: one level eliminated at a time.
 *
 * Down: H_i = [G_i | T_i] of a visit that begins one level above i. G_i is the phase in which level i is reached, T_i the
 * rewards until then.
 * Up: a visit to the levels {0..s} begins in s. U_l is the law of the first exit into level s + l, V are the rewards
 * until then. With the levels below eliminated, the rates inside level s are Q_ss + Q_{s,s−1}·U_{s−1,1}, and
 * U_{s,l} = (−that)⁻¹(Q_{s,s+l} + Q_{s,s−1}·U_{s−1,l+1}). No subtraction anywhere.
 *
 * Layouts: down, n rows of n + q (filled up to `downWidth`); up, n rows of k·n + q (U_1 … U_k | V). Here n = W·M, with q
 * reward columns. The mode of state i of a level is modes[modesAt + i].
 * Costs in steps: a level down k·n²(n+q) + n³, a level up n²(k·n+q).
 * Source: semi-regenerative splitting of the recursions of Avrachenkov et al. (2012), section 3.
 */

import type { Poll } from '../../../budget.ts';
import { solveByStateReduction } from '../../../numerics/linear/small-matrices.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import { addDownProduct, addServiceRates } from '../chain/stationary.ts';
import type { Rewards } from './rewards.ts';

/** Where H from level i + 1 to level i stands. */
export type Heights = (level: number) => { readonly data: Float64Array; readonly at: number };

export class LevelPassages {
  readonly queue: Queue;
  readonly rewards: Rewards;
  /** States of a level: W·M. */
  readonly n: number;
  /** The most levels that a batch leads up: k. */
  readonly steps: number;
  readonly upWidth: number;
  readonly downWidth: number;
  /** Rates inside the level that was gathered last, those above eliminated: n×n. */
  readonly rates: Float64Array;
  /** The same level's excursions above it: n rows of `downWidth`, the rewards with those of the level itself. */
  readonly carried: Float64Array;
  readonly #poll: Poll | undefined;
  readonly #exit: Float64Array;
  readonly #lowered: Float64Array;
  /** A row of `carried` as it grows, and the next. */
  readonly #rows: readonly [Float64Array, Float64Array];

  /** @param downWidth columns of an H, n + q at least */
  constructor(queue: Queue, rewards: Rewards, downWidth: number, poll?: Poll) {
    this.queue = queue;
    this.rewards = rewards;
    this.n = blockSize(queue);
    this.steps = Math.min(queue.largestBatch, queue.topLevel);
    this.upWidth = this.steps * this.n + rewards.columns;
    this.downWidth = downWidth;
    this.rates = new Float64Array(this.n * this.n);
    this.carried = new Float64Array(this.n * downWidth);
    this.#poll = poll;
    this.#exit = new Float64Array(this.n);
    this.#lowered = new Float64Array(this.n * this.upWidth);
    this.#rows = [new Float64Array(downWidth), new Float64Array(downWidth)];
  }

  /** The passages up of {0..level} in `out`, from those of {0..level − 1} in `below`. */
  up(
    level: number,
    modes: Uint8Array,
    modesAt: number,
    below: Float64Array,
    belowAt: number,
    out: Float64Array,
    outAt: number,
  ): void {
    const { queue, rewards, n, steps, upWidth, rates } = this;
    const reach = steps * n;
    const right = out.subarray(outAt, outAt + n * upWidth);
    this.#poll?.(n * n * upWidth);
    right.fill(0);
    rates.fill(0);
    if (level > 0) {
      addServiceRates(queue, rates);
      const lowered = this.#lowered;
      this.throughBelow(level, below, belowAt, lowered);
      for (let i = 0; i < n; i++) {
        const row = i * upWidth;
        for (let j = 0; j < n; j++) rates[i * n + j] += lowered[row + j];
        // An exit into level (s−1) + l + 1 is one into s + l.
        for (let c = 0; c < reach - n; c++) right[row + c] = lowered[row + n + c];
        for (let c = reach; c < upWidth; c++) right[row + c] = lowered[row + c];
      }
    }
    for (let i = 0; i < n; i++) {
      const row = i * upWidth;
      const mode = modes[modesAt + i];
      for (const [step, block] of queue.arrivals[mode][level].blocks.entries()) {
        if (step === 0) this.#addMoves(block, i, rates, i * n);
        else this.#addMoves(block, i, right, row + (step - 1) * n);
      }
      let exit = 0;
      for (let c = 0; c < reach; c++) exit += right[row + c];
      this.#exit[i] = exit;
      const reward = rewards.table[mode][level];
      for (let c = 0; c < rewards.columns; c++) right[row + reach + c] += reward[i * rewards.columns + c];
    }
    solveByStateReduction(rates, this.#exit, right, n, upWidth);
  }

  /** out := Q_{level,level−1}·(passages up of {0..level − 1}): where excursions below end, and their rewards. */
  throughBelow(level: number, below: Float64Array, belowAt: number, out: Float64Array): void {
    out.fill(0);
    addDownProduct(this.queue, level, out, 0, below, belowAt, this.upWidth);
  }

  /** H from `level` to level − 1 in `out`; `above(i)` is asked for i from `level` on. */
  down(level: number, modes: Uint8Array, modesAt: number, above: Heights, out: Float64Array, outAt: number): void {
    const { queue, n, downWidth, carried } = this;
    this.gather(level, modes, modesAt, above);
    const right = out.subarray(outAt, outAt + n * downWidth);
    const exit = this.#exit;
    right.fill(0);
    const { initial, exit: ends, phases } = queue.service;
    const expiry = (level - 1) * obsolescenceRate(queue);
    for (let i = 0; i < n; i++) {
      const m = i % phases;
      const row = i * downWidth;
      for (let next = 0; next < phases; next++) right[row + i - m + next] += ends[m] * initial[next];
      right[row + i] += expiry;
      exit[i] = ends[m] + expiry;
      for (let c = n; c < downWidth; c++) right[row + c] = carried[row + c];
    }
    solveByStateReduction(this.rates, exit, right, n, downWidth, this.#poll);
  }

  /** Eliminates the levels above this one, from the largest batch down: leaves `rates` and `carried`. */
  gather(level: number, modes: Uint8Array, modesAt: number, above: Heights): void {
    const { queue, n, downWidth: width, rates, carried } = this;
    const { arrivals, arrivalPhases, service } = queue;
    const { columns, table } = this.rewards;
    const { phases } = service;
    const heights: ReturnType<Heights>[] = [];
    let [row, next] = this.#rows;
    rates.fill(0);
    if (level > 0) addServiceRates(queue, rates);
    for (let i = 0; i < n; i++) {
      const mode = modes[modesAt + i];
      const { blocks } = arrivals[mode][level];
      const m = i % phases;
      const from = ((i - m) / phases) * arrivalPhases;
      this.#poll?.(n * width);
      row.fill(0);
      for (let step = blocks.length - 1; ; step--) {
        const block = blocks[step];
        for (let to = 0; to < arrivalPhases; to++) row[to * phases + m] += block[from + to];
        if (step === 0) break;
        heights[step - 1] ??= above(level + step - 1);
        const { data, at } = heights[step - 1];
        for (let c = 0; c < n; c++) next[c] = 0;
        for (let c = n; c < width; c++) next[c] = row[c];
        for (let k = 0; k < n; k++) {
          const rate = row[k];
          if (rate === 0) continue;
          const source = at + k * width;
          for (let c = 0; c < width; c++) next[c] += rate * data[source + c];
        }
        [row, next] = [next, row];
      }
      const reward = table[mode][level];
      for (let c = 0; c < columns; c++) row[n + c] += reward[i * columns + c];
      for (let c = 0; c < width; c++) carried[i * width + c] = row[c];
      for (let c = 0; c < n; c++) rates[i * n + c] += row[c];
    }
  }

  /** out += the rates of a state in one block of its arrivals. */
  #addMoves(block: Float64Array, state: number, out: Float64Array, outAt: number): void {
    const { arrivalPhases, service } = this.queue;
    const m = state % service.phases;
    const from = ((state - m) / service.phases) * arrivalPhases;
    for (let to = 0; to < arrivalPhases; to++) out[outAt + to * service.phases + m] += block[from + to];
  }
}
