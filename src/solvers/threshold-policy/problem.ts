/** The problem: a queue, the price of what happens in it, and limits that the answer must keep. */
import type { Constraints, CostWeights } from '../queue/measures.ts';
import type { CrawlersByState, WrittenPolicy } from '../queue/policies.ts';
import type { QueueDescription } from '../queue/queue.ts';
import type { MeasureRequest } from './further-measures.ts';

export interface ThresholdPolicyProblem extends QueueDescription, MeasureRequest {
  readonly costs: CostWeights;
  readonly constraints?: Constraints | undefined;
  /** Evaluate this policy instead of searching. */
  readonly evaluate?: WrittenPolicy | { readonly crawlersByState: CrawlersByState } | undefined;
  /** What the controller sees when it chooses a mode: the queue's length alone (also when left out), or the phases too. */
  readonly observe?: 'queue-length' | 'phases' | undefined;
}
