/** The answer of activation-policy, in the contract's own shape. */
import { type Objective, objective, relativeGap, type Status, type Warning } from '../answer.ts';
import type { ActivationConflict } from './limits.ts';
import { type StaticBaseline, type SwitchingCurves, switchingCurves } from './model.ts';
import { type Optimum, provedGap } from './optimum.ts';
import { stateCount } from './problem.ts';

/** A policy and its long-run averages, by the names of the contract. */
export interface ActivationPolicy {
  readonly crawlers: number;
  readonly targets: Int32Array;
  readonly activeCrawlers: {
    readonly min: number;
    readonly mean: number;
    readonly max: number;
    readonly maxActivating: number;
  };
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly meanQueueLength: number;
  readonly switchingCurve: SwitchingCurves;
}

export interface ActivationPolicyAnswer {
  readonly status: Status;
  readonly objective?: Objective;
  readonly solution?: ActivationPolicy;
  readonly beside: {
    /** The caller's own policy. */
    readonly evaluation?: ActivationPolicy;
    readonly baseline: StaticBaseline;
    readonly relativeImprovement: number | null;
  };
  readonly conflict?: ActivationConflict;
  readonly warnings: readonly Warning[];
  readonly statistics: { readonly solver: string; readonly iterations: number; readonly states: number };
}

/** A policy, its measures and a lower bound on the cost. */
export interface ActivationResult extends Optimum {
  readonly solver: string;
  /** The policy is the caller's own. */
  readonly isCallersPolicy?: boolean;
  /** Why no policy keeps the limit; the rest then describes one that exceeds it least. */
  readonly conflict?: ActivationConflict | undefined;
}

/** @param baseline the best static policy with the crawlers that the policy may use */
export function activationAnswer(result: ActivationResult, baseline: StaticBaseline): ActivationPolicyAnswer {
  const { model, targets, measures, solver, iterations, conflict, isCallersPolicy = false } = result;
  const { cost, starvationProbability, lossRate, meanQueueLength } = measures;
  const improvement = (baseline.cost - cost) / cost;
  const comparison = { baseline, relativeImprovement: Number.isFinite(improvement) ? improvement : null };
  const statistics = { solver, iterations, states: stateCount(model.capacity, model.crawlers) };
  if (conflict !== undefined) {
    return { status: 'infeasible', conflict, beside: comparison, warnings: [], statistics };
  }
  const policy: ActivationPolicy = {
    crawlers: model.crawlers,
    targets,
    activeCrawlers: {
      min: measures.minActive,
      mean: measures.meanActive,
      max: measures.maxActive,
      maxActivating: targets[0] - 1,
    },
    starvationProbability,
    lossRate,
    meanQueueLength,
    switchingCurve: switchingCurves(targets, model.crawlers),
  };
  const bound = Math.min(Math.max(0, result.bound), cost);
  const outcome = { objective: objective(cost, bound), warnings: [], statistics } as const;
  if (isCallersPolicy) return { status: 'evaluated', beside: { evaluation: policy, ...comparison }, ...outcome };
  const status = relativeGap(cost, bound) <= provedGap ? 'optimal' : 'feasible';
  return { status, solution: policy, beside: comparison, ...outcome };
}
