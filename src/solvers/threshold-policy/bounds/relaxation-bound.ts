/**
 * The best full-information policy of the whole problem: how far knowing the phases could go, and a lower bound for
 * every threshold policy.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import type { CostWeights } from '../model/measures.ts';
import { meanOfPhaseType } from '../model/phase-type.ts';
import { leastWhenEmpty, type Queue } from '../model/queue.ts';
import { FullInformation } from './full-information.ts';
import { rewardsOf } from './rewards.ts';

/** A policy that sees the phases: its modes by (level, state), its cost, and its V1. */
export interface Informed {
  readonly cost: number;
  readonly modes: Uint8Array;
  readonly responseTime: number;
}

/** The least active mode allowed at each level 0..K. */
export function leastModes(queue: Queue): Uint8Array {
  const lowest = new Uint8Array(queue.capacity + 1);
  lowest[0] = leastWhenEmpty(queue);
  return lowest;
}

/** The relaxation with every mode allowed everywhere, and a start policy: the most active mode everywhere. */
export function everything(
  prepared: MemorylessQueue,
  costs: CostWeights,
  budget: Budget,
  reference: 'empty' | 'likeliest' = 'empty',
) {
  const { queue } = prepared;
  const relaxation = new FullInformation(prepared, rewardsOf(prepared, costs, 'cost'), budget, reference);
  const last = queue.modes.length - 1;
  return {
    relaxation,
    lowest: leastModes(queue),
    highest: new Uint8Array(queue.capacity + 1).fill(last),
    modes: new Uint8Array((queue.topLevel + 1) * relaxation.n).fill(last),
  };
}

/**
 * Cost of the best policy that may see arrival and service phases, first in first out. J has the ratio V1, so it is
 * linearised at the current policy's V1 and D and solved again until it stays: a local optimum of a pseudo-linear
 * problem, in practice the optimum (equal to the reference values on the paper's two queues). Null when the budget ends
 * first.
 */
export function fullInformationCost(prepared: MemorylessQueue, costs: CostWeights, budget: Budget): number | null {
  const best = unlessStopped(null, () => bestInformed(everything(prepared, costs, budget, 'likeliest'), costs, budget));
  return best !== null && Number.isFinite(best.cost) ? best.cost : null;
}

/**
 * The policy behind that cost. Leaves the modes of `of` as they were last.
 *
 * @param fromModes linearise first at the modes of `of`, instead of where the response time costs nothing
 */
export function bestInformed(
  of: ReturnType<typeof everything>,
  costs: CostWeights,
  budget: Budget,
  fromModes = false,
): Informed | null {
  const { relaxation, lowest, highest, modes } = of;
  let best: Informed = { cost: Number.POSITIVE_INFINITY, modes, responseTime: Number.NaN };
  let price = 0;
  let v = 0;
  if (fromModes) {
    relaxation.evaluate([1, 0, 0, 0], modes);
    v = relaxation.totals[1] / relaxation.totals[2];
    price = costs.response / relaxation.totals[2];
  }
  for (let round = 0; round < 30; round++) {
    relaxation.minimise([1, price, -price * v, 0], lowest, highest, modes);
    if (budget.stopRequested()) return null;
    relaxation.evaluate([1, 0, 0, 0], modes);
    const [cost, toBeServed, ends] = relaxation.totals;
    v = toBeServed / ends;
    price = costs.response / ends;
    const total = cost + costs.response * v;
    const informed = { cost: total, modes: modes.slice(), responseTime: v };
    if (total >= best.cost - 1e-12 * Math.abs(best.cost)) return best.cost <= total ? best : informed;
    best = informed;
  }
  return best;
}

/**
 * Lower bound on the cost of every threshold policy. With `fifo` the response term is bounded through the
 * first-in-first-out relaxation at its own linearisation (see branch-and-bound.ts); without, by the mean service time,
 * which V1 exceeds under every discipline. Null when the budget ends first, or the bound is beyond double precision.
 */
export function relaxationBound(
  prepared: MemorylessQueue,
  costs: CostWeights,
  fifo: boolean,
  budget: Budget,
): number | null {
  const bound = unlessStopped(Number.NEGATIVE_INFINITY, () => lowerBound(prepared, costs, fifo, budget));
  return Number.isFinite(bound) ? bound : null;
}

function lowerBound(prepared: MemorylessQueue, costs: CostWeights, fifo: boolean, budget: Budget): number {
  const { relaxation, lowest, highest, modes } = everything(prepared, costs, budget, 'likeliest');
  const meanService = meanOfPhaseType(prepared.queue.service);
  const linear = relaxation.minimise([1, 0, 0, 0], lowest, highest, modes).bound;
  const crude = linear + costs.response * meanService;
  if (!fifo || costs.response === 0) return crude;
  const most = -relaxation.minimise([0, 0, -1, 0], lowest, highest, modes.slice()).bound;
  const least = relaxation.minimise([0, 0, 1, 0], lowest, highest, modes.slice()).bound;
  if (!(least > 0)) return crude;
  let best = crude;
  let v = meanService;
  for (let round = 0; round < 6 && !budget.stopRequested(); round++) {
    let lower = Number.POSITIVE_INFINITY;
    for (const ends of [most, least]) {
      const price = costs.response / ends;
      const { bound } = relaxation.minimise([1, price, -price * v, 0], lowest, highest, modes);
      lower = Math.min(lower, costs.response * v + bound);
    }
    if (lower > best) best = lower;
    relaxation.evaluate([1, 0, 0, 0], modes);
    v = relaxation.totals[1] / relaxation.totals[2];
  }
  return best;
}
