/**
 * The best policy for a controller that sees the arrival phase and the service phase beside the queue's length.
 *
 * Method: policy iteration on the linearised ratio (relaxation-bound.ts), begun from the best thresholds at hand and
 * from the most active mode. The bound comes from branching on the throughput (throughput-bound.ts), and policy
 * iteration again from what is met there where it is better.
 */
import { type Budget, unlessStopped } from '../../budget.ts';
import type { CostWeights } from '../../queue/measures.ts';
import type { ModeByState } from '../../queue/state-policy.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { bestInformed, everything, type Informed } from './relaxation-bound.ts';
import { type ThroughputProblem, throughputBound } from './throughput-bound.ts';

export interface ObservedPolicy {
  readonly modes: ModeByState;
  /** Its cost, as the search knows it. */
  readonly cost: number;
  /** Lower bound on the cost of every policy that sees the phases; null where it is beyond double precision or time. */
  readonly bound: number | null;
  readonly statistics: Readonly<Record<string, number>>;
}

/** Gap at which the bound stops being raised. */
const tolerance = 1e-9;
/** Of bound and policy iteration in turn: more than ever seen. */
const mostRounds = 10;

/**
 * @param start a policy to begin from, and to return when the budget ends before a better one is found
 */
export function bestByPhases(
  prepared: MemorylessQueue,
  costs: CostWeights,
  start: Informed,
  budget: Budget,
): ObservedPolicy {
  const of = everything(prepared, costs, budget);
  let best = start;
  for (const modes of [start.modes.slice(), of.modes]) {
    const found = unlessStopped(null, () => bestInformed({ ...of, modes }, costs, budget, modes !== of.modes));
    if (found !== null && found.cost < best.cost) best = found;
  }
  if (costs.response === 0) {
    const bound = unlessStopped(Number.NaN, () =>
      of.relaxation.minimise([1, 0, 0, 0], of.lowest, of.highest, best.modes.slice()),
    );
    return { modes: best.modes, cost: best.cost, bound: finite(bound), statistics: { throughputIntervals: 0 } };
  }
  return provedFurther(of, costs, best, budget);
}

/**
 * The bound of a policy, and what is met on the way to it. Policy iteration on a ratio can end in a policy that is best
 * nearby alone. A bound that does not close is attained by one that is better, and it goes on from there.
 */
function provedFurther(
  of: ReturnType<typeof everything>,
  costs: CostWeights,
  found: Informed,
  budget: Budget,
): ObservedPolicy {
  let best = found;
  let bound = Number.NaN;
  let intervals = 0;
  for (let round = 0; round < mostRounds; round++) {
    let better = best;
    const offer = (met: Informed): void => {
      if (met.cost < better.cost - tolerance * Math.abs(better.cost)) better = met;
    };
    const proof = unlessStopped(null, () => boundBelow(costs, of, { incumbent: best, offer }, budget));
    if (proof === null) break;
    intervals += proof.intervals;
    if (Number.isNaN(bound) || proof.bound > bound) bound = proof.bound;
    if (better === best) break;
    const from = { ...of, modes: better.modes.slice() };
    const next = unlessStopped(null, () => bestInformed(from, costs, budget, true));
    best = next !== null && next.cost < better.cost ? next : better;
  }
  const statistics = { throughputIntervals: intervals };
  return { modes: best.modes, cost: best.cost, bound: finite(bound), statistics };
}

/** A bound, or null where it is beyond double precision or time. */
const finite = (bound: number): number | null => (Number.isFinite(bound) ? bound : null);

/** What no table costs less than, where the response time has a price. */
export function boundBelow(
  { response }: CostWeights,
  { relaxation, lowest, highest }: Pick<ReturnType<typeof everything>, 'relaxation' | 'lowest' | 'highest'>,
  known: Pick<ThroughputProblem, 'incumbent' | 'offer'>,
  budget: Budget,
) {
  return throughputBound({ relaxation, lowest, highest, response, tolerance, budget, ...known });
}
