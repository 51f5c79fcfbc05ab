/**
 * The two halves of a threshold policy around a level s, and how they are put together.
 *
 * Lower half {0..s}: a visit begins in level s, with the passages up of level-passages.ts. Upper half {s+1..}: a visit
 * begins one level above i, with the passages down.
 * Together: M = Σ_l U_l·P_l is the stochastic matrix of the chain embedded where level s is entered from above. Let θ
 * be its stationary distribution; then θ(V + Σ_l U_l·T_l) are the rewards of a cycle. Putting together takes k·n²(n+q)
 * steps.
 * Source: semi-regenerative splitting of the recursions of Avrachenkov et al. (2012), section 3.
 */

import { stationaryByStateReduction } from '../../numerics/linear/small-matrices.ts';
import { blockSize, type Queue } from '../../queue/queue.ts';
import { type Heights, LevelPassages } from '../evaluate/memoryless/level-passages.ts';
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
  readonly #levels: LevelPassages;
  /** Every state in one mode, by mode. */
  readonly #modes: readonly Uint8Array[];
  readonly #chain: Float64Array;
  readonly #joined: Float64Array;
  readonly #distribution: Float64Array;

  constructor(queue: Queue, rewards: Rewards) {
    const n = blockSize(queue);
    // A multiple of four: see combine().
    this.upperWidth = 4 * Math.ceil((n + rewards.columns) / 4);
    this.#levels = new LevelPassages(queue, rewards, this.upperWidth);
    this.queue = queue;
    this.rewards = rewards;
    this.n = n;
    this.steps = this.#levels.steps;
    this.lowerWidth = this.#levels.upWidth;
    this.#modes = queue.modes.map((_, mode) => new Uint8Array(n).fill(mode));
    this.#chain = new Float64Array(n * n);
    this.#joined = new Float64Array(n * this.upperWidth);
    this.#distribution = new Float64Array(n);
  }

  /** The lower half {0..level} in `out` from that of {0..level − 1} in `below`, the new level in `mode`. */
  extendUp(level: number, mode: number, below: Float64Array, belowAt: number, out: Float64Array, outAt: number): void {
    this.#levels.up(level, this.#modes[mode], 0, below, belowAt, out, outAt);
  }

  /** H from `level` to level − 1 in `mode`, into `out`. */
  extendDown(level: number, mode: number, above: Heights, out: Float64Array, outAt: number): void {
    this.#levels.down(level, this.#modes[mode], 0, above, out, outAt);
  }

  /**
   * E_1 … E_steps stacked: [P_l | T_l] from level s + l to level s. `above` as in {@link extendDown}. Returns how many
   * steps there are (fewer near the top).
   */
  stackUpper(s: number, above: Heights, stack: Float64Array): number {
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
    const joined = this.#joined;
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
}
