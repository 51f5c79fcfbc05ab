/**
 * Relative values and totals of a policy that has a mode for every (level, state): what policy iteration improves on
 * (full-information.ts).
 *
 * Method: the downward recursion of passages.ts with a mode per row, O(K·k_max·(W·M)³). Values are referred to the
 * empty system, or to a level where the queue is much more of the time. The levels below such a level are eliminated
 * upward (upward-passages.ts).
 * Source: Howard (1960).
 */
import type { Poll } from '../../../budget.ts';
import { solveByStateReduction, stationaryByStateReduction } from '../../../numerics/linear/small-matrices.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import { addServiceRates } from '../../evaluate/chain/stationary.ts';
import type { Rewards, Weights } from '../../evaluate/memoryless/rewards.ts';
import { likeliestLevel, UpwardPassages } from './upward-passages.ts';

export class PolicyValues {
  readonly #poll: Poll;
  readonly #queue: Queue;
  readonly #rewards: Rewards;
  readonly n: number;
  /** Columns of a passage: n phases, then the four rewards. */
  readonly #width: number;
  readonly #passages: Float64Array;
  readonly #carried: Float64Array;
  readonly #next: Float64Array;
  readonly #rates: Float64Array;
  readonly #exit: Float64Array;
  readonly #upward: UpwardPassages;
  /** The policy whose passages are at hand, and from where it was closed; none before the first. */
  #last: { readonly modes: Uint8Array; readonly reference: number } | null = null;
  /** Relative values of the last evaluated policy, at level·n + state. */
  readonly values: Float64Array;
  /** Totals of the last evaluated policy per unit of time: linear cost, pages to be served, service ends, 1. */
  readonly totals = new Float64Array(4);

  constructor(queue: Queue, rewards: Rewards, poll: Poll) {
    this.#poll = poll;
    this.#queue = queue;
    this.#rewards = rewards;
    this.n = blockSize(queue);
    this.#width = this.n + 4;
    const size = this.n * this.#width;
    this.#passages = new Float64Array(queue.topLevel * size);
    this.values = new Float64Array((queue.topLevel + 1) * this.n);
    this.#carried = new Float64Array(size);
    this.#next = new Float64Array(size);
    this.#rates = new Float64Array(this.n * this.n);
    this.#exit = new Float64Array(this.n);
    this.#upward = new UpwardPassages(queue, rewards, poll);
  }

