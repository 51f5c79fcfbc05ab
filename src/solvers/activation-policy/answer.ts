/** The answer of activation-policy, in the contract's own shape: what was found, in the caller's costs. */
import { type Objective, objective, relativeGap, type Status, type Warning, warning } from '../answer.ts';
import type { ActivationConflict } from './limits.ts';
import { type ClassMeasures, type StaticBaseline, type SwitchingCurves, switchingCurves } from './model.ts';

/** The gap that policy iteration proves. */
export const defaultTolerance = 1e-9;

/** Averages of a policy, by the names of the contract. */
interface Averages {
  readonly starvationProbability: number;
  readonly lossRate: number;
  readonly meanQueueLength: number;
}

interface ActiveCrawlers {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
}

/** A policy and what it does. */
export interface ActivationPolicy extends Averages {
  readonly crawlers: number;
  readonly targets: Int32Array;
  readonly activeCrawlers: ActiveCrawlers & { readonly maxActivating: number };
  readonly switchingCurve: SwitchingCurves;
}

export interface ActivationPolicyAnswer {
  readonly status: Status;
  readonly objective?: Objective;
  readonly solution?: ActivationPolicy;
  readonly beside: {
    /** The caller's own policy, and each of its recurrent classes, the most expensive first. */
    readonly evaluation?: ActivationPolicy & {
      readonly recurrentClasses: readonly (Averages & {
        readonly cost: number;
        readonly activeCrawlers: ActiveCrawlers;
      })[];
    };
    readonly baseline: { readonly crawlers: number; readonly cost: number };
    readonly relativeImprovement: number | null;
  };
  readonly conflict?: ActivationConflict;
  readonly warnings: readonly Warning[];
  readonly statistics: { readonly solver: string; readonly iterations: number; readonly states: number };
}

/** A policy, what it does, and what is known of better ones; costs in units of a lost page. */
export interface ActivationResult extends Pick<ActivationPolicy, 'crawlers' | 'targets'> {
  /** One entry unless the caller's targets make several; the most expensive first. */
  readonly classes: readonly [ClassMeasures, ...ClassMeasures[]];
  /** No policy costs less. */
  readonly bound: number;
  /** The gap that is called optimal, or the status there is. */
  readonly verdict: number | Status;
  /** The best static policy with the crawlers that the policy may use. */
  readonly baseline: StaticBaseline;
  readonly solver: string;
  readonly iterations: number;
  readonly states: number;
  /** Why no policy keeps the constraints; the rest then describes one that exceeds them little. */
  readonly conflict?: ActivationConflict;
}

const averagesOf = ({ starvationProbability, lossRate, meanQueueLength }: ClassMeasures): Averages => ({
  starvationProbability,
  lossRate,
  meanQueueLength,
});

const activeOf = ({ minActive: min, meanActive: mean, maxActive: max }: ClassMeasures): ActiveCrawlers => ({
  min,
  mean,
  max,
});

/** @param unit what a lost page costs */
export function activationAnswer(result: ActivationResult, unit: number): ActivationPolicyAnswer {
  const { classes, baseline, bound: lowerBound, verdict, solver, iterations, states, conflict } = result;
  const { cost } = classes[0];
  const improvement = (baseline.cost - cost) / cost;
  const baselines = {
    baseline: { ...baseline, cost: unit * baseline.cost },
    relativeImprovement: Number.isFinite(improvement) ? improvement : null,
  };
  const rest = { warnings: warningsOf(result), statistics: { solver, iterations, states } };
  if (conflict !== undefined) return { status: 'infeasible', conflict, beside: baselines, ...rest };
  const bound = Math.min(Math.max(0, lowerBound), cost);
  const isOptimal = typeof verdict === 'number' && relativeGap(cost, bound) <= verdict;
  const status = typeof verdict === 'number' ? (isOptimal ? 'optimal' : 'feasible') : verdict;
  const policy = policyOf(result);
  const recurrentClasses = classes.map((one) => ({
    cost: unit * one.cost,
    activeCrawlers: activeOf(one),
    ...averagesOf(one),
  }));
  return {
    status,
    objective: objective(unit * cost, unit * bound),
    ...(status === 'evaluated' ? {} : { solution: policy }),
    beside: {
      ...(status === 'evaluated' && { evaluation: { ...policy, recurrentClasses } }),
      ...baselines,
    },
    ...rest,
  };
}

function policyOf({ classes: [mostExpensive], crawlers, targets }: ActivationResult) {
  return {
    crawlers,
    targets,
    activeCrawlers: { ...activeOf(mostExpensive), maxActivating: targets.reduce((a, b) => Math.max(a, b)) - 1 },
    ...averagesOf(mostExpensive),
    switchingCurve: switchingCurves(targets, crawlers),
  };
}

/** Targets with several recurrent classes. */
function warningsOf({ classes }: ActivationResult): Warning[] {
  if (classes.length === 1) return [];
  const detail =
    `the targets make ${classes.length} recurrent classes: which one the system ends in depends on where it ` +
    'starts; the objective and the evaluation describe the most expensive, evaluation.recurrentClasses all of them';
  return [warning('several-recurrent-classes', detail, ['evaluate', 'targets'])];
}
