/** What is asked: a queue, how many crawlers there are, what things cost, and what the policy must keep. */
import type { Distribution } from '../laws/create-law.ts';
import { phaseTypeForm } from '../queue/index.ts';
import type { ActivationConstraints } from './limits/limits.ts';
import type { ActivationCriterion, ActivationTask } from './task.ts';

/** The caller's own policy: so many always active, or R[0..K]. */
type CallersTargets = number | { readonly targets: readonly number[] };

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
  readonly observe?: 'queue-length' | 'phases' | undefined;
  readonly front?: { readonly criteria: readonly ActivationCriterion[] } | undefined;
}

/** The task: exponential times and single pages by their two rates, anything else in phases. */
export function taskOf(problem: ActivationProblem): ActivationTask {
  const { capacity, crawlerRate, arrivals, batchSizes, service, costs, crawlers, evaluate, constraints } = problem;
  const indexingRate = service.type === 'exponential' ? service.rate : undefined;
  const targets = evaluate === undefined ? undefined : targetsOf(evaluate, capacity);
  const plain: ActivationTask = {
    capacity,
    crawlerRate: crawlerRate ?? Number.NaN,
    indexingRate: indexingRate ?? Number.NaN,
    starvationWeight: costs.starvation / costs.loss,
    crawlerCost: costs.crawler / costs.loss,
    ...(crawlers !== undefined && { crawlers }),
    ...(targets && { targets }),
    ...(constraints && { constraints }),
    front: problem.front,
  };
  if (indexingRate !== undefined && arrivals === undefined && batchSizes === undefined) return plain;
  const phased = {
    service: indexingRate === undefined ? phaseTypeForm(service, 'service') : undefined,
    arrivals: arrivals?.matrices,
    batchShares: batchSizes && sharesOf(batchSizes),
  };
  return { ...plain, phased, ...(problem.observe && { observe: problem.observe }) };
}

function targetsOf(evaluate: CallersTargets, capacity: number): Int32Array {
  return typeof evaluate === 'number' ? new Int32Array(capacity + 1).fill(evaluate) : Int32Array.from(evaluate.targets);
}

/** The shares of batches of 1, 2, … pages. */
function sharesOf(sizes: readonly { readonly size: number; readonly probability: number }[]): number[] {
  const shares = new Array<number>(Math.max(...sizes.map(({ size }) => size))).fill(0);
  for (const { size, probability } of sizes) shares[size - 1] = probability;
  return shares;
}
