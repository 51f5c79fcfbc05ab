/**
 * Stationary distribution of the queue under a policy that has a mode for every state, and its measures: the block state
 * reduction of evaluation/stationary.ts, with rates up of its own. O(K·k_max·(W·M)³).
 */
import type { Poll } from '../../budget.ts';
import { rewardsOf, totalsOfCycle } from '../bounds/rewards.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import { blockSize, type RatesUp, stationaryOf } from '../evaluation/stationary.ts';
import type { CostWeights, Totals } from '../model/measures.ts';
import type { Queue } from '../model/queue.ts';
import type { ModeByState } from './state-policy.ts';

/** The distribution, W·M entries for each of the levels 0..topLevel; sums to 1. */
export function distributionOfStates(queue: Queue, modes: ModeByState, poll?: Poll): Float64Array {
  return stationaryOf(queue, ratesUpByState(queue, modes), poll);
}

/** Rates up whose rows belong to different modes. */
function ratesUpByState(queue: Queue, modes: ModeByState): RatesUp {
  const { arrivalPhases, arrivals, largestBatch, topLevel } = queue;
  const { phases } = queue.service;
  const n = blockSize(queue);
  const addRow = (at: number, step: number, weight: number, out: Float64Array, outAt: number): void => {
    const state = at % n;
    const { blocks } = arrivals[modes[at]][(at - state) / n];
    if (step >= blocks.length) return;
    const m = state % phases;
    const row = ((state - m) / phases) * arrivalPhases;
    for (let to = 0; to < arrivalPhases; to++) out[outAt + to * phases + m] += weight * blocks[step][row + to];
  };
  return {
    steps: (level) => Math.min(largestBatch, topLevel - level),
    addRates(level, step, rates) {
      for (let i = 0; i < n; i++) addRow(level * n + i, step, 1, rates, i * n);
    },
    addFlow(level, step, distribution, out) {
      for (let i = 0; i < n; i++) addRow(level * n + i, step, distribution[level * n + i], out, 0);
    },
  };
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
