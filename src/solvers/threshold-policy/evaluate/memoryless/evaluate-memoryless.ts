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
import { addState, noTotals } from '../chain/totals.ts';
import type { ModeOf } from '../chain/views.ts';
import { taggedPage } from './tagged-page.ts';

/** Rewards of a state that do not depend on the mode. */
interface LevelRewards {
  /** toBeServed[level·M + m]: expected number of the pages in the system that will be served: 1 + Σ_{j<i} v1_j(m). */
  readonly toBeServed: Float64Array;
  /** toExpire[level·M + m]: expected number of those that will expire: Σ_{j<i} v2_j(m). */
  readonly toExpire: Float64Array;
}

export interface MemorylessQueue {
  readonly queue: Queue;
  /** What evaluations may spend. */
  readonly budget: Budget;
  readonly rewards: LevelRewards;
}

export function memorylessQueue(queue: Queue, budget: Budget): MemorylessQueue {
  const phases = queue.service.phases;
  const page = taggedPage(queue, pollOf(budget, 'what becomes of the pages had not been computed'));
  const toBeServed = new Float64Array((queue.topLevel + 1) * phases);
  const toExpire = new Float64Array((queue.topLevel + 1) * phases);
  for (let level = 1; level <= queue.topLevel; level++) {
    for (let m = 0; m < phases; m++) {
      const at = level * phases + m;
      const found = at - phases;
      // The page that found level − 1 others is the last of this level.
      toBeServed[at] = toBeServed[found] + page.served[found];
      toExpire[at] = toExpire[found] + page.expired[found];
    }
  }
  return { queue, budget, rewards: { toBeServed, toExpire } };
}

/** Totals of a policy, first in first out, from its stationary distribution. */
export function totalsInOrder({ queue, rewards }: MemorylessQueue, modeOf: ModeOf, distribution: Float64Array): Totals {
  const n = blockSize(queue);
  const { phases } = queue.service;
  const expiry = obsolescenceRate(queue);
  const totals = noTotals();
  for (let level = 0; level <= queue.topLevel; level++) {
    for (let state = 0; state < n; state++) {
      const share = distribution[level * n + state];
      addState(totals, queue, level, state, modeOf(level, state), share);
      if (level === 0) continue;
      const at = level * phases + (state % phases);
      totals.obsolescenceRate += share * (level - 1) * expiry;
      totals.toBeServed += share * rewards.toBeServed[at];
      totals.toExpire += share * rewards.toExpire[at];
    }
  }
  return totals;
}

/**
 * Totals of one policy.
 *
 * @throws NothingToReturn when the budget ends during an evaluation that takes long
 */
export function evaluateMemoryless(prepared: MemorylessQueue, byLevel: ModeByLevel): Totals {
  const poll = pollOf(prepared.budget, 'a policy had not been measured');
  return totalsInOrder(prepared, (level) => byLevel[level], stationaryDistribution(prepared.queue, byLevel, poll));
}
