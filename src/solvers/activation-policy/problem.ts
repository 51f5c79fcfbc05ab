/** What is asked: a queue, how many crawlers there are, what things cost, and what the policy must keep. */

import type { ActivationConstraints } from './limits.ts';
import type { OpenModel } from './model.ts';

/** The caller's own policy: so many always active, or R[0..K]. */
type CallersTargets = number | { readonly targets: readonly number[] };

export interface ActivationProblem {
  /** K ≥ 1. */
  readonly capacity: number;
  /** λ of one active crawler. */
  readonly crawlerRate: number;
  readonly service: { readonly type: 'exponential'; readonly rate: number };
  /** Loss is above 0. */
  readonly costs: { readonly loss: number; readonly starvation: number; readonly crawler: number };
  /** N; left out: as many as the optimum can use, or as many as `evaluate` names. */
  readonly crawlers?: number | undefined;
  readonly evaluate?: CallersTargets | undefined;
  readonly constraints?: ActivationConstraints | undefined;
}

/** The model, costs in units of a lost page. */
export function modelOf({ capacity, crawlerRate, service, costs }: ActivationProblem): OpenModel {
  return {
    capacity,
    crawlerRate,
    indexingRate: service.rate,
    starvationWeight: costs.starvation / costs.loss,
    crawlerCost: costs.crawler / costs.loss,
  };
}

/** The caller's own policy as R[0..K]. */
export function targetsOf({ evaluate, capacity }: ActivationProblem): Int32Array | undefined {
  if (evaluate === undefined) return undefined;
  return typeof evaluate === 'number' ? new Int32Array(capacity + 1).fill(evaluate) : Int32Array.from(evaluate.targets);
}

/** N as given, or as the caller's own policy names it. */
export const givenCrawlers = (problem: ActivationProblem): number | undefined =>
  problem.crawlers ?? targetsOf(problem)?.reduce((a, b) => Math.max(a, b));
