/** Evaluators for exponential (or no) obsolescence, by the level recursion: first in first out, and random pick-up. */
import { type Budget, pollOf } from '../../../budget.ts';
import type { Totals } from '../../../queue/measures.ts';
import { blockSize, type ModeByLevel, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import type { Evaluator } from '../chain/evaluator.ts';
import { stationaryDistribution } from '../chain/stationary.ts';
import type { LevelShares } from '../chain/views.ts';
import { evaluateMemoryless, type MemorylessQueue, totalsOfDistribution } from './evaluate-memoryless.ts';
import { fifoPageChain } from './fifo-page-chain.ts';
import { type RandomPage, randomPage } from './random-page.ts';
import { randomPageChain } from './random-page-chain.ts';

/** Number of (level, phase) states without phases of waiting pages, and the work of one evaluation. */
export function memorylessSize(queue: Queue): { readonly states: number; readonly work: number } {
  const n = blockSize(queue);
  return {
    states: queue.arrivalPhases + queue.topLevel * n,
    work: (queue.topLevel + 1) * (queue.largestBatch + 2) * n ** 3 * (queue.discipline === 'fifo' ? 1.5 : 4),
  };
}

function levelsOf(queue: Queue, byLevel: ModeByLevel, budget: Budget): LevelShares {
  const n = blockSize(queue);
  const distribution = stationaryDistribution(queue, byLevel, pollOf(budget, 'the policy had not been measured'));
  return Array.from({ length: queue.topLevel + 1 }, (_, level) => distribution.subarray(level * n, (level + 1) * n));
}

/** Exponential (or no) obsolescence, first in first out. */
export function memorylessFifo(prepared: MemorylessQueue): Evaluator {
  const { queue } = prepared;
  return {
    name: 'level-recursion',
    states: memorylessSize(queue).states,
    evaluate: (byLevel) => evaluateMemoryless(prepared, byLevel),
    shares: (byLevel, budget) => levelsOf(queue, byLevel, budget),
    pageChain(byLevel, budget) {
      const poll = pollOf(budget, 'the times of the pages had not been computed');
      const distribution = stationaryDistribution(queue, byLevel, poll);
      const { successRate } = totalsOfDistribution(prepared, byLevel, distribution);
      return fifoPageChain(queue, (level) => byLevel[level], distribution, successRate);
    },
  };
}

/** Mean numbers of the pages present that will be served, and that will expire, under random pick-up. */
export function fatesAtRandom(
  queue: Queue,
  distribution: Float64Array,
  page: RandomPage,
): Pick<Totals, 'toBeServed' | 'toExpire'> {
  const n = blockSize(queue);
  let toBeServed = 0;
  let toExpire = 0;
  for (let level = 1; level <= queue.topLevel; level++) {
    for (let at = level * n; at < (level + 1) * n; at++) {
      toBeServed += distribution[at] * (1 + (level - 1) * page.served[at]);
      toExpire += distribution[at] * (level - 1) * page.expired[at];
    }
  }
  return { toBeServed, toExpire: obsolescenceRate(queue) > 0 ? toExpire : 0 };
}

/** Exponential (or no) obsolescence, random pick-up. */
export function memorylessRandom(prepared: MemorylessQueue): Evaluator {
  const { queue } = prepared;
  const { states } = memorylessSize(queue);
  return {
    name: 'level-recursion-random',
    states,
    evaluate(byLevel) {
      const poll = pollOf(prepared.budget, 'a policy had not been measured');
      const distribution = stationaryDistribution(queue, byLevel, poll);
      const totals = totalsOfDistribution(prepared, byLevel, distribution);
      return { ...totals, ...fatesAtRandom(queue, distribution, randomPage(queue, byLevel, poll)) };
    },
    shares: (byLevel, budget) => levelsOf(queue, byLevel, budget),
    pageChain(byLevel, budget) {
      const poll = pollOf(budget, 'the times of the pages had not been computed');
      const distribution = stationaryDistribution(queue, byLevel, poll);
      const { successRate } = totalsOfDistribution(prepared, byLevel, distribution);
      return randomPageChain(queue, (level) => byLevel[level], distribution, successRate);
    },
  };
}
