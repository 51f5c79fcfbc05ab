/** A problem made ready: its queue, what measures a policy, and what is to be kept. */
import type { Warning } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import type { Constraints } from '../../queue/measures.ts';
import type { Queue } from '../../queue/queue.ts';
import type { Evaluator } from '../evaluate/chain/evaluator.ts';
import { type FixedMode, measureFixedModes } from '../evaluate/fixed-modes.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import type { ThresholdPolicyProblem } from '../problem.ts';

export interface Question {
  readonly problem: ThresholdPolicyProblem;
  readonly queue: Queue;
  readonly evaluator: Evaluator;
  /** Elementary steps of measuring one policy. */
  readonly work: number;
  /** Present when obsolescence is exponential or absent. */
  readonly memoryless: MemorylessQueue | null;
  /** The limits to keep; null where there are none. */
  readonly constraints: Constraints | null;
  readonly warnings: readonly Warning[];
  readonly budget: Budget;
}

/** A question about tables by phases, which go with exponential or no obsolescence alone. */
export type TableQuestion = Question & { readonly memoryless: MemorylessQueue };

/** What each mode does when it is always on. */
export function fixedModesOf({ problem, queue, evaluator, work, budget }: Question): FixedMode[] {
  return measureFixedModes({ queue, evaluator, work, costs: problem.costs, budget });
}
