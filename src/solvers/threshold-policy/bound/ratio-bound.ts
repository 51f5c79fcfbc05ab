/**
 * Lower bound on the cost of all policies within some modes, the ratio V1 included.
 *
 * J = B + a·V1, with B linear in the stationary distribution (`base`: weights of the four cost columns of rewards.ts).
 * V1 = n1/D with n1 the mean number that will be served and D the rate of service ends. For any v
 *
 *     J = B + a·v + a·(n1 − v·D)/D,   (n1 − vD)/D ≥ (n1 − vD)/D_max if V1 ≥ v,  ≥ (n1 − vD)/D_min if V1 ≤ v,
 *
 * so J ≥ a·v + min over both prices of min[B + price·(n1 − vD)], D_max and D_min being bounds of the same kind within
 * the same modes. The v is taken where the relaxed optimum has it, so that both prices meet when that optimum is the
 * best policy. Where that leaves more than a tenth (D_max far from D_min), also J ≥ min B + a·(mean service time), the
 * least V1 can be. Cost: four to ten policy iterations (full-information.ts).
 */

import type { Weights } from '../evaluate/memoryless/rewards.ts';
import type { FullInformation } from './relaxation/full-information.ts';

/** Policies with the most and the fewest service ends. */
export interface Extremes {
  readonly most: Uint8Array;
  readonly least: Uint8Array;
}

const linearisations = 6;
const settled = 1e-9;

/** What is bounded: a cost of these weights, within these modes. */
interface RatioProblem {
  readonly relaxation: FullInformation;
  /** Weights of the four cost columns of rewards.ts: B. */
  readonly base: Weights;
  /** The price a of the response time. */
  readonly response: number;
  /** The modes allowed at each level. */
  readonly lowest: Uint8Array;
  readonly highest: Uint8Array;
  /** Start policy; the relaxed policy that attains the bound on return. */
  readonly modes: Uint8Array;
  /** Start policies for the largest and the smallest D; those that attain them on return. */
  readonly extremes: Extremes;
}

/** A bound, and what it leaves open. */
interface RatioBound {
  /** Not a number where it is beyond double precision. */
  readonly bound: number;
  /** The least cost that a policy which sees everything was found to have: the bound may be raised to it at most. */
  readonly cost: number;
  /** The V1 of that policy, and the least and the largest D of all; not a number where they play no part. */
  readonly v: number;
  readonly least: number;
  readonly most: number;
}

export function ratioBound(problem: RatioProblem): RatioBound {
  const { relaxation, base, response, lowest, highest, modes, extremes } = problem;
  const minimise = (weights: Weights, start: Uint8Array) => relaxation.minimise(weights, lowest, highest, start);
  if (response === 0) {
    const bound = minimise(base, modes);
    return { bound, cost: bound, v: Number.NaN, least: Number.NaN, most: Number.NaN };
  }
  const priced = (price: number, v: number): Weights => [base[0], base[1] + price, base[2] - price * v, base[3]];
  let v = 0;
  let last = Number.POSITIVE_INFINITY;
  for (let round = 0; round < linearisations; round++) {
    if (round > 0) minimise(priced(response / relaxation.totals[2], v), modes);
    const linear = relaxation.evaluate(base, modes);
    v = relaxation.totals[1] / relaxation.totals[2];
    const total = linear + response * v;
    if (Math.abs(last - total) <= settled * Math.abs(total)) break;
    last = total;
  }
  const most = -minimise([0, 0, -1, 0], extremes.most);
  const least = minimise([0, 0, 1, 0], extremes.least);
  // Without a positive lower bound on D the second price is unbounded: V1 is at least 0, and that is all.
  const crude = (start: Uint8Array): number => minimise(base, start) + response * relaxation.leastResponse;
  if (!(least > 0)) return { bound: crude(modes), cost: last, v, least, most };
  const slow = modes.slice();
  const low = minimise(priced(response / most, v), modes);
  const high = minimise(priced(response / least, v), slow);
  if (high < low) modes.set(slow);
  const bound = response * v + Math.min(low, high);
  const raised = last - bound > 0.1 * Math.abs(last) ? Math.max(bound, crude(modes.slice())) : bound;
  return { bound: raised, cost: last, v, least, most };
}
