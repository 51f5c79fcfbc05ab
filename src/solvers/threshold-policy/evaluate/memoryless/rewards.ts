/**
 * Reward columns: what a state earns per unit of time in each mode. They are the linear part of the cost, pages present
 * that will be served, service ends, and time.
 *
 * A policy's cost is cost/time + a·toBeServed/serviceEnds of its totals over a regeneration cycle.
 */

import type { CostWeights } from '../../../queue/measures.ts';
import { blockSize, obsolescenceRate } from '../../../queue/queue.ts';
import type { MemorylessQueue } from './evaluate-memoryless.ts';

/** Weights of the four cost columns: linear cost, pages to be served, service ends, time. */
export type Weights = readonly [number, number, number, number];

export interface Rewards {
  readonly columns: number;
  /** table[mode][level]: (W·M)×columns. */
  readonly table: readonly (readonly Float64Array[])[];
}

export function rewardsOf(prepared: MemorylessQueue, costs: CostWeights): Rewards {
  const { queue, rewards } = prepared;
  const n = blockSize(queue);
  const phases = queue.service.phases;
  const expiry = obsolescenceRate(queue);
  const columns = 4;
  const table = queue.modes.map(({ crawlers }, mode) =>
    Array.from({ length: queue.topLevel + 1 }, (_, level) => {
      const block = new Float64Array(n * columns);
      const { lossRate } = queue.arrivals[mode][level];
      for (let state = 0; state < n; state++) {
        const m = state % phases;
        const at = state * columns;
        const loss = lossRate[Math.floor(state / phases)];
        const expiring = level > 0 ? (level - 1) * expiry : 0;
        const starving = level === 0 ? 1 : 0;
        const toBeServed = rewards.toBeServed[level * phases + m];
        const serviceEnds = level > 0 ? queue.service.exit[m] : 0;
        block[at] =
          costs.loss * loss + costs.obsolescence * expiring + costs.crawler * crawlers + costs.starvation * starving;
        block[at + 1] = toBeServed;
        block[at + 2] = serviceEnds;
        block[at + 3] = 1;
      }
      return block;
    }),
  );
  return { columns, table };
}
