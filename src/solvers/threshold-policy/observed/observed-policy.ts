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
import { groupsOf, PartialSearch } from './partial-policy.ts';
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
    if (costs.response === 0) {
      const { bound } = of.relaxation.minimise([1, 0, 0, 0], of.lowest, of.highest, best.modes.slice());
      return { bound, intervals: 0 };
    }
    return throughputBound({
      relaxation: of.relaxation,
      lowest: of.lowest,
      highest: of.highest,
      response: costs.response,
      leastResponse: meanOfPhaseType(prepared.queue.service),
      incumbent: best,
      tolerance,
      budget,
    });
  });
  return {
    modes: best.modes,
    cost: best.cost,
    bound: Number.isFinite(proof.bound) ? proof.bound : null,
    statistics: { throughputIntervals: proof.intervals },
  };
}

/**
 * A good policy for a controller that sees one of the phases, from the best thresholds and from the best policy that sees
 * both; its bound is that of seeing both.
 */
export function bestByOnePhase(
  prepared: MemorylessQueue,
  costs: CostWeights,
  sees: 'arrival-phase' | 'service-phase',
  start: Start,
  budget: Budget,
): ObservedPolicy & { readonly informed: number } {
  const informed = bestByPhases(prepared, costs, start, budget);
  const search = new PartialSearch(prepared, costs, groupsOf(prepared.queue, sees), budget);
  let best: { modes: ModeByState; cost: number } = start;
  for (const from of [() => start.modes, () => search.rounded(informed.modes)]) {
    const found = unlessStopped(null, () => search.improve(from()));
    if (found !== null && found.cost < best.cost) best = found;
  }
  const statistics = { ...informed.statistics, evaluations: search.evaluations };
  return { ...best, bound: informed.bound, informed: informed.cost, statistics };
}
