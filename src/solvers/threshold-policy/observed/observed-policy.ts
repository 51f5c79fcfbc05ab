/**
 * The best policy for a controller that sees the arrival phase and the service phase beside the queue's length.
 *
 * Method: policy iteration on the linearised ratio (relaxation-bound.ts), begun from the best thresholds at hand and from
 * the most active mode; the bound by branching on the throughput (throughput-bound.ts).
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import { bestInformed, everything, type Informed } from '../bounds/relaxation-bound.ts';
import type { MemorylessQueue } from '../evaluation/memoryless/evaluate-memoryless.ts';
import type { CostWeights } from '../model/measures.ts';
import { meanOfPhaseType } from '../model/phase-type.ts';
import type { ModeByState } from './state-policy.ts';
import { throughputBound } from './throughput-bound.ts';

export interface ObservedPolicy {
  readonly modes: ModeByState;
  /** Its cost, as the search knows it. */
  readonly cost: number;
  /** Lower bound on the cost of every policy that sees the phases; null where it is beyond double precision or time. */
  readonly bound: number | null;
  readonly statistics: Readonly<Record<string, number>>;
}

/** Where a search begins: a policy by queue length, whatever is seen. */
export interface Start {
  readonly modes: ModeByState;
  readonly cost: number;
  readonly responseTime: number;
}

/** Gap at which the bound stops being raised. */
const tolerance = 1e-9;

/**
 * @param start a policy to begin from, and to return when the budget ends before a better one is found
 * @param near whether it is thought near the best: then it is the only beginning
 */
export function bestByPhases(
  prepared: MemorylessQueue,
  costs: CostWeights,
  start: Start,
  budget: Budget,
  near = false,
): ObservedPolicy {
  const of = everything(prepared, costs, budget, 'likeliest');
  let best: Informed = start;
  for (const modes of near ? [start.modes.slice()] : [start.modes.slice(), of.modes]) {
    const found = unlessStopped(null, () => bestInformed({ ...of, modes }, costs, budget, modes !== of.modes));
    if (found !== null && found.cost < best.cost) best = found;
  }
  const proof = unlessStopped({ bound: Number.NaN, intervals: 0 }, () => {
    if (costs.response > 0) return boundBelow(prepared, costs, of, best, budget);
    const { bound } = of.relaxation.minimise([1, 0, 0, 0], of.lowest, of.highest, best.modes.slice());
    return { bound, intervals: 0 };
  });
  return {
    modes: best.modes,
    cost: best.cost,
    bound: Number.isFinite(proof.bound) ? proof.bound : null,
    statistics: { throughputIntervals: proof.intervals },
  };
}

/** What no table costs less than, where the response time has a price. */
export function boundBelow(
  { queue }: MemorylessQueue,
  { response }: CostWeights,
  { relaxation, lowest, highest }: Pick<ReturnType<typeof everything>, 'relaxation' | 'lowest' | 'highest'>,
  incumbent: Informed,
  budget: Budget,
) {
  const leastResponse = meanOfPhaseType(queue.service);
  return throughputBound({ relaxation, lowest, highest, response, leastResponse, incumbent, tolerance, budget });
}