  /**
   * Gain of a policy; leaves its relative values and its totals behind. Other weights for the same policy are cheap.
   */
  evaluate(weights: Weights, modes: Uint8Array): number {
    const last = this.#last;
    if (last !== null && sameModes(last.modes, modes)) return this.#close(weights, last.reference);
    this.#last = null;
    const likeliest = likeliestLevel(this.#queue, modes);
    for (const reference of likeliest > 0 ? [likeliest, 0] : [0]) {
      this.#eliminateTo(reference, modes);
      const gain = this.#close(weights, reference);
      // A level that some phases never reach is no reference.
      if (!Number.isFinite(gain) && reference > 0) continue;
      this.#last = { modes: modes.slice(), reference };
      return gain;
    }
    return Number.NaN;
  }

  /** The passages of a policy, and its chain censored on the reference level. */
  #eliminateTo(reference: number, modes: Uint8Array): void {
    const queue = this.#queue;
    const { n } = this;
    const width = this.#width;
    for (let level = queue.topLevel; level >= reference; level--) {
      this.#gather(level, modes);
      const rates = this.#rates;
      rates.fill(0);
      if (level > 0) addServiceRates(queue, rates);
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) rates[i * n + j] += this.#carried[i * width + j];
      if (level > reference) this.#eliminate(level);
    }
    if (reference > 0) this.#addBelow(reference, modes);
  }

  /**
   * Adds to the reference level's rates and rewards the excursions below it, which may end above it and come down
   * again.
   */
  #addBelow(reference: number, modes: Uint8Array): void {
    const queue = this.#queue;
    const upward = this.#upward;
    const { n } = this;
    const width = this.#width;
    upward.prepare(modes, reference);
    const through = new Float64Array(n * upward.width);
    upward.throughBelow(reference, through);
    const batches = queue.largestBatch;
    const moving = new Float64Array(width);
    const next = new Float64Array(width);
    for (let i = 0; i < n; i++) {
      const row = i * upward.width;
      moving.fill(0);
      for (let c = 0; c < 4; c++) moving[n + c] = through[row + batches * n + c];
      // Column block j of `through` counts levels from the one below the reference: it ends j levels above the
      // reference.
      for (let above = Math.min(batches - 1, queue.topLevel - reference); above >= 0; above--) {
        for (let k = 0; k < n; k++) moving[k] += through[row + above * n + k];
        if (above === 0) break;
        next.fill(0);
        for (let c = n; c < width; c++) next[c] = moving[c];
        const source = (reference + above - 1) * n * width;
        for (let k = 0; k < n; k++) {
          for (let c = 0; c < width; c++) next[c] += moving[k] * this.#passages[source + k * width + c];
        }
        moving.set(next);
      }
      for (let k = 0; k < n; k++) this.#rates[i * n + k] += moving[k];
      for (let c = n; c < width; c++) this.#carried[i * width + c] += moving[c];
    }
  }

  /** carried := rates inside the level and rewards of an excursion above it, for the modes of the policy. */
  #gather(level: number, modes: Uint8Array): void {
    const queue = this.#queue;
    const { n } = this;
    const width = this.#width;
    const { arrivalPhases } = queue;
    const phases = queue.service.phases;
    const passages = this.#passages;
    const carried = this.#carried;
    const next = this.#next;
    for (let i = 0; i < n; i++) {
      this.#poll(n * width);
      const mode = modes[level * n + i];
      const { blocks } = queue.arrivals[mode][level];
      const m = i % phases;
      const from = (i - m) / phases;
      const row = i * width;
      carried.fill(0, row, row + width);
      for (let step = blocks.length - 1; ; step--) {
        const d = blocks[step];
        for (let to = 0; to < arrivalPhases; to++) carried[row + to * phases + m] += d[from * arrivalPhases + to];
        if (step === 0) break;
        const source = (level + step - 1) * n * width;
        for (let c = 0; c < n; c++) next[c] = 0;
        for (let c = n; c < width; c++) next[c] = carried[row + c];
        for (let k = 0; k < n; k++) {
          const rate = carried[row + k];
          if (rate === 0) continue;
          for (let c = 0; c < width; c++) next[c] += rate * passages[source + k * width + c];
        }
        for (let c = 0; c < width; c++) carried[row + c] = next[c];
      }
      const reward = this.#rewards.table[mode][level];
      for (let c = 0; c < 4; c++) carried[row + n + c] += reward[i * 4 + c];
    }
  }

  #eliminate(level: number): void {
    const queue = this.#queue;
    const { initial, exit: ends, phases } = queue.service;
    const { n } = this;
    const width = this.#width;
    const expiry = (level - 1) * obsolescenceRate(queue);
    const at = (level - 1) * n * width;
    const right = this.#passages.subarray(at, at + n * width);
    right.fill(0);
    for (let i = 0; i < n; i++) {
      const m = i % phases;
      const row = i * width;
      for (let next = 0; next < phases; next++) right[row + i - m + next] += ends[m] * initial[next];
      right[row + i] += expiry;
      this.#exit[i] = ends[m] + expiry;
      for (let c = n; c < width; c++) right[row + c] = this.#carried[row + c];
    }
    solveByStateReduction(this.#rates, this.#exit, right, n, width, this.#poll);
  }

  /** Gain from the chain censored on the reference level, and the relative values of all levels from it. */
  #close(weights: Weights, reference: number): number {
    const queue = this.#queue;
    const { n } = this;
    const width = this.#width;
    const weigh = (at: number, data: Float64Array): number =>
      weights[0] * data[at] + weights[1] * data[at + 1] + weights[2] * data[at + 2] + weights[3] * data[at + 3];
    const distribution = new Float64Array(n);
    stationaryByStateReduction(this.#rates.slice(), distribution, n);
    this.totals.fill(0);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < 4; c++) this.totals[c] += distribution[i] * this.#carried[i * width + n + c];
    }
    const time = this.totals[3];
    for (let c = 0; c < 4; c++) this.totals[c] /= time;
    const gain = weigh(0, this.totals);
    // Values of that level relative to its first state: (−Q̄ without that state)·h = cost − gain·time.
    const rest = n - 1;
    const rates = new Float64Array(rest * rest);
    const exit = new Float64Array(rest);
    const right = new Float64Array(rest);
    for (let i = 1; i < n; i++) {
      exit[i - 1] = this.#rates[i * n];
      right[i - 1] = weigh(i * width + n, this.#carried) - gain * this.#carried[i * width + n + 3];
      for (let j = 1; j < n; j++) rates[(i - 1) * rest + j - 1] = this.#rates[i * n + j];
    }
    if (rest > 0) solveByStateReduction(rates, exit, right, rest, 1);
    const values = this.values;
    values[reference * n] = 0;
    values.set(right, reference * n + 1);
    if (reference > 0) this.#upward.spread(values, reference, (data, at) => weigh(at, data) - gain * data[at + 3]);
    for (let level = reference + 1; level <= queue.topLevel; level++) {
      for (let i = 0; i < n; i++) {
        const row = ((level - 1) * n + i) * width;
        let value = weigh(row + n, this.#passages) - gain * this.#passages[row + n + 3];
        for (let j = 0; j < n; j++) value += this.#passages[row + j] * values[(level - 1) * n + j];
        values[level * n + i] = value;
      }
    }
    return gain;
  }
}

function sameModes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
