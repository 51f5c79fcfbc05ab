/**
 * Which chain measures a policy: by discipline and by the phases of the obsolescence law. Refuses what would need more
 * states than are kept, with their number and the ways out.
 */
import type { Budget } from '../budget.ts';
import { type MemorylessQueue, memorylessQueue } from './evaluate-memoryless.ts';
import { type Evaluator, memorylessFifo, memorylessRandom } from './evaluator.ts';
import { memorylessObsolescence, type Queue } from './queue.ts';

export function chooseEvaluator(
  queue: Queue,
  _budget: Budget,
): { readonly evaluator: Evaluator; readonly prepared: MemorylessQueue | null } {
  if (memorylessObsolescence(queue)) {
    const prepared = memorylessQueue(queue);
    return { prepared, evaluator: queue.discipline === 'fifo' ? memorylessFifo(prepared) : memorylessRandom(prepared) };
  }
  throw new Error('phases of waiting pages');
}
