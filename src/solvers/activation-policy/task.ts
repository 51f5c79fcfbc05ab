/**
 * A problem as the methods take it, costs in units of a lost page, and what they find. The caller's own problem is in
 * problem.ts, the answer in answer.ts.
 */

import type { Status, Warning } from '../answer.ts';
import type { ListedVertex } from '../numerics/search/front-weights.ts';
import type { ActivationConflict, MixedPolicy } from './limits/constrained-activation.ts';
import type { ActivationConstraints, ActivationLimit } from './limits/limits.ts';
import type { MixedDecision } from './limits/mixed-decision.ts';
import type { ActivationModel, ClassMeasures } from './model/activation-model.ts';
import type { PhasedDescription } from './model/phased-model.ts';
import type { StaticBaseline } from './model/static-baseline.ts';
import type { SwitchingCurves } from './model/switching-curve.ts';
import type { DecisionsByState, TargetsByState } from './observed/state-tables.ts';

/**
 * What a front may be between: pages lost per unit time, share of time idle, mean active crawlers, mean queue length.
 */
export type ActivationCriterion = 'loss' | 'starvation' | 'crawlers' | 'queueLength';

export type ActivationFrontPoint = ListedVertex<ActivationCriterion, { readonly targets: Int32Array }>;

/** What is asked. Rates are per unit time; symbols as in activation-model.ts. */
export interface ActivationTask extends Omit<ActivationModel, 'crawlers'> {
  /** N; left out: as many as the optimum can use, or as many as `targets` name. */
  readonly crawlers?: number;
  /** Evaluate these targets instead of optimising: K + 1 integers in 0..N, the first at least 1. */
  readonly targets?: Int32Array;
  /** Upper limits on long-run averages. */
  readonly constraints?: ActivationConstraints;
  /** Answer the policies that are best for some prices of two or three criteria as well. */
  readonly front?: { readonly criteria: readonly ActivationCriterion[] } | undefined;
  /** Indexing in phases, pages in batches, correlated arrivals: what the two rates do not say (phased-model.ts). */
  readonly phased?: PhasedDescription;
  /**
   * With `phased`: what the controller sees when it decides, beside the active crawlers; the queue's length by default.
   */
  readonly observe?: 'queue-length' | 'phases';
}

/** The answer. `classes` has one entry unless the caller's targets make several; the most expensive first. */
export interface ActivationOutcome {
  readonly status: Status;
  readonly cost: number;
  /** No policy for this many crawlers costs less; null when the budget left nothing proved. */
  readonly bound: number | null;
  readonly crawlers: number;
  readonly targets: Int32Array;
  /** The largest r from which a departure still activates: max R − 1. */
  readonly maxActivating: number;
  readonly classes: readonly [ClassMeasures, ...ClassMeasures[]];
  readonly curves: SwitchingCurves;
  readonly baseline: StaticBaseline;
  /** (static cost − cost)/cost; null when the cost is 0, or so small that the quotient overflows. */
  readonly relativeImprovement: number | null;
  readonly solver: string;
  readonly iterations: number;
  readonly states: number;
  /** With constraints: the policies mixed by shares of time, where no single one is best. */
  readonly mixture?: readonly MixedPolicy[];
  /** The same as one policy: `targets`, but for one decision that is left to chance. */
  readonly mixedDecision?: Omit<MixedDecision, 'targets' | 'averages'>;
  readonly dualPrices?: Partial<Record<ActivationLimit, number>>;
  /**
   * With phases in sight: the policy, as targets or, where it is none such, decision by decision; `targets` are nearest
   * to it.
   */
  readonly targetsByState?: TargetsByState;
  readonly decisionsByState?: DecisionsByState;
  /** With phases in sight: the best found for a controller that does not see them. */
  readonly byQueueLength?: { readonly targets: Int32Array; readonly cost: number };
  /** Where phases are not in sight: what seeing them would win. */
  readonly fullInformation?: { readonly cost: number; readonly relativeImprovement: number };
  readonly front?: readonly ActivationFrontPoint[];
  /** Why no policy keeps the constraints; the rest then describes one that exceeds them little. */
  readonly conflict?: ActivationConflict;
  readonly warnings: readonly Warning[];
}
