/** What every answer says of the policy found: its cost and bound, its curves, and what it saves beside a static one. */
import { relativeGap, type Status } from '../answer.ts';
import type { ClassMeasures } from './model/activation-model.ts';
import type { StaticBaseline } from './model/static-baseline.ts';
import { switchingCurves } from './model/switching-curve.ts';
import type { ActivationOutcome } from './task.ts';

/** The gap that policy iteration proves. */
export const defaultTolerance = 1e-9;

/** An answer before its warnings. */
export type Found = Omit<ActivationOutcome, 'warnings'>;

/** A policy, what it does, and what is known of better ones. */
export interface Solved
  extends Omit<Found, 'cost' | 'bound' | 'status' | 'maxActivating' | 'curves' | 'relativeImprovement'> {
  readonly classes: readonly [ClassMeasures, ...ClassMeasures[]];
  /** No policy costs less; −∞ where nothing is proved. */
  readonly bound: number;
  /** The gap that is called optimal, or the status there is. */
  readonly judged: number | Status;
  /** The best static policy, among so many crawlers as the policy may use. */
  readonly baseline: StaticBaseline;
}

export function described({ judged, bound: proved, ...solved }: Solved): Found {
  const { classes, targets, crawlers, baseline } = solved;
  const { cost } = classes[0];
  const bound = Number.isFinite(proved) ? Math.min(Math.max(0, proved), cost) : null;
  const improvement = (baseline.cost - cost) / cost;
  const isOptimal = typeof judged === 'number' && bound !== null && relativeGap(cost, bound) <= judged;
  return {
    ...solved,
    status: typeof judged === 'number' ? (isOptimal ? 'optimal' : 'feasible') : judged,
    cost,
    bound,
    maxActivating: targets.reduce((a, b) => Math.max(a, b)) - 1,
    curves: switchingCurves(targets, crawlers),
    relativeImprovement: Number.isFinite(improvement) ? improvement : null,
  };
}
