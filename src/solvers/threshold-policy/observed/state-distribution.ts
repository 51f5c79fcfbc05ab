/**
 * Stationary distribution of the queue under a policy that has a mode for every state, and its measures: the block state
 * reduction of evaluation/stationary.ts, with rates up of its own. O(K·k_max·(W·M)³).
 */
import type { Poll } from '../../budget.ts';
import { rewardsOf, totalsOfCycle } from '../bounds/rewards.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import { blockSize, ratesUpByState, stationaryOf } from '../evaluation/stationary.ts';
import type { CostWeights, Totals } from '../model/measures.ts';
import type { Queue } from '../model/queue.ts';
import type { ModeByState } from './state-policy.ts';

/** The distribution, W·M entries for each of the levels 0..topLevel; sums to 1. */
export function distributionOfStates(queue: Queue, modes: ModeByState, poll?: Poll): Float64Array {
  return stationaryOf(queue, ratesUpByState(queue, modes), poll);
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
