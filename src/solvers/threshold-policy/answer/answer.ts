/** The answer as the contract has it: the policy in the caller's terms, its measures, and what stands beside it. */
import { type Objective, provedWithin, type Status, type Warning } from '../../answer.ts';
import type { ListedVertex } from '../../numerics/search/front-weights.ts';
import type { Constraints, Measures } from '../../queue/measures.ts';
import type { CrawlersByState } from '../../queue/state-policy.ts';
import type { FixedMode } from '../evaluate/fixed-modes.ts';
import type { FrontCriterion } from '../problem.ts';
import type { ThresholdPolicyConflict } from './conflict.ts';
import type { PlayedFilter } from './played-filter.ts';
import type { PolicySolution } from './policy-solution.ts';
import type { Subset } from './subsets.ts';

/** The relative gap up to which an answer is called optimal. */
export const provedGap = 1e-6;

/** A table that is followed for a share of the time. */
export interface SharedTable {
  readonly share: number;
  readonly table: CrawlersByState['table'];
  readonly cost: number;
  readonly measures: Measures;
}

/** One state of a table in which the count is drawn whenever the state is entered. */
export interface DrawnState {
  readonly queueLength: number;
  /** Arrival phase and service phase, as the caller numbers them; in an empty system the second is of no account. */
  readonly phases: readonly number[];
  /** This count in place of the table's … */
  readonly crawlers: number;
  /** … with this probability. */
  readonly probability: number;
}

export type ThresholdFrontPoint = ListedVertex<
  FrontCriterion,
  Pick<PolicySolution, 'crawlersByQueueLength' | 'modes' | 'thresholds' | 'crawlersByState'>
>;

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
  /** With limits and phases in sight, where no single table is best: the tables whose mixture in time is. */
  readonly mixture?: readonly SharedTable[] | undefined;
  /** The same mixture as one table, but for one state. */
  readonly drawnState?: DrawnState | undefined;
  /** The best policy found that may see the phases too, and what no such policy costs less than. */
  readonly fullInformation?:
    | { readonly cost: number; readonly bound: number; readonly relativeImprovement: number }
    | undefined;
  /** What a controller that does not see the phases can believe of them, and what acting on it costs. */
  readonly filter?: PlayedFilter | undefined;
  /** With constraints, when every policy was looked at: the most that loosening each limit saves, per unit. */
  readonly dualPrices?: Partial<Record<keyof Constraints, number>> | undefined;
  /** The Pareto front between the criteria that were asked for. */
  readonly front?: readonly ThresholdFrontPoint[] | undefined;
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

/** A cost with what is proved of it. Rounding differs from search to search: a bound never stands above its value. */
export const reached = (cost: number, bound: number | null) =>
  provedWithin(provedGap, cost, bound === null ? null : Math.min(bound, cost));

/** How far seeing the phases could go; nothing where that is not known, or beyond double precision. */
export function fullInformationOf(
  cost: number,
  informed: { readonly cost: number; readonly bound: number | null },
): BesidePolicy['fullInformation'] {
  if (informed.bound === null || !Number.isFinite(informed.cost)) return undefined;
  const bound = Math.min(informed.bound, informed.cost);
  return { cost: informed.cost, bound, relativeImprovement: cost > 0 ? 1 - informed.cost / cost : 0 };
}
