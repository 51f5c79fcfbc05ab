/**
 * Measures of one policy with exponential (or no) obsolescence, first in first out.
 *
 * The numbers per state that a stationary distribution is weighed with (`rewards`) are prepared once for a queue. They
 * serve single evaluations, the exhaustive search and the bounds alike. Cost of one evaluation: O(K·k_max·(W·M)³).
 */
import { type Budget, pollOf } from '../../../budget.ts';
import type { Totals } from '../../../queue/measures.ts';
import { blockSize, type ModeByLevel, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import { stationaryDistribution } from '../chain/stationary.ts';
import { type TaggedPage, taggedPage } from './tagged-page.ts';

/** Rewards of a state that do not depend on the mode. */
export interface LevelRewards {
  /** toBeServed[level·M + m]: expected number of the pages in the system that will be served: 1 + Σ_{j<i} v1_j(m). */
  readonly toBeServed: Float64Array;
  /** toExpire[level·M + m]: expected number of those that will expire: Σ_{j<i} v2_j(m). */
  readonly toExpire: Float64Array;
}

export interface MemorylessQueue {
  readonly queue: Queue;
  /** What evaluations may spend. */
  readonly budget: Budget;
  readonly tagged: TaggedPage;
  readonly rewards: LevelRewards;
}

export function memorylessQueue(queue: Queue, budget: Budget): MemorylessQueue {
  const phases = queue.service.phases;
  const tagged = taggedPage(queue, pollOf(budget, 'what becomes of the pages had not been computed'));
  const toBeServed = new Float64Array((queue.topLevel + 1) * phases);
  const toExpire = new Float64Array((queue.topLevel + 1) * phases);
  for (let level = 1; level <= queue.topLevel; level++) {
    for (let m = 0; m < phases; m++) {
      const at = level * phases + m;
      const found = at - phases;
      // The page that found level − 1 others is the last of this level.
      toBeServed[at] = toBeServed[found] + tagged.served[found];
      toExpire[at] = toExpire[found] + tagged.expired[found];
    }
  }
  return { queue, budget, tagged, rewards: { toBeServed, toExpire } };
}

/** Totals of a policy from its stationary distribution. */
export function totalsOfDistribution(
  prepared: MemorylessQueue,
  byLevel: ModeByLevel,
  distribution: Float64Array,
): Totals {
  const { queue, rewards } = prepared;
  const n = blockSize(queue);
  const phases = queue.service.phases;
  const expiry = obsolescenceRate(queue);
  let lossRate = 0;
  let obsolescence = 0;
  let starvationProbability = 0;
  let activeCrawlers = 0;
  let toBeServed = 0;
  let toExpire = 0;
  let successRate = 0;
  let queueLength = 0;
  for (let level = 0; level <= queue.topLevel; level++) {
    const { crawlers } = queue.modes[byLevel[level]];
    const loss = queue.arrivals[byLevel[level]][level].lossRate;
    for (let state = 0; state < n; state++) {
      const share = distribution[level * n + state];
      const m = state % phases;
      lossRate += share * loss[Math.floor(state / phases)];
      activeCrawlers += share * crawlers;
      if (level === 0) {
        starvationProbability += share;
        continue;
      }
      obsolescence += share * (level - 1) * expiry;
      queueLength += share * level;
      successRate += share * queue.service.exit[m];
      toBeServed += share * rewards.toBeServed[level * phases + m];
      toExpire += share * rewards.toExpire[level * phases + m];
    }
  }
  return {
    lossRate,
    obsolescenceRate: obsolescence,
    starvationProbability,
    activeCrawlers,
    toBeServed,
    toExpire,
    successRate,
    queueLength,
  };
}

/**
 * Totals of one policy.
 *
 * @throws NothingToReturn when the budget ends during an evaluation that takes long
 */
export function evaluateMemoryless(prepared: MemorylessQueue, byLevel: ModeByLevel): Totals {
  const poll = pollOf(prepared.budget, 'a policy had not been measured');
  return totalsOfDistribution(prepared, byLevel, stationaryDistribution(prepared.queue, byLevel, poll));
}
