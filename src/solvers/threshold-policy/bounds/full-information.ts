/**
 * The best policy when the controller may also see the arrival phase and the service phase: a Markov decision process on
 * the queue's own chain, solved by policy iteration on the level recursion. It bounds what thresholds can reach.
 *
 * Model: at (i, ν, m) any mode in lowest[i]..highest[i]; running cost c(mode, i, ν) + price·(toBeServed − v·serviceEnds),
 * average over time. At level 0 the controller does not know the phase m of a service that has not begun (m is drawn from
 * β when the last page leaves, see stationary.ts): one mode for all m there, weighed with β.
 *
 * Method: evaluation by the downward recursion of passages.ts with a mode per row, O(K·k_max·(W·M)³); improvement
 * O(K·N·k_max·W²·M). Stops when no state improves by more than 1e−12 of the cost, or after 60 rounds.
 * Values are referred to the empty system, or, where asked for, to a level where the queue is most of the time: then the levels
 * below it are eliminated upward (upward-passages.ts).
 * Bound: for any values h, every policy costs at least the least over states of the best right-hand side of the optimality
 * equation, c + Σ rate·(h′ − h). That is what is computed, from the h at hand: it holds when stopped early, and whatever
 * rounding has done to h (a long queue under heavy load leaves few digits of it).
 * Source: Howard (1960); the linearised ratio: see branch-and-bound.ts.
 */
import { type Budget, type Poll, pollOf } from '../../budget.ts';
import { solveByStateReduction, stationaryByStateReduction } from '../../numerics/linear/small-matrices.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import { addServiceRates, blockSize } from '../evaluation/stationary.ts';
import { obsolescenceRate } from '../model/queue.ts';
import { type PackedModes, packedModes } from './packed-modes.ts';
import type { Rewards } from './rewards.ts';
import { likeliestLevel, UpwardPassages } from './upward-passages.ts';

/** Weights of the four cost columns of rewards.ts: linear cost, pages to be served, service ends, time. */
export type Weights = readonly [number, number, number, number];

const relativeImprovement = 1e-12;
const mostRounds = 60;

export class FullInformation {
  readonly #budget: Budget;
  readonly #poll: Poll;
  readonly #prepared: MemorylessQueue;
  readonly #rewards: Rewards;
  readonly n: number;
  /** Columns of a passage: n phases, then the four rewards. */
  readonly #width: number;
  readonly #passages: Float64Array;
  readonly #values: Float64Array;
  readonly #carried: Float64Array;
  readonly #next: Float64Array;
  readonly #rates: Float64Array;
  readonly #exit: Float64Array;
  readonly #scores: Float64Array;
  /** What a state's relative value changes by with each arrival: at step·W + phase. */
  readonly #drifts: Float64Array;
  readonly #packed: PackedModes;
  readonly #upward: UpwardPassages | null;
  /** Totals of the last evaluated policy per unit of time: linear cost, pages to be served, service ends, 1. */
  readonly totals = new Float64Array(4);

  /**
   * @param budget ends policy iterations early, after one round at least: bounds stay valid
   * @param reference what values are referred to: the empty system, or the likeliest level
   */
  constructor(prepared: MemorylessQueue, rewards: Rewards, budget: Budget, reference: 'empty' | 'likeliest' = 'empty') {
    this.#budget = budget;
    this.#poll = pollOf(budget, 'the relaxation had not been evaluated');
    this.#prepared = prepared;
    this.#rewards = rewards;
    const { queue } = prepared;
    this.n = blockSize(queue);
    this.#width = this.n + 4;
    const size = this.n * this.#width;
    this.#passages = new Float64Array(queue.topLevel * size);
    this.#values = new Float64Array((queue.topLevel + 1) * this.n);
    this.#carried = new Float64Array(size);
    this.#next = new Float64Array(size);
    this.#rates = new Float64Array(this.n * this.n);
    this.#exit = new Float64Array(this.n);
    this.#scores = new Float64Array(queue.modes.length);
    this.#packed = packedModes(queue, rewards);
    this.#drifts = new Float64Array((queue.largestBatch + 1) * queue.arrivalPhases);
    this.#upward = reference === 'empty' ? null : new UpwardPassages(queue, rewards, this.#poll);
  }

