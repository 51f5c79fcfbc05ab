/**
 * Good policies where policy iteration is not exact. That is for a controller that sees one of the phases, and under
 * random pick-up with a price on the response time. Method: local search (partial-policy.ts) from the best thresholds
 * and from a table. That table is what policy iteration finds for a controller that sees both phases, first in first
 * out.
 */
import { type Budget, pollOf, unlessStopped } from '../../budget.ts';
import { type CostWeights, measuresOf } from '../../queue/measures.ts';
import type { ModeByState } from '../../queue/state-policy.ts';
import { bestByPhases, boundBelow, type ObservedPolicy } from '../bound/best-table.ts';
import { unpriced } from '../bound/multipliers.ts';
import { overtakenRewards } from '../bound/overtaken-pages.ts';
import { FullInformation } from '../bound/relaxation/full-information.ts';
import { bestInformed, everything, type Informed } from '../bound/relaxation-bound.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { totalsOfStates } from '../evaluate/memoryless/state-distribution.ts';
import { groupsOf, PartialSearch, type PhaseObservation } from './partial-policy.ts';

/** A good policy for a controller that sees one of the phases; its bound is that of seeing both. */
export function bestByOnePhase(
  prepared: MemorylessQueue,
  costs: CostWeights,
  sees: PhaseObservation,
  start: Informed,
  budget: Budget,
): ObservedPolicy & { readonly informed: ObservedPolicy } {
  const informed = bestByPhases(prepared, costs, start, budget);
  const groups = groupsOf(prepared.queue, sees);
  const search = new PartialSearch({ prepared, groups, objective: unpriced(costs), budget });
  const best = searchedFrom(search, start, informed.modes);
  const statistics = { ...informed.statistics, evaluations: search.evaluations };
  return { ...best, bound: informed.bound, informed, statistics };
}

/**
 * A good policy under random pick-up with a price on the response time, where later arrivals overtake. The bound gives
 * each waiting page the least chance of being served that any policy leaves it (overtaken-pages.ts).
 */
export function bestAtRandom(
  prepared: MemorylessQueue,
  costs: CostWeights,
  sees: PhaseObservation,
  start: Informed,
  budget: Budget,
): ObservedPolicy {
  const { queue } = prepared;
  const inOrder = unlessStopped(null, () => bestInformed(everything(prepared, costs, budget), costs, budget));
  const search = new PartialSearch({
    prepared,
    groups: groupsOf(queue, sees),
    objective: unpriced(costs),
    budget,
    toBeServed: (modes) => totalsOfStates(prepared, modes).toBeServed,
  });
  const best = searchedFrom(search, start, inOrder?.modes ?? start.modes);
  const { lowest, highest } = everything(prepared, costs, budget);
  const proof = unlessStopped(null, () => {
    const poll = pollOf(budget, 'the relaxation had not been evaluated');
    const rewards = overtakenRewards(prepared, costs, lowest, highest, poll);
    const relaxation = new FullInformation(prepared, rewards, budget);
    const incumbent = { ...best, responseTime: measuresOf(totalsOfStates(prepared, best.modes)).responseTime };
    return boundBelow(costs, { relaxation, lowest, highest }, { incumbent }, budget);
  });
  return {
    ...best,
    bound: proof !== null && Number.isFinite(proof.bound) ? proof.bound : null,
    statistics: { throughputIntervals: proof?.intervals ?? 0, evaluations: search.evaluations },
  };
}

/** @param informed a table by both phases */
function searchedFrom(search: PartialSearch, start: Informed, informed: ModeByState) {
  let best: { readonly modes: ModeByState; readonly cost: number } = start;
  for (const from of [() => start.modes, () => search.rounded(informed)]) {
    const found = unlessStopped(null, () => search.improve(from()));
    if (found !== null && found.cost < best.cost) best = found;
  }
  return { modes: best.modes, cost: best.cost };
}
