/**
 * Problems in the papers' symbols, costs in units of a lost page, and answers with their measures at the top. The
 * solver and the certificate take the contract's own form of a problem.
 */
import {
  type ActivationPolicyAnswer,
  type ActivationProblem,
  activationPolicyWork,
  type ClassMeasures,
  solveActivationPolicy,
} from '../../../src/solvers/activation-policy/index.ts';
import type { ActivationModel } from '../../../src/solvers/activation-policy/model.ts';
import { relativeGap } from '../../../src/solvers/answer.ts';
import type { Budget } from '../../../src/solvers/budget.ts';
import { faultsOf } from '../../certificates/faults-of.ts';

/** λ, μ, K, γ and w; `targets` are R[0..K]. */
export interface ActivationTask extends Pick<ActivationProblem, 'constraints'> {
  readonly crawlerRate: number;
  readonly indexingRate: number;
  readonly capacity: number;
  readonly starvationWeight: number;
  readonly crawlerCost: number;
  readonly crawlers?: number;
  readonly targets?: Int32Array;
}

type Supplement = ActivationPolicyAnswer['supplement'];
type AnsweredPolicy = NonNullable<ActivationPolicyAnswer['solution']>;

export interface ActivationOutcome
  extends Pick<AnsweredPolicy, 'crawlers' | 'targets'>,
    Omit<Supplement, 'evaluation'>,
    Pick<ActivationPolicyAnswer, 'status' | 'conflict' | 'warnings'> {
  readonly cost: number;
  readonly bound: number | null;
  readonly maxActivating: number;
  readonly curves: AnsweredPolicy['switchingCurve'];
  readonly measures: ClassMeasures;
  /** Recurrent classes of an evaluated policy, the most expensive first. */
  readonly classes: readonly ClassMeasures[];
  readonly solver: string;
  readonly iterations: number;
  readonly states: number;
}

export function problemOf(task: ActivationTask): ActivationProblem {
  const { indexingRate, starvationWeight, crawlerCost, targets, ...same } = task;
  return {
    ...same,
    service: { type: 'exponential', rate: indexingRate },
    costs: { starvation: starvationWeight, loss: 1, crawler: crawlerCost },
    ...(targets && { evaluate: { targets: Array.from(targets) } }),
  };
}

/** The solver's own form of a task. */
export function modelOf(task: ActivationTask & { readonly crawlers: number }): ActivationModel {
  const { crawlerRate, indexingRate, capacity, crawlers, starvationWeight: starvation, crawlerCost: crawler } = task;
  return { crawlerRate, indexingRate, capacity, crawlers, weights: { starvation, loss: 1, crawler, queue: 0 } };
}

type Averages = NonNullable<Supplement['evaluation']>['recurrentClasses'][number];

function measuresOf({ activeCrawlers: { min, mean, max }, ...each }: Averages): ClassMeasures {
  const { starvationProbability, lossRate, meanQueueLength, cost } = each;
  return { cost, starvationProbability, lossRate, meanActive: mean, meanQueueLength, minActive: min, maxActive: max };
}

const averagesOf = (measures: ClassMeasures): Averages => {
  const { starvationProbability, lossRate, meanQueueLength, cost } = measures;
  const activeCrawlers = { min: measures.minActive, mean: measures.meanActive, max: measures.maxActive };
  return { cost, activeCrawlers, starvationProbability, lossRate, meanQueueLength };
};

/** Stands for the policy that an infeasible answer leaves out. */
const missingPolicy = {
  crawlers: Number.NaN,
  targets: new Int32Array(0),
  activeCrawlers: { min: Number.NaN, mean: Number.NaN, max: Number.NaN, maxActivating: Number.NaN },
  starvationProbability: Number.NaN,
  lossRate: Number.NaN,
  meanQueueLength: Number.NaN,
  switchingCurve: { monotone: false, afterArrival: [], afterDeparture: [] },
};

export function findActivation(task: ActivationTask, budget: Budget): ActivationOutcome {
  const { status, solution, objective, supplement, conflict, warnings, statistics } = solveActivationPolicy(
    problemOf(task),
    budget,
  );
  const { evaluation, ...others } = supplement;
  const { activeCrawlers, switchingCurve: curves, ...policy } = solution ?? evaluation ?? missingPolicy;
  const cost = objective?.value ?? Number.NaN;
  return {
    status,
    cost,
    bound: objective?.bound ?? null,
    ...others,
    crawlers: policy.crawlers,
    targets: policy.targets,
    maxActivating: activeCrawlers.maxActivating,
    curves,
    measures: measuresOf({ ...policy, activeCrawlers, cost }),
    classes: (evaluation?.recurrentClasses ?? []).map(measuresOf),
    ...(conflict && { conflict }),
    warnings,
    ...statistics,
  };
}

/** What the certificate finds wrong with an outcome, put back into the contract's form. */
export function certifyActivation(task: ActivationTask, outcome: ActivationOutcome): readonly string[] {
  const { status, cost, bound, maxActivating, curves, measures, classes, warnings, ...policy } = outcome;
  const { cost: _, activeCrawlers, ...averages } = averagesOf(measures);
  const summary = {
    crawlers: policy.crawlers,
    targets: policy.targets,
    activeCrawlers: { ...activeCrawlers, maxActivating },
    ...averages,
    switchingCurve: curves,
  };
  return faultsOf(
    'activation-policy',
    { ...problemOf(task) },
    {
      ...policy,
      status,
      objective: { value: cost, bound, gap: bound === null ? null : relativeGap(cost, bound) },
      ...(status === 'evaluated'
        ? { evaluation: { ...summary, recurrentClasses: classes.map(averagesOf) } }
        : { solution: summary }),
    },
  );
}

export const activationWork = (task: ActivationTask): number => activationPolicyWork(problemOf(task));
