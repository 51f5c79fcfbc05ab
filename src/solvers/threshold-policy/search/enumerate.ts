/**
 * Exhaustive search over all threshold vectors, with exponential (or no) obsolescence, first in first out.
 *
 * Model: N modes, ascending in activity; a vector −1 ≤ j_1 ≤ … ≤ j_{N−1} ≤ K gives mode N−1 to levels ≤ j_1, mode N−2 to
 * those up to j_2, …: C(K+N, N−1) vectors, which cover every subset of modes once.
 *
 * Method: splitting (passages.ts). The two least active modes (one, when N = 2) make the upper half, described by its
 * last threshold j; the others the lower half. All lower halves of {0..s} grow with s by one block elimination each, all
 * upper halves (s, j) are kept as H_i; each pair is put together by one small stochastic matrix. Vectors that leave one
 * half empty are put together at level 0, or at level K.
 *
 * Cost: about C(K+N, N−1) combinations of k_max·(W·M)²·(W·M+4) steps; memory O(K²/2·(W·M)(W·M+4)) for the upper halves
 * and O(C(K+N−3, N−3)·k_max·(W·M)²) for the lower ones. Stops early only when the budget says so: `complete` is false.
 * Proof: every vector is looked at. Results equal plain enumeration to rounding (tested).
 */
