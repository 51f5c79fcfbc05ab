/**
 * Stationary distribution of the queue under a policy that has a mode for every state, and its measures. Method: the
 * block state reduction of chain/stationary.ts, with rates up of its own. O(K·k_max·(W·M)³).
 */
import type { Poll } from '../../../budget.ts';
import type { CostWeights, Totals } from '../../../queue/measures.ts';
import { blockSize, type Queue } from '../../../queue/queue.ts';
import type { ModeByState } from '../../../queue/state-policy.ts';
import type { PageChain } from '../chain/page-chain.ts';
import { ratesUpByState, stationaryOf } from '../chain/stationary.ts';
import type { MemorylessQueue } from './evaluate-memoryless.ts';
import { fifoPageChain } from './fifo-page-chain.ts';
import { fatesAtRandom } from './memoryless-evaluators.ts';
import { randomPageOf } from './random-page.ts';
import { randomPageChain } from './random-page-chain.ts';
import { rewardsOf, totalsOfCycle } from './rewards.ts';

/** The distribution, W·M entries for each of the levels 0..topLevel; sums to 1. */
export function distributionOfStates(queue: Queue, modes: ModeByState, poll?: Poll): Float64Array {
  return stationaryOf(queue, ratesUpByState(queue, modes), poll);
}

/** Totals of the policy per unit of time. */
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
  const totals = { ...totalsOfCycle(cycle), queueLength };
  if (queue.discipline === 'fifo') return totals;
  return { ...totals, ...fatesAtRandom(queue, distribution, randomPageOf(queue, ratesUpByState(queue, modes))) };
}

/** What becomes of a page, jump by jump. */
export function pageChainOfStates(
  queue: Queue,
  modes: ModeByState,
  distribution: Float64Array,
  servedRate: number,
): PageChain {
  const n = blockSize(queue);
  const chain = queue.discipline === 'fifo' ? fifoPageChain : randomPageChain;
  return chain(queue, (level, state) => modes[level * n + state], distribution, servedRate);
}

/**
 * Mean crawlers at each queue length 0..K (above K with K), given that length; where it is never seen, over its states.
 *
 * @param tables each with its distribution and its share of time
 */
export function meanCrawlers(
  queue: Queue,
  tables: readonly { readonly share: number; readonly modes: ModeByState; readonly distribution: Float64Array }[],
): number[] {
  const n = blockSize(queue);
  return Array.from({ length: queue.capacity + 1 }, (_, level) => {
    let [seen, weighted, plain] = [0, 0, 0];
    for (const { share, modes, distribution } of tables) {
      for (let at = level * n; at < (level + 1) * n; at++) {
        const { crawlers } = queue.modes[modes[at]];
        seen += share * distribution[at];
        weighted += share * distribution[at] * crawlers;
        plain += (share * crawlers) / n;
      }
    }
    return seen > 0 ? weighted / seen : plain;
  });
}
