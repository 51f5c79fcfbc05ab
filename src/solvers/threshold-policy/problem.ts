/** What is asked of the solver: a queue, the price of what happens in it, and what the answer must keep. */
import type { FrontCriterion } from './answer.ts';
import type { MeasureKind } from './model/further-measures.ts';
import type { Constraints, CostWeights } from './model/measures.ts';
import type { WrittenPolicy } from './model/policy-input.ts';
import type { QueueDescription } from './model/queue.ts';
import type { CrawlersByState } from './observed/state-policy.ts';

/**
 * `auto` proves the optimum, by looking at every policy or by branch and bound; `enumerate` looks at every policy;
 * `local` climbs down from the best fixed mode, without a proof.
 */
export type SearchKind = 'auto' | 'enumerate' | 'local';

/** What the controller sees beside the queue's length when it chooses a mode. */
export type Observation = 'queue-length' | 'phases' | 'arrival-phase' | 'service-phase';

export interface ThresholdPolicyProblem extends QueueDescription {
  readonly costs: CostWeights;
  readonly constraints?: Constraints | undefined;
  /** Evaluate this policy instead of searching. */
  readonly policy?: WrittenPolicy | { readonly crawlersByState: CrawlersByState } | undefined;
  /** Probabilities at which quantiles of the response time are wanted, each in (0, 1). */
  readonly quantiles?: readonly number[] | undefined;
  /** `queue-length` when left out. */
  readonly observe?: Observation | undefined;
  /** With phases observed: what to do where they are not seen, and how often that is played. */
  readonly filter?: { readonly replications: number; readonly horizon?: number | undefined } | undefined;
  /** Measures wanted beyond the usual ones. */
  readonly measures?: readonly MeasureKind[] | undefined;
  /** Times at which the laws of the pages' times are wanted, each 0 or more; with `measures` response or expired. */
  readonly times?: readonly number[] | undefined;
  /** Points at which their transforms are wanted, each 0 or more. */
  readonly transformAt?: readonly number[] | undefined;
  readonly search?: SearchKind | undefined;
  /** Answer the Pareto front between two or three criteria as well. */
  readonly front?: { readonly criteria: readonly FrontCriterion[] } | undefined;
}
