/**
 * Exhaustive search over all threshold vectors, with exponential (or no) obsolescence, first in first out.
 *
 * Model: N modes, ascending in activity. A vector −1 ≤ j_1 ≤ … ≤ j_{N−1} ≤ K gives mode N−1 to levels ≤ j_1, mode N−2
 * to those up to j_2, …. The C(K+N, N−1) vectors cover every subset of modes once.
 *
 * Method: splitting (passages.ts). The two least active modes (one, when N = 2) make the upper half, described by its
 * last threshold j; the others the lower half. All lower halves of {0..s} grow with s by one block elimination each;
 * all upper halves (s, j) are kept as H_i. One small stochastic matrix puts each pair together. Vectors that leave one
 * half empty are put together at level 0, or at level K.
 *
 * Cost: about C(K+N, N−1) combinations of k_max·(W·M)²·(W·M+4) steps; memory O(K²/2·(W·M)(W·M+4)) for the upper halves
 * and O(C(K+N−3, N−3)·k_max·(W·M)²) for the lower ones. Stops early only when the budget says so: `complete` is false.
 * Proof: every vector is looked at. Results equal plain enumeration to rounding (tested).
 */
import { type Budget, pollOf, unlessStopped } from '../../budget.ts';
import type { Constraints, CostWeights } from '../../queue/measures.ts';
import { leastWhenEmpty } from '../../queue/queue.ts';
import { evaluateMemoryless, type MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { rewardsOf } from '../evaluate/memoryless/rewards.ts';
import { firstLowerHalves, type LowerHalves, nextLowerHalves, type UpperHalves, upperHalves } from './halves.ts';
import { Passages } from './passages.ts';
import { Tally } from './tally.ts';

/** How many threshold vectors there are: C(K+N, N−1); infinite when beyond exact integers. */
export function countThresholdVectors(capacity: number, modes: number): number {
  let count = 1;
  for (let i = 1; i < modes; i++) count = (count * (capacity + 1 + i)) / i;
  return count > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : Math.round(count);
}

/** What is enumerated. */
export interface Enumeration {
  readonly prepared: MemorylessQueue;
  readonly costs: CostWeights;
  readonly constraints: Constraints | null;
  readonly budget: Budget;
}

/** `complete`: every vector was looked at before the budget ended. */
export function enumerateMemoryless(enumeration: Enumeration): { readonly tally: Tally; readonly complete: boolean } {
  const { prepared, costs, constraints, budget } = enumeration;
  const { queue } = prepared;
  const tally = new Tally(costs, constraints);
  if (queue.modes.length === 1) {
    const only = new Uint8Array(queue.topLevel + 1);
    const cost = tally.costOfTotals(evaluateMemoryless(prepared, only), () => []);
    tally.record(1, cost, 0, () => {});
    return { tally, complete: true };
  }
  const passages = new Passages(queue, rewardsOf(prepared, costs, constraints === null ? 'cost' : 'measures'));
  const poll = pollOf(budget, 'the enumeration had only begun');
  const upper = unlessStopped(null, () => upperHalves(passages, Math.min(queue.modes.length - 1, 2), poll));
  return { tally, complete: upper !== null && new Splitting(enumeration, tally, passages, upper).run() };
}

/**
 * Puts every lower half together with every upper half; each step answers whether the budget let it come to its end.
 */
class Splitting {
  readonly #enumeration: Enumeration;
  readonly #tally: Tally;
  readonly #passages: Passages;
  readonly #upper: UpperHalves;
  readonly #modes: number;
  readonly #upperModes: number;
  readonly #stack: Float64Array;
  readonly #cycle: Float64Array;

  constructor(enumeration: Enumeration, tally: Tally, passages: Passages, upper: UpperHalves) {
    const { n, steps, upperWidth, rewards } = passages;
    this.#enumeration = enumeration;
    this.#tally = tally;
    this.#passages = passages;
    this.#upper = upper;
    this.#modes = passages.queue.modes.length;
    this.#upperModes = Math.min(this.#modes - 1, 2);
    this.#stack = new Float64Array(steps * n * upperWidth);
    this.#cycle = new Float64Array(rewards.columns);
  }

  run(): boolean {
    const { capacity } = this.#passages.queue;
    const lowerModes = this.#modes - this.#upperModes;
    const total = countThresholdVectors(capacity, this.#modes);
    if (!this.#allInUpperModes()) return false;
    let lower = firstLowerHalves(this.#passages, this.#modes, lowerModes);
    for (let s = 0; s < capacity; s++) {
      if (!this.#pairsAt(s, lower)) return false;
      this.#enumeration.budget.report({ fraction: this.#tally.count / total, incumbent: this.#tally.best });
      if (s + 1 < capacity) lower = nextLowerHalves(this.#passages, s + 1, lower, this.#modes, lowerModes);
    }
    return this.#allInLowerModes(lower);
  }

  #put(data: Float64Array, at: number, count: number, used: number, thresholds: (out: Int16Array) => void): void {
    const cycle = this.#cycle;
    this.#passages.combine(data, at, this.#stack, count, cycle);
    const cost = this.#tally.cost(cycle, () => {
      const out = new Int16Array(this.#modes - 1);
      thresholds(out);
      return [...out];
    });
    this.#tally.record(used, cost, this.#modes - 1, thresholds);
  }

  /** All levels in the upper modes: level 0 alone is the lower half. */
  #allInUpperModes(): boolean {
    const passages = this.#passages;
    const { queue, n, lowerWidth } = passages;
    const { capacity } = queue;
    const upper = this.#upper;
    const two = this.#upperModes === 2;
    const alone = new Float64Array(n * lowerWidth);
    // Nothing wakes a system that is empty with no crawler active: that vector is left out.
    for (let j = -1 + leastWhenEmpty(queue); j <= (two ? capacity : -1); j++) {
      const count = passages.stackUpper(0, j < 0 ? upper.least : upper.of(j), this.#stack);
      passages.extendUp(0, j < 0 ? 0 : 1, alone, 0, alone, 0);
      this.#put(alone, 0, count, (j >= 0 ? 2 : 0) | (j < capacity ? 1 : 0), (out) => {
        out.fill(-1);
        if (two) out[this.#modes - 2] = j;
      });
      if (this.#enumeration.budget.stopRequested()) return false;
    }
    return true;
  }

  /** The lower halves of {0..s} with all upper halves. */
  #pairsAt(s: number, lower: LowerHalves): boolean {
    const passages = this.#passages;
    const { budget } = this.#enumeration;
    const { capacity } = passages.queue;
    const size = passages.n * passages.lowerWidth;
    const upper = this.#upper;
    const two = this.#upperModes === 2;
    const own = this.#modes - this.#upperModes - 1;
    for (let j = s; j <= (two ? capacity : s); j++) {
      const count = passages.stackUpper(s, two ? upper.of(j) : upper.least, this.#stack);
      const upperUsed = two ? (j > s ? 2 : 0) | (j < capacity ? 1 : 0) : 1;
      for (let half = 0; half < lower.count; half++) {
        if (half % 4096 === 4095 && budget.stopRequested()) return false;
        this.#put(lower.data, half * size, count, lower.usedModes[half] + upperUsed, (out) => {
          for (let t = 0; t < own; t++) out[t] = lower.thresholds[half * own + t];
          out[own] = s;
          if (two) out[own + 1] = j;
        });
      }
      if (budget.stopRequested()) return false;
    }
    return true;
  }

  /** All levels in the lower modes: the levels from K on in one of them are the upper half. */
  #allInLowerModes(lower: LowerHalves): boolean {
    const passages = this.#passages;
    const { capacity } = passages.queue;
    const size = passages.n * passages.lowerWidth;
    const own = this.#modes - this.#upperModes - 1;
    for (let mode = this.#modes - 1; mode >= this.#upperModes; mode--) {
      const count = passages.stackUpper(capacity - 1, this.#upper.from(capacity, mode), this.#stack);
      for (let half = 0; half < lower.count; half++) {
        if (lower.lastMode[half] < mode) continue;
        const used = lower.usedModes[half] + (lower.lastMode[half] === mode ? 0 : 2 ** mode);
        this.#put(lower.data, half * size, count, used, (out) => {
          out.fill(capacity);
          for (let t = 0; t < this.#modes - 1 - mode; t++) out[t] = lower.thresholds[half * own + t];
        });
      }
      if (this.#enumeration.budget.stopRequested()) return false;
    }
    return true;
  }
}

/** All non-decreasing integer vectors of a length, entries in from..to. */
export function* nonDecreasing(length: number, from: number, to: number): Generator<number[]> {
  if (length === 0) {
    yield [];
    return;
  }
  for (let first = from; first <= to; first++) {
    for (const rest of nonDecreasing(length - 1, first, to)) yield [first, ...rest];
  }
}
