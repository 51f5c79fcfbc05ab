/** The answer of activation-policy, in the contract's own shape. */
import { type Objective, objective, relativeGap, type Status, type Warning, warning } from '../answer.ts';
import type { ActivationConflict } from './limits.ts';
import { type ClassMeasures, type StaticBaseline, type SwitchingCurves, switchingCurves } from './model.ts';
import { type Optimum, provedGap } from './optimum.ts';
import { stateCount } from './problem.ts';

/** Averages of a policy, by the names of the contract. */
interface Averages {
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly meanQueueLength: number;
  readonly activeCrawlers: { readonly min: number; readonly mean: number; readonly max: number };
}

/** A policy and its long-run averages. */
export interface ActivationPolicy extends Averages {
  readonly crawlers: number;
  readonly targets: Int32Array;
  readonly activeCrawlers: Averages['activeCrawlers'] & { readonly maxActivating: number };
  readonly switchingCurve: SwitchingCurves;
}

export interface ActivationPolicyAnswer {
  readonly status: Status;
  readonly objective?: Objective;
  readonly solution?: ActivationPolicy;
  readonly supplement: {
    /** The caller's own policy, and each of its recurrent classes, the most expensive first. */
    readonly evaluation?: ActivationPolicy & {
      readonly recurrentClasses: readonly (Averages & { readonly cost: number })[];
    };
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
  /** The recurrent classes of the caller's own policy, the most expensive first; `measures` are those of the first. */
  readonly classes?: readonly ClassMeasures[];
  /** Why no policy keeps the limit; the other fields then describe a policy that exceeds the limit least. */
  readonly conflict?: ActivationConflict | undefined;
}

const averagesOf = (measures: ClassMeasures): Averages => ({
  starvationProbability: measures.starvationProbability,
  lossRate: measures.lossRate,
  meanQueueLength: measures.meanQueueLength,
  activeCrawlers: { min: measures.minActive, mean: measures.meanActive, max: measures.maxActive },
});

/** @param baseline the best static policy with the crawlers that the policy may use */
export function activationAnswer(result: ActivationResult, baseline: StaticBaseline): ActivationPolicyAnswer {
  const { model, targets, measures, solver, iterations, conflict, classes } = result;
  const { cost } = measures;
  const improvement = (baseline.cost - cost) / cost;
  const comparison = { baseline, relativeImprovement: Number.isFinite(improvement) ? improvement : null };
  const statistics = { solver, iterations, states: stateCount(model.capacity, model.crawlers) };
  if (conflict !== undefined) {
    return { status: 'infeasible', conflict, supplement: comparison, warnings: [], statistics };
  }
  const averages = averagesOf(measures);
  const policy: ActivationPolicy = {
    crawlers: model.crawlers,
    targets,
    ...averages,
    activeCrawlers: { ...averages.activeCrawlers, maxActivating: targets.reduce((a, b) => Math.max(a, b)) - 1 },
    switchingCurve: switchingCurves(targets, model.crawlers),
  };
  const bound = Math.min(Math.max(0, result.bound), cost);
  const outcome = { objective: objective(cost, bound), statistics };
  if (classes === undefined) {
    const status = relativeGap(cost, bound) <= provedGap ? 'optimal' : 'feasible';
    return { status, solution: policy, supplement: comparison, warnings: [], ...outcome };
  }
  const recurrentClasses = classes.map((one) => ({ cost: one.cost, ...averagesOf(one) }));
  const warnings = classes.length > 1 ? [severalClasses(classes.length)] : [];
  const supplement = { evaluation: { ...policy, recurrentClasses }, ...comparison };
  return { status: 'evaluated', supplement, warnings, ...outcome };
}

/** The warning on targets with several recurrent classes. */
function severalClasses(count: number): Warning {
  const detail =
    `the targets make ${count} recurrent classes: which one the system ends in depends on where it ` +
    'starts; the objective and the evaluation describe the most expensive, evaluation.recurrentClasses all of them';
  return warning('several-recurrent-classes', detail, ['evaluate', 'targets']);
}
