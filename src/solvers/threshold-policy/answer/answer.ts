/** The answer as the contract has it: the policy in the caller's terms, its measures, and what stands beside it. */
import { type Objective, provedWithin, type Status, type Warning } from '../../answer.ts';
import type { FixedMode } from '../evaluate/fixed-modes.ts';
import type { ThresholdPolicyConflict } from './conflict.ts';
import type { PolicySolution } from './policy-solution.ts';
import type { Subset } from './subsets.ts';

/** The relative gap up to which an answer is called optimal. */
export const provedGap = 1e-6;

/** What stands beside the solution. */
export interface BesidePolicy {
  /** What a policy of the caller's does; it stands in place of the solution. */
  readonly evaluation?: PolicySolution | undefined;
  readonly fixedModes: readonly FixedMode[];
  /** Where every policy was looked at. */
  readonly subsets?: readonly Subset[] | undefined;
  /** 1 − C* / (best fixed mode that keeps the constraints); null when no fixed mode does. */
  readonly relativeProfit?: number | null | undefined;
  /** The best policy found that sees the queue's length alone, where the answer sees more. */
  readonly byQueueLength?: { readonly crawlersByQueueLength: readonly number[]; readonly cost: number } | undefined;
}

export interface ThresholdPolicyAnswer {
  readonly status: Status;
  /** The cost per unit of time, and what no policy can beat; absent when infeasible. */
  readonly objective?: Objective;
  readonly solution?: PolicySolution;
  readonly beside: BesidePolicy;
  readonly conflict?: ThresholdPolicyConflict;
  readonly warnings: readonly Warning[];
  readonly statistics: { readonly solver: string } & Readonly<Record<string, number | string>>;
}

/**
 * A cost with what is proved of it. Rounding differs from search to search: a bound never stands above its value. No
 * cost is negative, and no bound.
 */
export const reached = (cost: number, bound: number | null) =>
  provedWithin(provedGap, cost, bound === null ? null : Math.min(Math.max(0, bound), cost));
