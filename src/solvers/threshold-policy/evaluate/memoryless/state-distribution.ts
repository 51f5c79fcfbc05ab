/**
 * Stationary distribution of the queue under a policy that has a mode for every state, and its measures. Method: the
 * block state reduction of chain/stationary.ts, with rates up of its own. O(K·k_max·(W·M)³).
 */
import type { Poll } from '../../../budget.ts';
import type { Totals } from '../../../queue/measures.ts';
import { blockSize, type Queue } from '../../../queue/queue.ts';
import type { ModeByState } from '../../../queue/state-policy.ts';
import { ratesUpByState, stationaryOf } from '../chain/stationary.ts';
import { type MemorylessQueue, totalsInOrder } from './evaluate-memoryless.ts';

/** The distribution, W·M entries for each of the levels 0..topLevel; sums to 1. */
export function distributionOfStates(queue: Queue, modes: ModeByState, poll?: Poll): Float64Array {
  return stationaryOf(queue, ratesUpByState(queue, modes), poll);
}

/** Totals of the policy per unit of time, from its distribution where that is known. */
export function totalsOfStates(
  prepared: MemorylessQueue,
  modes: ModeByState,
  distribution: Float64Array = distributionOfStates(prepared.queue, modes),
): Totals {
  return totalsInOrder(prepared, ratesUpByState(prepared.queue, modes).modeOf, distribution);
}

/** Mean crawlers at each queue length 0..K (above K with K), given that length; where it is never seen, over its states. */
export function meanCrawlers(queue: Queue, modes: ModeByState, distribution: Float64Array): number[] {
  const n = blockSize(queue);
  return Array.from({ length: queue.capacity + 1 }, (_, level) => {
    let [seen, weighted, plain] = [0, 0, 0];
    for (let at = level * n; at < (level + 1) * n; at++) {
      const { crawlers } = queue.modes[modes[at]];
      seen += distribution[at];
      weighted += distribution[at] * crawlers;
      plain += crawlers / n;
    }
    return seen > 0 ? weighted / seen : plain;
  });
}
