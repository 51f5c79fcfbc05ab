/**
 * Which chain measures a policy: by discipline and by the phases of the obsolescence law. Refuses what would need more
 * states than are kept, with their number and the ways out.
 */
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import { blockSize, memorylessObsolescence, type PhaseType, type Queue } from '../../queue/queue.ts';
import type { Evaluator } from './chain/evaluator.ts';
import { countVectors } from './counted/phase-counts.ts';
import { type MemorylessQueue, memorylessQueue } from './memoryless/evaluate-memoryless.ts';
import { memorylessEvaluator, memorylessSize } from './memoryless/memoryless-evaluators.ts';
import { orderedCells, orderedFifo, orderedStates, orderedWork } from './ordered/ordered-evaluator.ts';

/** The most states of an ordered chain. */
const maxOrderedStates = 5_000_000;
/** The most elementary steps of one evaluation by the level recursion, which is not interrupted. */
const maxEvaluationWork = 5e9;
/** The most cells of the blocks of any chain: 8 bytes each, a few copies of them. */
export const maxCells = 30_000_000;
/** The most numbers in the list of the ways in which waiting pages fall into phases. */
const maxCountNumbers = 20_000_000;

/** What measuring one policy takes, without preparing it. */
interface EvaluationSize {
  readonly states: number;
  /** Elementary steps of one evaluation, roughly. */
  readonly work: number;
  /** Elementary steps before the first one. */
  readonly preparation: number;
}

/** @throws ConditionNotMet when the chain would be larger than is kept */
export function evaluationSize(queue: Queue): EvaluationSize {
  const law = queue.obsolescence;
  if (law === null || memorylessObsolescence(queue)) {
    checkMemoryless(queue);
    const preparation = queue.topLevel * queue.service.phases ** 3;
    return { ...memorylessSize(queue), preparation };
  }
  checkCounts(queue, law);
  const states = orderedStates(queue, law.phases);
  if (states > maxOrderedStates) {
    throw new ConditionNotMet(
      ['capacity'],
      'too-many-states',
      `is ${queue.capacity}: first in first out with ${law.phases} obsolescence phases needs ${states} states; at most ` +
        `${maxOrderedStates} are kept: reduce the capacity to ${largestCapacity(queue, law.phases)}, or give ` +
        'exponential obsolescence (one phase)',
    );
  }
  const cells = orderedCells(queue, law);
  if (cells > maxCells) {
    throw new ConditionNotMet(
      ['capacity'],
      'too-many-states',
      `is ${queue.capacity}: with blocks of ${blockSize(queue)} (arrival phases × service phases) the ordered phases need ` +
        `${cells} matrix cells; at most ${maxCells} are kept: use fewer phases, reduce the capacity, or give exponential obsolescence`,
    );
  }
  return { states, work: orderedWork(queue, law), preparation: 700 * states };
}

/** The vectors that count waiting pages by phase are listed: many phases make many of them even for short queues. */
function checkCounts(queue: Queue, law: PhaseType): void {
  let numbers = 0;
  for (let waiting = 0; waiting <= queue.topLevel; waiting++) numbers += countVectors(waiting, law.phases) * law.phases;
  if (numbers <= maxCountNumbers) return;
  throw new ConditionNotMet(
    ['obsolescence'],
    'too-many-states',
    `has ${law.phases} phases: up to ${queue.topLevel} waiting pages fall into them in ways that take ${numbers} numbers to ` +
      `list; at most ${maxCountNumbers} are kept: use fewer phases or a smaller capacity`,
  );
}

/** @throws ConditionNotMet as {@link evaluationSize} */
export function chooseEvaluator(
  queue: Queue,
  budget: Budget,
): { readonly evaluator: Evaluator; readonly size: EvaluationSize; readonly prepared: MemorylessQueue | null } {
  const size = evaluationSize(queue);
  const law = queue.obsolescence;
  if (law === null || memorylessObsolescence(queue)) {
    const prepared = memorylessQueue(queue, budget);
    return { prepared, size, evaluator: memorylessEvaluator(prepared) };
  }
  return { prepared: null, size, evaluator: orderedFifo(queue, law, budget) };
}

function checkMemoryless(queue: Queue): void {
  const n = blockSize(queue);
  const cells = (queue.topLevel + 1) * n * (2 * n + 8 * queue.modes.length);
  if (cells > maxCells) {
    throw new ConditionNotMet(
      ['capacity'],
      'too-many-states',
      `is ${queue.capacity}: ${(queue.topLevel + 1) * n} states in blocks of ${n} (arrival phases × service phases) and ${queue.modes.length} ` +
        `modes need ${cells} numbers; at most ${maxCells} are kept: reduce the capacity, the phases or the modes`,
    );
  }
  const { work } = memorylessSize(queue);
  if (work <= maxEvaluationWork) return;
  throw new ConditionNotMet(
    ['capacity'],
    'too-much-work',
    `is ${queue.capacity}: with ${(queue.topLevel + 1) * n} states in blocks of ${n} and batches of up to ${queue.largestBatch} one policy takes ` +
      `${work.toExponential(1)} steps to measure; at most ${maxEvaluationWork.toExponential(1)} are accepted: reduce the capacity, the phases or ` +
      'the largest batch',
  );
}

function largestCapacity(queue: Queue, phases: number): number {
  for (let capacity = queue.capacity - 1; capacity > 1; capacity--) {
    const topLevel = queue.topLevel - queue.capacity + capacity;
    if (orderedStates({ ...queue, topLevel }, phases) <= maxOrderedStates) return capacity;
  }
  return 1;
}
