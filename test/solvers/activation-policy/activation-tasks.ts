/**
 * Problems in the papers' symbols, costs in units of a lost page, and answers with their measures at the top. What is
 * solved and certified is the contract's own form of them.
 */
import {
  type ActivationPolicyAnswer,
  type ActivationProblem,
  activationPolicyWork,
  type CurveMeasures,
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

type Beside = ActivationPolicyAnswer['beside'];
type Shown = NonNullable<ActivationPolicyAnswer['solution']>;

export interface ActivationOutcome
  extends Pick<Shown, 'crawlers' | 'targets'>,
    Omit<Beside, 'evaluation'>,
    Pick<ActivationPolicyAnswer, 'status' | 'conflict' | 'warnings'> {
  readonly cost: number;
  readonly bound: number | null;
  readonly maxActivating: number;
  readonly curves: Shown['switchingCurve'];
  readonly measures: CurveMeasures;
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

/** What an infeasible answer does not say is NaN. */
const nothing = {
  crawlers: Number.NaN,
  targets: new Int32Array(0),
  activeCrawlers: { min: Number.NaN, mean: Number.NaN, max: Number.NaN, maxActivating: Number.NaN },
  starvationProbability: Number.NaN,
  lossRate: Number.NaN,
  meanQueueLength: Number.NaN,
  switchingCurve: { afterArrival: [], afterDeparture: [] },
};

export function findActivation(task: ActivationTask, budget: Budget): ActivationOutcome {
  const { status, solution, objective, beside, conflict, warnings, statistics } = solveActivationPolicy(
    problemOf(task),
    budget,
  );
  const { evaluation, ...others } = beside;
  const { activeCrawlers, switchingCurve: curves, ...policy } = solution ?? evaluation ?? nothing;
  const { min: minActive, mean: meanActive, max: maxActive, maxActivating } = activeCrawlers;
  const { starvationProbability, lossRate, meanQueueLength, crawlers, targets } = policy;
  const cost = objective?.value ?? Number.NaN;
  return {
    status,
    cost,
    bound: objective?.bound ?? null,
    ...others,
    crawlers,
    targets,
    maxActivating,
    curves,
    measures: { cost, starvationProbability, lossRate, meanActive, meanQueueLength, minActive, maxActive },
    ...(conflict && { conflict }),
    warnings,
    ...statistics,
  };
}

/** What the certificate finds wrong with an outcome, put back into the contract's form. */
export function certifyActivation(task: ActivationTask, outcome: ActivationOutcome): readonly string[] {
  const { status, cost, bound, maxActivating, curves, measures, warnings, ...policy } = outcome;
  const {
    starvationProbability,
    lossRate,
    meanQueueLength,
    minActive: min,
    meanActive: mean,
    maxActive: max,
  } = measures;
  const summary = {
    crawlers: policy.crawlers,
    targets: policy.targets,
    activeCrawlers: { min, mean, max, maxActivating },
    starvationProbability,
    lossRate,
    meanQueueLength,
    switchingCurve: curves,
  };
  return faultsOf(
    'activation-policy',
    { ...problemOf(task) },
    {
      ...policy,
      status,
      objective: { value: cost, bound, gap: bound === null ? null : relativeGap(cost, bound) },
      ...(status === 'evaluated' ? { evaluation: summary } : { solution: summary }),
    },
  );
}

export const activationWork = (task: ActivationTask): number => activationPolicyWork(problemOf(task));
