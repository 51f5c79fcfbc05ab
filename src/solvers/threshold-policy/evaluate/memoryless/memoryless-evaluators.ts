/** Evaluators for exponential (or no) obsolescence, by the level recursion: first in first out, and random pick-up. */
import { type Poll, pollOf } from '../../../budget.ts';
import type { Totals } from '../../../queue/measures.ts';
import { onePhase } from '../../../queue/phase-type.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import type { Evaluator } from '../chain/evaluator.ts';
import type { PageChain } from '../chain/page-chain.ts';
import { type RatesUp, ratesUpByLevel, stationaryDistribution, stationaryOf } from '../chain/stationary.ts';
import { sharesOfLevels } from '../chain/views.ts';
import { CountIndex } from '../counted/phase-counts.ts';
import { taggedPageChain } from '../counted/tagged-count-chain.ts';
import { type MemorylessQueue, totalsInOrder } from './evaluate-memoryless.ts';
import { fifoPageChain } from './fifo-page-chain.ts';
import { type RandomPage, randomPageOf } from './random-page.ts';

/** Number of (level, phase) states without phases of waiting pages, and the work of one evaluation. */
export function memorylessSize(queue: Queue): { readonly states: number; readonly work: number } {
  const n = blockSize(queue);
  return {
    states: queue.arrivalPhases + queue.topLevel * n,
    work: (queue.topLevel + 1) * (queue.largestBatch + 2) * n ** 3 * (queue.discipline === 'fifo' ? 1.5 : 4),
  };
}

/** Mean numbers of the pages present that will be served, and that will expire, under random pick-up. */
function fatesAtRandom(
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

/** Totals of a policy under the queue's discipline, from its stationary distribution. */
export function totalsOfPolicy(
  prepared: MemorylessQueue,
  up: RatesUp,
  distribution: Float64Array,
  poll?: Poll,
): Totals {
  const { queue } = prepared;
  const totals = totalsInOrder(prepared, up.modeOf, distribution);
  if (queue.discipline === 'fifo') return totals;
  return { ...totals, ...fatesAtRandom(queue, distribution, randomPageOf(queue, up, poll)) };
}

/** What becomes of a page under a policy, jump by jump; under random pick-up: by counts of phases, of which one is. */
export function pageChainOf(queue: Queue, { modeOf }: RatesUp, distribution: Float64Array): PageChain {
  if (queue.discipline === 'fifo') return fifoPageChain(queue, modeOf, distribution);
  const counted = { queue, law: onePhase(obsolescenceRate(queue)), index: new CountIndex(1, queue.topLevel) };
  return taggedPageChain(counted, modeOf, sharesOfLevels(queue, distribution));
}

export function memorylessEvaluator(prepared: MemorylessQueue): Evaluator {
  const { queue } = prepared;
  const unfinished = 'a policy had not been measured';
  return {
    name: queue.discipline === 'fifo' ? 'level-recursion' : 'level-recursion-random',
    states: memorylessSize(queue).states,
    evaluate(byLevel) {
      const poll = pollOf(prepared.budget, unfinished);
      const up = ratesUpByLevel(queue, byLevel);
      return totalsOfPolicy(prepared, up, stationaryOf(queue, up, poll), poll);
    },
    shares: (byLevel, budget) =>
      sharesOfLevels(queue, stationaryDistribution(queue, byLevel, pollOf(budget, unfinished))),
    pageChain(byLevel, budget) {
      const up = ratesUpByLevel(queue, byLevel);
      const distribution = stationaryOf(queue, up, pollOf(budget, 'the times of the pages had not been computed'));
      return pageChainOf(queue, up, distribution);
    },
  };
}
