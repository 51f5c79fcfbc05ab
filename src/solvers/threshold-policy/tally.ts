/**
 * What a search remembers of the policies it measures: the best one that keeps the limits, how near to the limits the
 * others come and, while it enumerates, ties and the best policy for every set of modes that is used.
 */
import {
  type Constraints,
  type CostWeights,
  constraintNames,
  constraintTolerance,
  costOf,
  measuresOf,
  type Totals,
} from '../queue/measures.ts';
import type { ModeByLevel } from '../queue/queue.ts';

/** A policy and its cost. */
export interface PricedPolicy {
  readonly byLevel: ModeByLevel;
  readonly cost: number;
}

/** Relative difference below which two costs count as a tie. */
const tieTolerance = 1e-12;
/** Above every cost: what a policy that breaks a limit costs at least. */
export const penalty = 1e250;
/** Sets of modes are bits of a number. */
const mostModesOfSets = 12;

export class Tally {
  readonly #costs: CostWeights;
  readonly #constraints: Constraints | null;
  readonly #sets: boolean;
  best: PricedPolicy | null = null;
  /** Since the enumeration began: policies, and those that cost as little as the best. */
  count = 0;
  ties = 0;
  /** By the bits of the modes that are used; null where there are too many modes. */
  readonly byModes = new Map<number, PricedPolicy>();
  /** The least value of each limited measure, and the policy that exceeds the limits least. */
  readonly smallest: Partial<Record<keyof Constraints, number>> = {};
  nearest: { readonly excess: number; readonly totals: Totals; readonly byLevel: ModeByLevel } | null = null;

  constructor(costs: CostWeights, constraints: Constraints | null, modes: number) {
    this.#costs = costs;
    this.#constraints = constraints;
    this.#sets = modes <= mostModesOfSets;
  }

  get hasSets(): boolean {
    return this.#sets;
  }

  /** Cost of the best policy; infinite when none kept the limits. */
  get bestCost(): number {
    return this.best?.cost ?? Number.POSITIVE_INFINITY;
  }

  /** The cost of a policy; where it breaks a limit, a penalty that falls with the excess, for local search. */
  offer(byLevel: ModeByLevel, totals: Totals): number {
    const excess = this.#excess(byLevel, totals);
    if (excess > 0) return penalty * (1 + Math.min(excess, 1e50));
    const cost = costOf(totals, this.#costs);
    if (cost < this.bestCost) this.best = { byLevel: byLevel.slice(), cost };
    return cost;
  }

  /** As {@link offer}, for each policy of an enumeration once. */
  enumerate(byLevel: ModeByLevel, totals: Totals): void {
    const before = this.bestCost;
    const cost = this.offer(byLevel, totals);
    this.count++;
    if (cost >= penalty) return;
    if (cost < before * (1 - tieTolerance)) this.ties = 1;
    else if (cost <= before * (1 + tieTolerance)) this.ties++;
    if (!this.#sets) return;
    let used = 0;
    for (const mode of byLevel) used |= 1 << mode;
    if (cost < (this.byModes.get(used)?.cost ?? Number.POSITIVE_INFINITY)) {
      this.byModes.set(used, { byLevel: byLevel.slice(), cost });
    }
  }

  /** Sum of the relative excesses over the limits; 0 when all are kept. */
  #excess(byLevel: ModeByLevel, totals: Totals): number {
    if (this.#constraints === null) return 0;
    const measures = measuresOf(totals);
    let excess = 0;
    for (const name of constraintNames) {
      const limit = this.#constraints[name];
      if (limit === undefined) continue;
      const value = measures[name];
      this.smallest[name] = Math.min(value, this.smallest[name] ?? Number.POSITIVE_INFINITY);
      if (value > limit + constraintTolerance * Math.max(limit, constraintTolerance)) {
        excess += (value - limit) / Math.max(limit, 1e-12);
      }
    }
    if (excess > 0 && excess < (this.nearest?.excess ?? Number.POSITIVE_INFINITY)) {
      this.nearest = { excess, totals, byLevel: byLevel.slice() };
    }
    return excess;
  }
}
