/** What every search is given, and what it gives back. */
import type { Budget } from '../../budget.ts';
import type { Constraints, CostWeights } from '../../queue/measures.ts';
import type { ModeByLevel, Queue } from '../../queue/queue.ts';
import type { Evaluator } from '../evaluate/chain/evaluator.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import type { Tally } from './tally.ts';

export interface SearchSetting {
  readonly queue: Queue;
  readonly evaluator: Evaluator;
  /** Present when obsolescence is exponential or absent. */
  readonly prepared: MemorylessQueue | null;
  readonly costs: CostWeights;
  readonly constraints: Constraints | null;
  readonly budget: Budget;
}

export interface SearchResult {
  readonly solver: string;
  /** Null when no policy was found that keeps the constraints. */
  readonly byLevel: ModeByLevel | null;
  /** Proved lower bound on the cost; null when none is known. Infinite: proved that nothing keeps the constraints. */
  readonly bound: number | null;
  readonly tally: Tally;
  /** Every threshold vector was looked at. */
  readonly enumerated: boolean;
  readonly statistics: Readonly<Record<string, number>>;
}
