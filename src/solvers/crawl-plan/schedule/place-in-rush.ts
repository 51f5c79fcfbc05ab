/** The schedule on slots that may be moved to the hours at which pages' fetches are worth most. */
import type { Budget } from '../../budget.ts';
import type { PricedPlan } from '../priced-plan.ts';
import { placeFetches } from './place-fetches.ts';
import { hourlyDemand, longestInterval, slotShares, slotsInRush } from './rush-hours.ts';

/**
 * The schedule on the slots as they are, or, where pages keep hours and slots may be moved to these, on those on which
 * the pages are expected to be freshest: as they are, all moved, or not so close to each other. Stopped before, the
 * slots stay.
 */
export function placeInRush(priced: PricedPlan, budget: Budget) {
  let best = { ...placeFetches(priced, budget), slots: priced.slots };
  const { problem, slots, beliefs, steady } = priced;
  const peak = problem.rhythm?.peak ?? 1;
  if (beliefs.rhythm === null || !(peak > 1)) return best;
  const { clocks } = beliefs.rhythm;
  const clock = clocks.find((each) => each !== null) ?? null;
  if (clock === null || problem.interval > longestInterval || budget.stopRequested()) return best;
  const demand = hourlyDemand({ clocks, model: beliefs.initial, fetchInterval: steady.fetchInterval });
  const cost = ({ costTime }: typeof best): number =>
    costTime.reduce((sum, each, i) => sum + each * problem.weight[i], 0);
  for (const each of [peak, Math.sqrt(peak)]) {
    const moved = slotsInRush(slots, problem, clock, slotShares(demand, each));
    const placed = { ...placeFetches({ ...priced, slots: moved }, budget), slots: moved };
    if (!placed.stopped && cost(placed) < cost(best)) best = placed;
  }
  return best;
}
