/** What is asked of the solver: a queue, the price of what happens in it, and what the answer must keep. */
import type { Constraints, CostWeights } from './model/measures.ts';
import type { WrittenPolicy } from './model/policy-input.ts';
import type { QueueDescription } from './model/queue.ts';

/**
 * `auto` proves the optimum, by looking at every policy or by branch and bound; `enumerate` looks at every policy; `local`
 * climbs down from the best fixed mode, without a proof.
 */
export type SearchKind = 'auto' | 'enumerate' | 'local';

export interface ThresholdPolicyProblem extends QueueDescription {
  readonly costs: CostWeights;
  readonly constraints?: Constraints | undefined;
  /** Evaluate this policy instead of searching. */
  readonly policy?: WrittenPolicy | undefined;
  /** Probabilities at which quantiles of the response time are wanted, each in (0, 1). */
  readonly quantiles?: readonly number[] | undefined;
  readonly search?: SearchKind | undefined;
}
