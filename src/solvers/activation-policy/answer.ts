/** The answer of activation-policy, in the contract's own shape: what was found, in the caller's costs. */
import { type Conflict, type Objective, objective, type Status, type Warning } from '../answer.ts';
import type { ActivationLimit } from './limits/limits.ts';
import type { ClassMeasures } from './model/activation-model.ts';
import type { SwitchingCurves } from './model/switching-curve.ts';
import type { DecisionsByState, TargetsByState } from './observed/state-tables.ts';
import type { ActivationFrontPoint, ActivationOutcome } from './task.ts';

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
export interface ShownActivation extends Averages {
  readonly crawlers: number;
  readonly targets: Int32Array;
  readonly activeCrawlers: ActiveCrawlers & { readonly maxActivating: number };
  readonly switchingCurve: SwitchingCurves;
  readonly targetsByState?: TargetsByState | undefined;
  readonly decisionsByState?: DecisionsByState | undefined;
}

export interface ActivationPolicyAnswer {
  readonly status: Status;
  readonly objective?: Objective;
  readonly solution?: ShownActivation;
  readonly beside: {
    /** The caller's own policy, and each of its recurrent classes, the most expensive first. */
    readonly evaluation?: ShownActivation & {
      readonly recurrentClasses: readonly (Averages & {
        readonly cost: number;
        readonly activeCrawlers: ActiveCrawlers;
      })[];
    };
    readonly baseline: { readonly crawlers: number; readonly cost: number };
    readonly relativeImprovement: number | null;
    readonly byQueueLength?: { readonly targets: Int32Array; readonly cost: number };
    readonly fullInformation?: { readonly cost: number; readonly relativeImprovement: number };
    readonly front?: readonly ActivationFrontPoint[];
    readonly dualPrices?: Partial<Record<ActivationLimit, number>>;
    readonly mixedDecision?: NonNullable<ActivationOutcome['mixedDecision']>;
    readonly mixture?: readonly (Averages & {
      readonly share: number;
      readonly targets: Int32Array;
      readonly cost: number;
    })[];
  };
  readonly conflict?: Conflict;
  readonly warnings: readonly Warning[];
  readonly statistics: { readonly solver: string; readonly iterations: number; readonly states: number };
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

function shown({ classes, crawlers, targets, maxActivating, curves, ...found }: ActivationOutcome): ShownActivation {
  const [mostExpensive] = classes;
  return {
    crawlers,
    targets,
    activeCrawlers: { ...activeOf(mostExpensive), maxActivating },
    ...averagesOf(mostExpensive),
    switchingCurve: curves,
    ...(found.targetsByState && { targetsByState: found.targetsByState }),
    ...(found.decisionsByState && { decisionsByState: found.decisionsByState }),
  };
}

/** @param unit what a lost page costs, in which the outcome counts */
export function activationAnswer(found: ActivationOutcome, unit: number): ActivationPolicyAnswer {
  const { status, warnings, solver, iterations, states, baseline, relativeImprovement, conflict } = found;
  const statistics = { solver, iterations, states };
  const compared = { baseline: { ...baseline, cost: unit * baseline.cost }, relativeImprovement };
  if (conflict !== undefined) return { status, conflict, beside: compared, warnings, statistics };
  const policy = shown(found);
  return {
    status,
    objective: objective(unit * found.cost, found.bound === null ? null : unit * found.bound),
    ...(status === 'evaluated' ? {} : { solution: policy }),
    beside: {
      ...(status === 'evaluated' && { evaluation: { ...policy, recurrentClasses: classesOf(found, unit) } }),
      ...compared,
      ...besideOf(found, unit),
    },
    warnings,
    statistics,
  };
}

const classesOf = ({ classes }: ActivationOutcome, unit: number) =>
  classes.map((one) => ({ cost: unit * one.cost, activeCrawlers: activeOf(one), ...averagesOf(one) }));

function besideOf(found: ActivationOutcome, unit: number) {
  const { byQueueLength, fullInformation, front, dualPrices, mixedDecision, mixture } = found;
  const prices = dualPrices && Object.entries(dualPrices).map(([name, price]) => [name, unit * price]);
  return {
    ...(byQueueLength && { byQueueLength: { ...byQueueLength, cost: unit * byQueueLength.cost } }),
    ...(fullInformation && { fullInformation: { ...fullInformation, cost: unit * fullInformation.cost } }),
    ...(front && { front }),
    ...(prices && { dualPrices: Object.fromEntries(prices) }),
    ...(mixedDecision && { mixedDecision }),
    ...(mixture && {
      mixture: mixture.map(({ share, targets, averages }) => ({
        share,
        targets,
        cost: unit * averages.cost,
        ...averagesOf(averages),
      })),
    }),
  };
}
