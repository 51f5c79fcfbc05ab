/**
 * The best full-information policy of the whole problem: how far knowing the phases could go, and a lower bound for
 * every threshold policy.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import type { CostWeights } from '../../queue/measures.ts';
import { blockSize, leastWhenEmpty, type Queue } from '../../queue/queue.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { ratioBound } from './ratio-bound.ts';
import { relaxationOfCost } from './relaxation/full-information.ts';

/** A policy that sees the phases: its modes by (level, state), its cost, and its V1. */
export interface Informed {
  readonly cost: number;
  readonly modes: Uint8Array;
  readonly responseTime: number;
}

/** Every mode allowed at each level 0..K, and a start policy: the most active mode everywhere. */
export function allModes(queue: Queue) {
  const last = queue.modes.length - 1;
  const lowest = new Uint8Array(queue.capacity + 1);
  lowest[0] = leastWhenEmpty(queue);
  return {
    lowest,
    highest: new Uint8Array(queue.capacity + 1).fill(last),
    modes: new Uint8Array((queue.topLevel + 1) * blockSize(queue)).fill(last),
  };
}

/** The relaxation with every mode allowed everywhere. */
export function everything(prepared: MemorylessQueue, costs: CostWeights, budget: Budget) {
  return { relaxation: relaxationOfCost(prepared, costs, budget), ...allModes(prepared.queue) };
}

/**
 * Policy iteration for a controller that sees arrival and service phases, first in first out. J has the ratio V1, so it
 * is linearised at the current policy's V1 and D and solved again until it stays. That is a local optimum, which
 * best-table.ts proves or improves. Null when the budget ends first. Leaves the modes of `of` as they were last.
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
 * first-in-first-out relaxation (ratio-bound.ts); without, by the mean service time, which V1 exceeds under every
 * discipline. Null when the budget ends first, or the bound is beyond double precision.
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
  const { relaxation, lowest, highest, modes } = everything(prepared, costs, budget);
  const crude = relaxation.minimise([1, 0, 0, 0], lowest, highest, modes) + costs.response * relaxation.leastResponse;
  if (!fifo || costs.response === 0) return crude;
  const { bound } = ratioBound({
    relaxation,
    base: [1, 0, 0, 0],
    response: costs.response,
    lowest,
    highest,
    modes,
    extremes: { most: modes.slice(), least: modes.slice() },
  });
  return bound > crude ? bound : crude;
}
