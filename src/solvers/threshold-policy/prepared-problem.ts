/** A checked problem with its assembled queue, its evaluators and its constraints. Refuses what is too large. */
import type { Warning } from '../answer.ts';
import type { Budget } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { assembleQueue } from '../queue/assemble.ts';
import { type Constraints, constraintNames } from '../queue/measures.ts';
import { modesOfTable } from '../queue/policies.ts';
import { blockSize, type Queue } from '../queue/queue.ts';
import { LevelPolicyEvaluator } from './levels.ts';
import { pageOutcomesOf } from './page-chain.ts';
import { PhaseChain } from './phase-chain.ts';
import type { ThresholdPolicyProblem } from './problem.ts';

/** Most states the top level may have with obsolescence phases: its block is eliminated densely. */
const maxTopStates = 512;
/** Cells of the blocks and of the band, 8 bytes each. */
const maxCells = 30_000_000;

export interface PreparedProblem {
  readonly problem: ThresholdPolicyProblem;
  readonly queue: Queue;
  /** The queue for a controller that sees everything. */
  readonly chain: PhaseChain;
  readonly levels: LevelPolicyEvaluator;
  /** Elementary steps of measuring one policy. */
  readonly work: number;
  /** The limits to keep. */
  readonly constraints: Constraints;
  readonly warnings: readonly Warning[];
  readonly budget: Budget;
}

/** @throws ConditionNotMet for every condition of the model that is not met */
export function checkQueue(problem: ThresholdPolicyProblem) {
  const { queue, warnings } = assembleQueue(problem);
  const work = stepsOfEvaluation(queue);
  checkConditions(problem, queue);
  return { queue, warnings, work };
}

/** @throws ConditionNotMet as {@link checkQueue}; NothingToReturn when the budget ends first */
export function prepareProblem(problem: ThresholdPolicyProblem, budget: Budget): PreparedProblem {
  const { queue, warnings, work } = checkQueue(problem);
  const chain = new PhaseChain(queue, pageOutcomesOf(queue, budget), budget);
  return {
    problem,
    queue,
    chain,
    levels: new LevelPolicyEvaluator(chain, budget),
    work,
    constraints: problem.constraints ?? {},
    warnings,
    budget,
  };
}

/** Whether the controller of the problem sees the phases, not the queue length alone. */
export function seesPhases({ observe, evaluate }: ThresholdPolicyProblem): boolean {
  return observe === 'phases' || (evaluate !== undefined && 'crawlersByState' in evaluate);
}

/** Elementary steps of measuring one policy, roughly. @throws ConditionNotMet when the chain would be too large */
function stepsOfEvaluation(queue: Queue): number {
  const { capacity, topLevel, largestBatch, arrivalPhases: w } = queue;
  const n = blockSize(queue);
  const phases = queue.obsolescence?.phases ?? 1;
  const isWide = phases > 1;
  const topStates = (capacityLimit: number): number => n * phases ** (topLevel - capacity + capacityLimit - 1);
  const top = topStates(capacity);
  if (isWide && top > maxTopStates) {
    let largestCapacity = capacity;
    while (largestCapacity > 0 && topStates(largestCapacity) > maxTopStates) largestCapacity--;
    throw new ConditionNotMet(
      ['capacity'],
      'too-many-states',
      `is ${capacity}: with ${phases} obsolescence phases the longest queue has ${top} states; at most ${maxTopStates} are ` +
        `kept: ${largestCapacity >= 1 ? `reduce the capacity to ${largestCapacity}` : 'use fewer phases'}, or give exponential obsolescence (one phase)`,
    );
  }
  const states = isWide ? (top * phases) / (phases - 1) : topLevel * n + w;
  const width = isWide ? states : Math.min(states, (largestBatch + 2) * n);
  // Levels that share no moves with others keep them for every mode, arrival phase, batch and next arrival phase.
  const distinctLevels = isWide ? (topLevel * top) / n : Math.min(topLevel, largestBatch);
  const moves = distinctLevels * queue.modes.length * largestBatch * w ** 2;
  const cells = Math.ceil(states * (width + 2 * n + 20) + moves);
  if (cells > maxCells) {
    throw new ConditionNotMet(
      ['capacity'],
      'too-many-states',
      `is ${capacity}: ${Math.ceil(states)} states in blocks of ${n} (arrival phases × service phases), batches of up to ${largestBatch} ` +
        `and ${queue.modes.length} modes need ${cells} numbers; at most ${maxCells} are kept: reduce the capacity, the phases, ` +
        'the largest batch or the modes',
    );
  }
  return isWide ? 4 * top ** 3 : (topLevel + 1) * (largestBatch + 2) * n ** 3 * 1.5;
}

/** Refuses options that exclude each other. */
function checkConditions(problem: ThresholdPolicyProblem, queue: Queue): void {
  const { evaluate, constraints } = problem;
  if (!seesPhases(problem)) return;
  if (evaluate !== undefined && !('crawlersByState' in evaluate)) {
    refuse(['observe'], 'is phases, and the policy that is given goes by the queue length: leave one of them out');
  }
  if (queue.obsolescence !== null && queue.obsolescence.phases > 1) {
    refuse(
      evaluate === undefined ? ['observe'] : ['evaluate', 'crawlersByState'],
      'does not go with an obsolescence law of several phases: how soon pages expire then depends on the phase of every waiting ' +
        'page, which no controller sees, so that policy iteration over what it does see is not exact. Give an exponential law ' +
        'with the same mean, or null, and play the table that is answered under the law of several phases at simulations/queue',
    );
  }
  if (evaluate !== undefined) modesOfTable(queue, problem.service, evaluate.crawlersByState);
  else if (constraintNames.some((name) => constraints?.[name] !== undefined)) {
    refuse(
      ['constraints'],
      'does not go with observe phases: sweep the price of what is limited, and take the table that keeps the limit',
    );
  }
}

function refuse(path: readonly string[], message: string): never {
  throw new ConditionNotMet(path, 'not-applicable', message);
}
