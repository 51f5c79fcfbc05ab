/** What is asked: a queue, how many crawlers there are, what things cost, and what the policy must keep. */

import type { Distribution } from '../laws/create-law.ts';
import { phaseTypeForm } from '../queue/index.ts';
import type { ActivationConstraints } from './limits/limits.ts';
import type { OpenModel } from './model/activation-model.ts';
import type { PhasedDescription } from './model/phased-model.ts';

/** The caller's own policy: so many always active, or R[0..K]. */
type CallersTargets = number | { readonly targets: readonly number[] };

/**
 * What a front may be between: pages lost per unit time, share of time idle, mean active crawlers, mean queue length.
 */
export type ActivationCriterion = 'loss' | 'starvation' | 'crawlers' | 'queueLength';

export interface ActivationProblem {
  /** K ≥ 1. */
  readonly capacity: number;
  /** λ of one active crawler; batches where `batchSizes` are given. Left out with `arrivals`. */
  readonly crawlerRate?: number | undefined;
  /** D_0, D_1, … of one active crawler. */
  readonly arrivals?: { readonly matrices: readonly (readonly (readonly number[])[])[] } | undefined;
  /** Shares of the batches that have so many pages. */
  readonly batchSizes?: readonly { readonly size: number; readonly probability: number }[] | undefined;
  /** A law with a phase-type form. */
  readonly service: Distribution;
  /** Loss is above 0. */
  readonly costs: { readonly loss: number; readonly starvation: number; readonly crawler: number };
  /** N; left out: as many as the optimum can use, or as many as `evaluate` names. */
  readonly crawlers?: number | undefined;
  readonly evaluate?: CallersTargets | undefined;
  readonly constraints?: ActivationConstraints | undefined;
  /** What the controller sees when it decides, beside the active crawlers; the queue's length by default. */
  readonly observe?: 'queue-length' | 'phases' | undefined;
  readonly front?: { readonly criteria: readonly ActivationCriterion[] } | undefined;
}

/** The model by the two rates, costs in units of a lost page; NaN for a rate that phases or matrices say. */
export function modelOf({ capacity, crawlerRate = Number.NaN, service, costs }: ActivationProblem): OpenModel {
  return {
    capacity,
    crawlerRate,
    indexingRate: service.type === 'exponential' ? service.rate : Number.NaN,
    starvationWeight: costs.starvation / costs.loss,
    crawlerCost: costs.crawler / costs.loss,
  };
}

/** What the two rates do not say; null where times are exponential and pages come one by one. */
export function phasedOf({ service, arrivals, batchSizes }: ActivationProblem): PhasedDescription | null {
  const isPlain = service.type === 'exponential';
  if (isPlain && arrivals === undefined && batchSizes === undefined) return null;
  return {
    service: isPlain ? undefined : phaseTypeForm(service, 'service'),
    arrivals: arrivals?.matrices,
    batchShares: batchSizes && sharesOf(batchSizes),
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

/** The shares of batches of 1, 2, … pages. */
function sharesOf(sizes: readonly { readonly size: number; readonly probability: number }[]): number[] {
  const shares = new Array<number>(Math.max(...sizes.map(({ size }) => size))).fill(0);
  for (const { size, probability } of sizes) shares[size - 1] = probability;
  return shares;
}
