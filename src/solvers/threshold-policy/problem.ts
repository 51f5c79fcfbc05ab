/** The problem: a queue, the price of what happens in it, and limits that the answer must keep. */
import type { Constraints, CostWeights } from '../queue/measures.ts';
import type { CrawlersByState, WrittenPolicy } from '../queue/policies.ts';
import type { QueueDescription } from '../queue/queue.ts';
import type { MeasureRequest } from './further-measures.ts';

/** What the controller sees when it chooses a mode: the queue's length alone, or the phases too. */
export type Observation = 'queue-length' | 'phases';

export interface ThresholdPolicyProblem extends QueueDescription, MeasureRequest {
  readonly costs: CostWeights;
  readonly constraints?: Constraints | undefined;
  /** Evaluate this policy instead of searching. */
  readonly evaluate?: WrittenPolicy | { readonly crawlersByState: CrawlersByState } | undefined;
  /** `queue-length` when left out. */
  readonly observe?: Observation | undefined;
}
