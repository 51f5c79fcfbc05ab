/** The table that costs least at given prices of what tables do: a column for the program of constrained-policy.ts. */
import type { Budget } from '../../budget.ts';
import type { ModeByState } from '../../queue/state-policy.ts';
import type { Lagrangian } from '../bound/multipliers.ts';
import { relaxationOfCost } from '../bound/relaxation/full-information.ts';
import { allModes } from '../bound/relaxation-bound.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import { type Groups, PartialSearch } from './partial-policy.ts';

/** Improves `modes` in place; returns what no table costs less than, or, without a proof, what the one found costs. */
export type Pricing = (objective: Lagrangian, modes: ModeByState) => number;

/** By policy iteration: the best table of a controller that sees both phases, and a lower bound. */
export function provedPricing(prepared: MemorylessQueue, budget: Budget): Pricing {
  const { lowest, highest } = allModes(prepared.queue);
  return ({ costs, base }, modes) => {
    return relaxationOfCost(prepared, costs, budget).minimise(base, lowest, highest, modes);
  };
}

/** By local search among the tables of a controller that cannot tell the states of a group apart. */
export function searchedPricing(prepared: MemorylessQueue, groups: Groups, budget: Budget): Pricing {
  return ({ costs, base }, modes) => {
    // The response time has its price in the weights, where it was linearised.
    const objective = { costs: { ...costs, response: 0 }, base };
    const found = new PartialSearch({ prepared, groups, objective, budget }).improve(modes);
    modes.set(found.modes);
    return found.cost;
  };
}
