/** The evaluator for exponential (or no) obsolescence: the level recursion. */
import { pollOf } from '../../../budget.ts';
import { blockSize, type Queue } from '../../../queue/queue.ts';
import type { Evaluator } from '../chain/evaluator.ts';
import { ratesUpByLevel, stationaryDistribution, stationaryOf } from '../chain/stationary.ts';
import { sharesOfLevels } from '../chain/views.ts';
import { evaluateMemoryless, type MemorylessQueue } from './evaluate-memoryless.ts';
import { fifoPageChain } from './fifo-page-chain.ts';

/** Number of (level, phase) states without phases of waiting pages, and the work of one evaluation. */
export function memorylessSize(queue: Queue): { readonly states: number; readonly work: number } {
  const n = blockSize(queue);
  return {
    states: queue.arrivalPhases + queue.topLevel * n,
    work: (queue.topLevel + 1) * (queue.largestBatch + 2) * n ** 3 * 1.5,
  };
}

export function memorylessEvaluator(prepared: MemorylessQueue): Evaluator {
  const { queue } = prepared;
  return {
    name: 'level-recursion',
    states: memorylessSize(queue).states,
    evaluate: (byLevel) => evaluateMemoryless(prepared, byLevel),
    shares: (byLevel, budget) =>
      sharesOfLevels(queue, stationaryDistribution(queue, byLevel, pollOf(budget, 'a policy had not been measured'))),
    pageChain(byLevel, budget) {
      const up = ratesUpByLevel(queue, byLevel);
      const poll = pollOf(budget, 'the times of the pages had not been computed');
      return fifoPageChain(queue, up.modeOf, stationaryOf(queue, up, poll));
    },
  };
}
