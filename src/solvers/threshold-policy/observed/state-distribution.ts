/**
 * Stationary distribution of the queue under a policy that has a mode for every state, and its measures: the block state
 * reduction of evaluation/stationary.ts with rates up whose rows belong to different modes. O(K·k_max·(W·M)³).
 */
import type { Poll } from '../../budget.ts';
import { addProduct, solveByStateReduction, stationaryByStateReduction } from '../../numerics/linear/small-matrices.ts';
import { rewardsOf, totalsOfCycle } from '../bounds/rewards.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import { addDownProduct, addServiceRates, blockSize } from '../evaluation/stationary.ts';
import type { CostWeights, Totals } from '../model/measures.ts';
import type { Queue } from '../model/queue.ts';
import type { ModeByState } from './state-policy.ts';

/** Shares beyond which the recursion upwards is scaled back. */
const large = 1e200;

/** The distribution, W·M entries for each of the levels 0..topLevel; sums to 1. */
export function distributionOfStates(queue: Queue, modes: ModeByState, poll?: Poll): Float64Array {
  const { topLevel, largestBatch } = queue;
  const n = blockSize(queue);
  const size = n * n;
  const identity = new Float64Array(size);
  for (let i = 0; i < n; i++) identity[i * n + i] = 1;
  const ones = new Float64Array(n).fill(1);
  // down[i]: passage from level i + 1 to level i; inverse[i]: (−T_i)⁻¹.
  const down = new Float64Array(topLevel * size);
  const inverse = new Float64Array((topLevel + 1) * size);
  const rates = new Float64Array(size);
  const carried = new Float64Array(size);
  const exit = new Float64Array(n);
  for (let level = topLevel; level >= 0; level--) {
    rates.fill(0);
    for (let step = Math.min(largestBatch, topLevel - level); step >= 0; step--) {
      poll?.(size * n);
      for (let i = 0; i < n; i++) addUp(queue, modes, level, i, step, 1, rates, i * n);
      if (step === 0) break;
      carried.fill(0);
      addProduct(carried, 0, rates, 0, down, (level + step - 1) * size, n, n, n);
      rates.set(carried);
    }
    if (level === 0) break;
    addServiceRates(queue, rates);
    exit.fill(0);
    addDownProduct(queue, level, exit, 0, ones, 0, 1);
    const here = inverse.subarray(level * size, (level + 1) * size);
    here.set(identity);
    solveByStateReduction(rates, exit, here, n, n, poll);
    carried.fill(0);
    addDownProduct(queue, level, carried, 0, identity, 0, n);
    addProduct(down, (level - 1) * size, here, 0, carried, 0, n, n, n);
  }
  const distribution = new Float64Array((topLevel + 1) * n);
  const first = new Float64Array(n);
  stationaryByStateReduction(rates, first, n);
  distribution.set(first);
  const inflow = new Float64Array((topLevel + 1 + largestBatch) * n);
  const moving = new Float64Array(n);
  const next = new Float64Array(n);
  for (let level = 0; level <= topLevel; level++) {
    const at = level * n;
    if (level > 0) addProduct(distribution, at, inflow, at, inverse, level * size, 1, n, n);
    moving.fill(0);
    for (let step = Math.min(largestBatch, topLevel - level); step > 0; step--) {
      for (let i = 0; i < n; i++) addUp(queue, modes, level, i, step, distribution[at + i], moving, 0);
      for (let i = 0; i < n; i++) inflow[(level + step) * n + i] += moving[i];
      if (step === 1) break;
      next.fill(0);
      addProduct(next, 0, moving, 0, down, (level + step - 1) * size, 1, n, n);
      moving.set(next);
    }
    scaleBack(distribution, inflow, at, at + n);
  }
  let total = 0;
  for (const share of distribution) total += share;
  for (let i = 0; i < distribution.length; i++) distribution[i] /= total;
  return distribution;
}

/** out += weight·(rates from `state` of a level to the states `step` levels up), in the mode of the state. */
function addUp(
  queue: Queue,
  modes: ModeByState,
  level: number,
  state: number,
  step: number,
  weight: number,
  out: Float64Array,
  at: number,
): void {
  const { arrivalPhases } = queue;
  const { phases } = queue.service;
  const { blocks } = queue.arrivals[modes[level * arrivalPhases * phases + state]][level];
  if (step >= blocks.length) return;
  const m = state % phases;
  const row = ((state - m) / phases) * arrivalPhases;
  for (let to = 0; to < arrivalPhases; to++) out[at + to * phases + m] += weight * blocks[step][row + to];
}

function scaleBack(distribution: Float64Array, inflow: Float64Array, begin: number, end: number): void {
  let largest = 0;
  for (let i = begin; i < end; i++) if (distribution[i] > largest) largest = distribution[i];
  if (largest <= large) return;
  for (let i = 0; i < end; i++) distribution[i] /= large;
  for (let i = 0; i < inflow.length; i++) inflow[i] /= large;
}

/** Totals of the policy per unit of time, first in first out. */
export function totalsOfStates(
  prepared: MemorylessQueue,
  costs: CostWeights,
  modes: ModeByState,
  distribution: Float64Array,
): Totals {
  const { queue } = prepared;
  const n = blockSize(queue);
  const { table, columns } = rewardsOf(prepared, costs, 'measures');
  const cycle = new Float64Array(columns);
  let queueLength = 0;
  for (let level = 0; level <= queue.topLevel; level++) {
    for (let state = 0; state < n; state++) {
      const at = level * n + state;
      const reward = table[modes[at]][level];
      for (let c = 0; c < columns; c++) cycle[c] += distribution[at] * reward[state * columns + c];
      queueLength += distribution[at] * level;
    }
  }
  return { ...totalsOfCycle(cycle), queueLength };
}

/** Mean crawlers at each queue length 0..K (above K with K), given that length; where it is never seen, over its states. */
export function meanCrawlers(queue: Queue, modes: ModeByState, distribution: Float64Array): number[] {
  const n = blockSize(queue);
  return Array.from({ length: queue.capacity + 1 }, (_, level) => {
    let [share, weighted, plain] = [0, 0, 0];
    for (let at = level * n; at < (level + 1) * n; at++) {
      const { crawlers } = queue.modes[modes[at]];
      share += distribution[at];
      weighted += distribution[at] * crawlers;
      plain += crawlers / n;
    }
    return share > 0 ? weighted / share : plain;
  });
}
