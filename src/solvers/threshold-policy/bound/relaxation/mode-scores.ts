/**
 * What every mode is worth in every state, by the relative values of a policy: the right-hand side of the optimality
 * equation, c + Σ rate·(h′ − h). O(K·N·k_max·W²·M) for all of them.
 */

import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import type { Rewards, Weights } from '../../evaluate/memoryless/rewards.ts';
import { type PackedModes, packedModes } from './packed-modes.ts';

export class ModeScores {
  readonly #queue: Queue;
  readonly #n: number;
  readonly #values: Float64Array;
  readonly #scores: Float64Array;
  /** What a state's relative value changes by with each arrival: at step·W + phase. */
  readonly #drifts: Float64Array;
  readonly #packed: PackedModes;

  /** @param values relative values, at level·W·M + state; read at each call */
  constructor(queue: Queue, rewards: Rewards, values: Float64Array) {
    this.#queue = queue;
    this.#n = blockSize(queue);
    this.#values = values;
    this.#scores = new Float64Array(queue.modes.length);
    this.#packed = packedModes(queue, rewards);
    this.#drifts = new Float64Array((queue.largestBatch + 1) * queue.arrivalPhases);
  }

  /** Takes the best mode in every state; `least`: the least right-hand side of any state in its best mode. */
  improve(
    weights: Weights,
    lowest: Uint8Array,
    highest: Uint8Array,
    modes: Uint8Array,
    margin: number,
  ): { readonly least: number; readonly changed: boolean } {
    const queue = this.#queue;
    const n = this.#n;
    const phases = queue.service.phases;
    const scores = this.#scores;
    let least = Number.POSITIVE_INFINITY;
    let changed = false;
    for (let level = 0; level <= queue.topLevel; level++) {
      const allowed = Math.min(level, queue.capacity);
      const [first, last] = [lowest[allowed], highest[allowed]];
      for (let group = 0; group < n; group += level === 0 ? phases : 1) {
        const end = group + (level === 0 ? phases : 1);
        const current = modes[level * n + group];
        scores.fill(0, first, last + 1);
        for (let i = group; i < end; i++) {
          const weight = level === 0 ? queue.service.initial[i % phases] : 1;
          if (weight > 0) this.#addScores({ weights, level, state: i, first, last }, weight, scores);
        }
        const down = level === 0 ? 0 : this.#fall(level, group);
        let best = current;
        for (let mode = first; mode <= last; mode++) if (scores[mode] < scores[best]) best = mode;
        least = Math.min(least, scores[best] + down);
        if (scores[best] >= scores[current] - margin) continue;
        changed = true;
        for (let i = group; i < end; i++) modes[level * n + i] = best;
      }
    }
    return { least, changed };
  }

  /**
   * The part of the optimality equation's right-hand side that depends on the mode, for every mode, at
   * `at` = level·n + state. It comes from the relative values of the policy that was evaluated last.
   *
   * @param out one number a mode, filled by this call
   */
  rightHandSides(weights: Weights, at: number, out: Float64Array): void {
    const level = Math.floor(at / this.#n);
    out.fill(0);
    this.#addScores({ weights, level, state: at - level * this.#n, first: 0, last: out.length - 1 }, 1, out);
  }

  /** Drift of the values by what the server and the clocks of the waiting pages do, at a level above 0. */
  #fall(level: number, state: number): number {
    const queue = this.#queue;
    const { initial, exit, generator, phases } = queue.service;
    const m = state % phases;
    const values = this.#values;
    const here = values[level * this.#n + state];
    const below = (level - 1) * this.#n + state;
    let drift = (level - 1) * obsolescenceRate(queue) * (values[below] - here);
    for (let next = 0; next < phases; next++) {
      drift += exit[m] * initial[next] * (values[below - m + next] - here);
      if (next !== m) drift += generator[m * phases + next] * (values[level * this.#n + state - m + next] - here);
    }
    return drift;
  }

  /** Adds to `scores`, for the modes first..last, running cost and drift of the values in that mode. */
  #addScores({ weights, level, state, first, last }: ScoredState, weight: number, scores: Float64Array): void {
    const queue = this.#queue;
    const n = this.#n;
    const { arrivalPhases } = queue;
    const phases = queue.service.phases;
    const m = state % phases;
    const from = (state - m) / phases;
    const values = this.#values;
    const here = values[level * n + state];
    const drifts = this.#drifts;
    const { ratesUp, steps, rewards } = this.#packed;
    const width = (steps[level] + 1) * arrivalPhases;
    for (let step = 0, at = 0; at < width; step++) {
      for (let to = 0; to < arrivalPhases; to++, at++) {
        drifts[at] = step === 0 && to === from ? 0 : values[(level + step) * n + to * phases + m] - here;
      }
    }
    const rates = ratesUp[level];
    const modes = scores.length;
    let reward = ((level * n + state) * modes + first) * 4;
    let row = (from * modes + first) * width;
    for (let mode = first; mode <= last; mode++, reward += 4, row += width) {
      let score =
        weights[0] * rewards[reward] +
        weights[1] * rewards[reward + 1] +
        weights[2] * rewards[reward + 2] +
        weights[3] * rewards[reward + 3];
      for (let c = 0; c < width; c++) score += rates[row + c] * drifts[c];
      scores[mode] += weight * score;
    }
  }
}

/** A state, and the modes that are scored in it. */
interface ScoredState {
  readonly weights: Weights;
  readonly level: number;
  readonly state: number;
  readonly first: number;
  readonly last: number;
}
