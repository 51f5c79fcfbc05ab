/**
 * Relative values and totals of a policy that has a mode for every (level, state): what policy iteration improves on
 * (full-information.ts).
 *
 * Method: the passages of level-passages.ts, O(K·k_max·(W·M)³). Values are referred to the empty system, or to a level
 * where the queue is much more of the time. The levels below such a level are eliminated upward. Under heavy load, an
 * empty system is so rare that values referred to it keep no digits.
 * Source: Howard (1960).
 */
import type { Poll } from '../../../budget.ts';
import { solveByStateReduction, stationaryByStateReduction } from '../../../numerics/linear/small-matrices.ts';
import { meanOfPhaseType } from '../../../queue/phase-type.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import { LevelPassages } from '../../evaluate/memoryless/level-passages.ts';
import type { Rewards, Weights } from '../../evaluate/memoryless/rewards.ts';

/** How much likelier than the empty system a level must be to become the reference: e to this power. */
const clearlyLikelier = 12;

/** The level to refer values to: 0, or the likeliest level of a birth-and-death queue of the same mean rates. */
function likeliestLevel(queue: Queue, modes: Uint8Array): number {
  const n = blockSize(queue);
  const serviceRate = 1 / meanOfPhaseType(queue.service);
  const expiry = obsolescenceRate(queue);
  let [log, best, at] = [0, 0, 0];
  for (let level = 0; level < queue.capacity; level++) {
    let arrivals = 0;
    for (let i = level * n; i < (level + 1) * n; i++) arrivals += queue.modes[modes[i]].arrivalRate / n;
    log += Math.log(arrivals / (serviceRate + level * expiry));
    if (log > best) [best, at] = [log, level + 1];
  }
  return best > clearlyLikelier ? at : 0;
}

export class PolicyValues {
  readonly n: number;
  readonly #levels: LevelPassages;
  /** The passages down from every level above the reference, and those up of the levels below it. */
  readonly #passages: Float64Array;
  #below = new Float64Array(0);
  /** The policy whose passages are at hand, and from where it was closed; none before the first. */
  #last: { readonly modes: Uint8Array; readonly reference: number } | null = null;
  /** Relative values of the last evaluated policy, at level·n + state. */
  readonly values: Float64Array;
  /** Totals of the last evaluated policy per unit of time: linear cost, pages to be served, service ends, 1. */
  readonly totals = new Float64Array(4);

  constructor(queue: Queue, rewards: Rewards, poll: Poll) {
    this.n = blockSize(queue);
    this.#levels = new LevelPassages(queue, rewards, this.n + 4, poll);
    this.#passages = new Float64Array(queue.topLevel * this.n * (this.n + 4));
    this.values = new Float64Array((queue.topLevel + 1) * this.n);
  }

  /**
   * Gain of a policy; leaves its relative values and its totals behind. Other weights for the same policy are cheap.
   */
  evaluate(weights: Weights, modes: Uint8Array): number {
    const last = this.#last;
    if (last !== null && sameModes(last.modes, modes)) return this.#close(weights, last.reference);
    this.#last = null;
    const likeliest = likeliestLevel(this.#levels.queue, modes);
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
    const { n, queue, downWidth, upWidth } = this.#levels;
    const passages = this.#passages;
    const heights = (level: number) => ({ data: passages, at: level * n * downWidth });
    for (let level = queue.topLevel; level > reference; level--) {
      this.#levels.down(level, modes, level * n, heights, passages, (level - 1) * n * downWidth);
    }
    const size = n * upWidth;
    if (this.#below.length < reference * size) this.#below = new Float64Array(reference * size);
    for (let level = 0; level < reference; level++) {
      this.#levels.up(level, modes, level * n, this.#below, (level - 1) * size, this.#below, level * size);
    }
    this.#levels.gather(reference, modes, reference * n, heights);
    if (reference > 0) this.#addBelow(reference);
  }

  /**
   * Adds to the reference level's rates and rewards the excursions below it, which may end above it and come down
   * again.
   */
  #addBelow(reference: number): void {
    const { n, steps, upWidth, downWidth: width, queue, rates, carried } = this.#levels;
    const through = new Float64Array(n * upWidth);
    this.#levels.throughBelow(reference, this.#below, (reference - 1) * n * upWidth, through);
    const moving = new Float64Array(width);
    const next = new Float64Array(width);
    for (let i = 0; i < n; i++) {
      const row = i * upWidth;
      moving.fill(0);
      for (let c = 0; c < 4; c++) moving[n + c] = through[row + steps * n + c];
      // Column block j of `through` counts levels from the one below the reference: it ends j levels above the
      // reference.
      for (let above = Math.min(steps - 1, queue.topLevel - reference); above >= 0; above--) {
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
      for (let k = 0; k < n; k++) rates[i * n + k] += moving[k];
      for (let c = n; c < width; c++) carried[i * width + c] += moving[c];
    }
  }

  /** Gain from the chain censored on the reference level, and the relative values of all levels from it. */
  #close(weights: Weights, reference: number): number {
    const { n, queue, downWidth: width, carried, rates: censored } = this.#levels;
    const weigh = (at: number, data: Float64Array): number =>
      weights[0] * data[at] + weights[1] * data[at + 1] + weights[2] * data[at + 2] + weights[3] * data[at + 3];
    const distribution = new Float64Array(n);
    stationaryByStateReduction(censored.slice(), distribution, n);
    this.totals.fill(0);
    for (let i = 0; i < n; i++) {
      for (let c = 0; c < 4; c++) this.totals[c] += distribution[i] * carried[i * width + n + c];
    }
    const time = this.totals[3];
    for (let c = 0; c < 4; c++) this.totals[c] /= time;
    const gain = weigh(0, this.totals);
    const earned = (data: Float64Array, at: number): number => weigh(at, data) - gain * data[at + 3];
    // Values of that level relative to its first state: (−Q̄ without that state)·h = cost − gain·time.
    const rest = n - 1;
    const rates = new Float64Array(rest * rest);
    const exit = new Float64Array(rest);
    const right = new Float64Array(rest);
    for (let i = 1; i < n; i++) {
      exit[i - 1] = censored[i * n];
      right[i - 1] = earned(carried, i * width + n);
      for (let j = 1; j < n; j++) rates[(i - 1) * rest + j - 1] = censored[i * n + j];
    }
    if (rest > 0) solveByStateReduction(rates, exit, right, rest, 1);
    const values = this.values;
    values[reference * n] = 0;
    values.set(right, reference * n + 1);
    for (let level = reference - 1; level >= 0; level--) this.#spreadDown(level, earned);
    for (let level = reference + 1; level <= queue.topLevel; level++) {
      for (let i = 0; i < n; i++) {
        const row = ((level - 1) * n + i) * width;
        let value = earned(this.#passages, row + n);
        for (let j = 0; j < n; j++) value += this.#passages[row + j] * values[(level - 1) * n + j];
        values[level * n + i] = value;
      }
    }
    return gain;
  }

  /** Values of a level below the reference, from those of the levels above it. */
  #spreadDown(level: number, earned: (data: Float64Array, at: number) => number): void {
    const { n, steps, upWidth, queue } = this.#levels;
    const columns = Math.min(steps, queue.topLevel - level) * n;
    for (let i = 0; i < n; i++) {
      const row = (level * n + i) * upWidth;
      let value = earned(this.#below, row + steps * n);
      for (let c = 0; c < columns; c++) value += this.#below[row + c] * this.values[(level + 1) * n + c];
      this.values[level * n + i] = value;
    }
  }
}

function sameModes(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