  /**
   * Minimises the weighted rewards per unit of time within the modes allowed at each level 0..K (levels above K: as K).
   *
   * @param modes start policy, one mode per (level, state); holds the best one found on return
   * @returns its gain and a lower bound on the gain of every policy allowed
   */
  minimise(
    weights: Weights,
    lowest: Uint8Array,
    highest: Uint8Array,
    modes: Uint8Array,
  ): { readonly gain: number; readonly bound: number; readonly rounds: number } {
    let gain = 0;
    let bound = Number.NEGATIVE_INFINITY;
    let rounds = 0;
    this.#admit(lowest, highest, modes);
    while (rounds < mostRounds) {
      rounds++;
      gain = this.evaluate(weights, modes);
      const improved = this.#improve(weights, lowest, highest, modes, this.#scale(weights) * relativeImprovement);
      // Not a number where passages have left the range of doubles (a long queue under heavy load): then nothing is known.
      if (improved.least > bound) bound = improved.least;
      if (!improved.changed || this.#budget.stopRequested()) break;
    }
    return { gain, bound, rounds };
  }

  /** Size of what the gain is made of (the gain itself may cancel to 0). */
  #scale(weights: Weights): number {
    let scale = 0;
    for (const [c, weight] of weights.entries()) scale += Math.abs(weight * this.totals[c]);
    return scale;
  }

  /** Moves a start policy inside what is allowed. */
  #admit(lowest: Uint8Array, highest: Uint8Array, modes: Uint8Array): void {
    const { queue } = this.#prepared;
    for (let level = 0; level <= queue.topLevel; level++) {
      const allowed = Math.min(level, queue.capacity);
      for (let i = level * this.n; i < (level + 1) * this.n; i++) {
        const wanted = level === 0 ? modes[i - (i % queue.service.phases)] : modes[i];
        modes[i] = Math.min(highest[allowed], Math.max(lowest[allowed], wanted));
      }
    }
  }

  /** Gain of a policy; leaves its relative values and its totals behind. */
  evaluate(weights: Weights, modes: Uint8Array): number {
    const upward = this.#upward;
    const reference = upward === null ? 0 : likeliestLevel(this.#prepared.queue, modes);
    if (upward !== null && reference > 0) {
      const gain = this.#evaluateFrom(upward, reference, weights, modes);
      // A level that some phases never reach is no reference.
      if (Number.isFinite(gain)) return gain;
    }
    return this.#evaluateFrom(null, 0, weights, modes);
  }

  #evaluateFrom(upward: UpwardPassages | null, reference: number, weights: Weights, modes: Uint8Array): number {
    const { queue } = this.#prepared;
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
    if (upward !== null) this.#addBelow(upward, reference, modes);
    return this.#close(weights, reference, upward);
  }

  /** Adds to the reference level's rates and rewards the excursions below it, which may end above it and come down again. */
  #addBelow(upward: UpwardPassages, reference: number, modes: Uint8Array): void {
    const { queue } = this.#prepared;
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
      // Column block j of `through` counts levels from the one below the reference: it ends j levels above the reference.
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
    const { queue } = this.#prepared;
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
    const { queue } = this.#prepared;
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
  #close(weights: Weights, reference: number, upward: UpwardPassages | null): number {
    const { queue } = this.#prepared;
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
    const values = this.#values;
    values[reference * n] = 0;
    values.set(right, reference * n + 1);
    upward?.spread(values, reference, (data, at) => weigh(at, data) - gain * data[at + 3]);
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

  /** Takes the best mode in every state; `least`: the least right-hand side of any state in its best mode. */
  #improve(
    weights: Weights,
    lowest: Uint8Array,
    highest: Uint8Array,
    modes: Uint8Array,
    margin: number,
  ): { readonly least: number; readonly changed: boolean } {
    const { queue } = this.#prepared;
    const { n } = this;
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
   * The part of the optimality equation's right-hand side that depends on the mode, at `at` = level·n + state, for every
   * mode, from the relative values of the policy that was evaluated last.
   *
   * @param out one number a mode, filled by this call
   */
  rightHandSides(weights: Weights, at: number, out: Float64Array): void {
    const level = Math.floor(at / this.n);
    out.fill(0);
    this.#addScores({ weights, level, state: at - level * this.n, first: 0, last: out.length - 1 }, 1, out);
  }

  /** Drift of the values by what the server and the clocks of the waiting pages do, at a level above 0. */
  #fall(level: number, state: number): number {
    const { queue } = this.#prepared;
    const { initial, exit, generator, phases } = queue.service;
    const m = state % phases;
    const values = this.#values;
    const here = values[level * this.n + state];
    const below = (level - 1) * this.n + state;
    let drift = (level - 1) * obsolescenceRate(queue) * (values[below] - here);
    for (let next = 0; next < phases; next++) {
      drift += exit[m] * initial[next] * (values[below - m + next] - here);
      if (next !== m) drift += generator[m * phases + next] * (values[level * this.n + state - m + next] - here);
    }
    return drift;
  }

  /** Adds to `scores`, for the modes first..last, running cost and drift of the values in that mode. */
  #addScores({ weights, level, state, first, last }: ScoredState, weight: number, scores: Float64Array): void {
    const { queue } = this.#prepared;
    const { n } = this;
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