import { type Budget, type Poll, pollOf, unlessStopped } from '../../budget.ts';
import { rewardsOf } from '../bounds/rewards.ts';
import { evaluateMemoryless, type MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import type { Constraints, CostWeights } from '../model/measures.ts';
import { leastWhenEmpty } from '../model/queue.ts';
import { Passages } from './passages.ts';
import { Tally } from './tally.ts';

/** How many threshold vectors there are: C(K+N, N−1); infinite when beyond exact integers. */
export function countThresholdVectors(capacity: number, modes: number): number {
  let count = 1;
  for (let i = 1; i < modes; i++) count = (count * (capacity + 1 + i)) / i;
  return count > Number.MAX_SAFE_INTEGER ? Number.POSITIVE_INFINITY : Math.round(count);
}

/** All lower halves of {0..s}: their passages, the modes they use and their thresholds, side by side. */
interface LowerHalves {
  readonly count: number;
  readonly data: Float64Array;
  readonly lastMode: Uint8Array;
  readonly usedModes: Float64Array;
  /** N_lower − 1 thresholds each. */
  readonly thresholds: Int16Array;
}

/** Told of each policy: its measure columns over a cycle (rewards.ts), and what writes its thresholds. */
export type Keep = (cycle: Float64Array, thresholds: (out: Int16Array) => void) => void;

/** @param keep is told of every policy; it asks for measure columns, thus for constraints (they may be empty) */
export function enumerateMemoryless(
  prepared: MemorylessQueue,
  costs: CostWeights,
  constraints: Constraints | null,
  budget: Budget,
  keep?: Keep,
): { readonly tally: Tally; readonly complete: boolean } {
  const { queue } = prepared;
  const { capacity } = queue;
  const modes = queue.modes.length;
  const tally = new Tally(costs, constraints);
  if (modes === 1) {
    const only = new Uint8Array(queue.topLevel + 1);
    tally.record(
      1,
      tally.costOfTotals(evaluateMemoryless(prepared, only), () => []),
      0,
      () => {},
    );
    return { tally, complete: true };
  }
  const passages = new Passages(queue, rewardsOf(prepared, costs, constraints === null ? 'cost' : 'measures'));
  const upperModes = Math.min(modes - 1, 2);
  const lowerModes = modes - upperModes;
  const poll = pollOf(budget, 'the enumeration had only begun');
  const upper = unlessStopped(null, () => upperHalves(passages, upperModes, poll));
  if (upper === null) return { tally, complete: false };
  const { n, steps, upperWidth, lowerWidth } = passages;
  const size = n * lowerWidth;
  const stack = new Float64Array(steps * n * upperWidth);
  const cycle = new Float64Array(passages.rewards.columns);
  const total = countThresholdVectors(capacity, modes);
  const put = (data: Float64Array, at: number, count: number, used: number, thresholds: (out: Int16Array) => void) => {
    passages.combine(data, at, stack, count, cycle);
    const cost = tally.cost(cycle, () => {
      const out = new Int16Array(modes - 1);
      thresholds(out);
      return [...out];
    });
    tally.record(used, cost, modes - 1, thresholds);
    keep?.(cycle, thresholds);
  };
  // All levels in the upper modes: level 0 alone is the lower half.
  const alone = new Float64Array(size);
  // Nothing wakes a system that is empty with no crawler active: that vector is left out.
  for (let j = -1 + leastWhenEmpty(queue); j <= (upperModes === 2 ? capacity : -1); j++) {
    const count = passages.stackUpper(0, j < 0 ? upper.least : upper.of(j), stack);
    passages.extendUp(0, j < 0 ? 0 : 1, alone, 0, alone, 0);
    put(alone, 0, count, (j >= 0 ? 2 : 0) | (j < capacity ? 1 : 0), (out) => {
      out.fill(-1);
      if (upperModes === 2) out[modes - 2] = j;
    });
    if (budget.stopRequested()) return { tally, complete: false };
  }
  let lower = firstLowerHalves(passages, modes, lowerModes);
  const own = lowerModes - 1;
  for (let s = 0; s < capacity; s++) {
    for (let j = s; j <= (upperModes === 2 ? capacity : s); j++) {
      const count = passages.stackUpper(s, upperModes === 2 ? upper.of(j) : upper.least, stack);
      const upperUsed = upperModes === 1 ? 1 : (j > s ? 2 : 0) | (j < capacity ? 1 : 0);
      for (let half = 0; half < lower.count; half++) {
        if (half % 4096 === 4095 && budget.stopRequested()) return { tally, complete: false };
        put(lower.data, half * size, count, lower.usedModes[half] + upperUsed, (out) => {
          for (let t = 0; t < own; t++) out[t] = lower.thresholds[half * own + t];
          out[own] = s;
          if (upperModes === 2) out[own + 1] = j;
        });
      }
      if (budget.stopRequested()) return { tally, complete: false };
    }
    budget.report({ fraction: tally.count / total, incumbent: tally.best });
    if (s + 1 < capacity) lower = nextLowerHalves(passages, s + 1, lower, modes, lowerModes);
  }
  // All levels in the lower modes: the levels from K on in one of them are the upper half.
  for (let mode = modes - 1; mode >= upperModes; mode--) {
    const count = passages.stackUpper(capacity - 1, upper.from(capacity, mode), stack);
    for (let half = 0; half < lower.count; half++) {
      if (lower.lastMode[half] < mode) continue;
      const used = lower.usedModes[half] + (lower.lastMode[half] === mode ? 0 : 2 ** mode);
      put(lower.data, half * size, count, used, (out) => {
        out.fill(capacity);
        for (let t = 0; t < modes - 1 - mode; t++) out[t] = lower.thresholds[half * own + t];
      });
    }
    if (budget.stopRequested()) return { tally, complete: false };
  }
  return { tally, complete: true };
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

type Heights = (level: number) => { readonly data: Float64Array; readonly at: number };

/** H_i of every upper half: where that from level i + 1 to i stands. */
interface UpperHalves {
  /** All levels in the least active mode. */
  readonly least: Heights;
  /** Levels up to j in the next mode, those above in the least active one. */
  of(j: number): Heights;
  /** All levels from one on in some mode. */
  from(first: number, mode: number): Heights;
}

function upperHalves(passages: Passages, upperModes: number, poll: Poll): UpperHalves {
  const { queue, n, upperWidth } = passages;
  const size = n * upperWidth;
  const { topLevel, capacity } = queue;
  const from = (first: number, mode: number): Heights => {
    const chain = new Float64Array((topLevel - first + 1) * size);
    const heights: Heights = (level) => ({ data: chain, at: (level - first + 1) * size });
    for (let level = topLevel; level >= first; level--) {
      passages.extendDown(level, mode, heights, chain, (level - first) * size);
    }
    return heights;
  };
  // Levels above j are in the least active mode whatever j is: one chain for all.
  const least = from(1, 0);
  const chains: Float64Array[] = [];
  const of = (j: number): Heights => {
    // With j = K all levels, those above K too, are in the more active mode.
    const last = j === capacity ? topLevel : j;
    return (level) => (level >= last ? least(level) : { data: chains[j], at: level * size });
  };
  for (let j = 0; j <= (upperModes === 2 ? capacity : -1); j++) {
    const last = j === capacity ? topLevel : j;
    chains.push(new Float64Array(last * size));
    for (let level = last; level >= 1; level--) {
      poll(size * (n * passages.steps + 20));
      passages.extendDown(level, 1, of(j), chains[j], (level - 1) * size);
    }
  }
  return { least, of, from };
}

function firstLowerHalves(passages: Passages, modes: number, lowerModes: number): LowerHalves {
  const size = passages.n * passages.lowerWidth;
  const data = new Float64Array(lowerModes * size);
  const lastMode = new Uint8Array(lowerModes);
  const usedModes = new Float64Array(lowerModes);
  const own = lowerModes - 1;
  const thresholds = new Int16Array(lowerModes * own).fill(-1);
  for (let half = 0; half < lowerModes; half++) {
    const mode = modes - 1 - half;
    passages.extendUp(0, mode, data, 0, data, half * size);
    lastMode[half] = mode;
    usedModes[half] = 2 ** mode;
    // More active modes than this one are used up to level −1, this one and the later up to s = 0 at least.
    for (let t = half; t < own; t++) thresholds[half * own + t] = 0;
  }
  return { count: lowerModes, data, lastMode, usedModes, thresholds };
}

function nextLowerHalves(
  passages: Passages,
  level: number,
  lower: LowerHalves,
  modes: number,
  lowerModes: number,
): LowerHalves {
  const size = passages.n * passages.lowerWidth;
  const least = modes - lowerModes;
  const own = lowerModes - 1;
  let count = 0;
  for (let half = 0; half < lower.count; half++) count += lower.lastMode[half] - least + 1;
  const next = {
    count,
    data: new Float64Array(count * size),
    lastMode: new Uint8Array(count),
    usedModes: new Float64Array(count),
    thresholds: new Int16Array(count * own),
  };
  let at = 0;
  for (let half = 0; half < lower.count; half++) {
    const last = lower.lastMode[half];
    for (let mode = last; mode >= least; mode--, at++) {
      passages.extendUp(level, mode, lower.data, half * size, next.data, at * size);
      next.lastMode[at] = mode;
      next.usedModes[at] = lower.usedModes[half] + (mode === last ? 0 : 2 ** mode);
      // Thresholds of the modes from this one on move up with s.
      for (let t = 0; t < own; t++) {
        next.thresholds[at * own + t] = t < modes - 1 - mode ? lower.thresholds[half * own + t] : level;
      }
    }
  }
  return next;
}
