/**
 * What an enumeration remembers: the best policy for every set of modes that is used, and ties. Under constraints it
 * also remembers how near to the limits one can come.
 */

import {
  type Constraints,
  type CostWeights,
  constraintNames,
  constraintTolerance,
  costOf,
  measuresOf,
  type Totals,
} from '../../queue/measures.ts';
import { type ModeByLevel, modesOfThresholds, type Queue, thresholdsOfModes } from '../../queue/queue.ts';

/** Two costs closer than this, relative to them, count as a tie. */
const tieTolerance = 1e-12;

/** Above every cost. */
export const penalty = 1e250;

/** The best policy among those that use exactly one set of modes. */
export interface Best {
  cost: number;
  /** N − 1 thresholds in −1..K. */
  readonly thresholds: Int16Array;
}

/** The smallest value of each limited measure over all policies, and the policy that exceeds the limits least. */
interface Reach {
  readonly smallest: Partial<Record<keyof Constraints, number>>;
  nearest: { readonly excess: number; readonly totals: Totals; readonly thresholds: readonly number[] } | null;
}

/**
 * Records policies by the set of modes they use (a bit per mode).
 */
export class Tally {
  readonly costs: CostWeights;
  readonly constraints: Constraints | null;
  readonly byModes = new Map<number, Best>();
  readonly reach: Reach = { smallest: {}, nearest: null };
  #best = Number.POSITIVE_INFINITY;
  #ties = 0;
  #count = 0;

  constructor(costs: CostWeights, constraints: Constraints | null) {
    this.costs = costs;
    this.constraints = constraints;
  }

  /** The least cost recorded; infinite when no policy kept the constraints. */
  get best(): number {
    return this.#best;
  }

  /** How many of the policies counted cost that. */
  get ties(): number {
    return this.#ties;
  }

  /** Policies recorded since the count began. */
  get count(): number {
    return this.#count;
  }

  /** Counts policies and ties anew; what was recorded stays: for an enumeration that begins with an incumbent. */
  restartCount(): void {
    this.#count = 0;
    this.#ties = 0;
  }

  /** The cost of a policy with these totals; infinite when it breaks a limit. */
  costOfTotals(totals: Totals, thresholds: () => readonly number[]): number {
    const cost = costOf(totals, this.costs);
    const excess = this.#excess(totals, thresholds);
    return !(excess > 0) || Number.isNaN(cost) ? cost : Number.POSITIVE_INFINITY;
  }

  /**
   * The cost where the limits are kept, else a penalty above every cost that falls with the excess: for local search.
   */
  penalisedCost(totals: Totals, thresholds: () => readonly number[]): number {
    const excess = this.#excess(totals, thresholds);
    return excess > 0 ? penalty * (1 + Math.min(excess, 1e50)) : costOf(totals, this.costs);
  }

  /** The best policy recorded. */
  bestPolicy(queue: Queue): ModeByLevel | null {
    let best: Best | null = null;
    for (const candidate of this.byModes.values()) if (best === null || candidate.cost < best.cost) best = candidate;
    return best === null ? null : modesOfThresholds(queue, best.thresholds);
  }

  /** Records a policy given level by level. */
  remember(queue: Queue, byLevel: ModeByLevel, cost: number): void {
    let used = 0;
    for (const mode of new Set(byLevel)) used += 2 ** mode;
    const thresholds = thresholdsOfModes(queue, byLevel);
    this.record(used, cost, thresholds.length, (out) => out.set(thresholds));
  }

  /** Sum of the relative excesses over the limits; 0 when all are kept. */
  #excess(totals: Totals, thresholds: () => readonly number[]): number {
    if (this.constraints === null) return 0;
    const measures = measuresOf(totals);
    let excess = 0;
    for (const name of constraintNames) {
      const limit = this.constraints[name];
      if (limit === undefined) continue;
      const value = measures[name];
      if (value < (this.reach.smallest[name] ?? Number.POSITIVE_INFINITY)) this.reach.smallest[name] = value;
      if (value > limit + constraintTolerance * Math.max(limit, constraintTolerance)) {
        excess += (value - limit) / Math.max(limit, 1e-12);
      }
    }
    if (excess > 0 && excess < (this.reach.nearest?.excess ?? Number.POSITIVE_INFINITY)) {
      this.reach.nearest = { excess, totals, thresholds: thresholds() };
    }
    return excess;
  }

  /** Records a policy; `thresholds(out)` writes its vector, and is asked only when it is worth remembering. */
  record(usedModes: number, cost: number, length: number, thresholds: (out: Int16Array) => void): void {
    this.#count++;
    if (!(cost < Number.POSITIVE_INFINITY)) return;
    const margin = tieTolerance * Math.abs(this.#best);
    if (cost < this.#best - margin || this.#best === Number.POSITIVE_INFINITY) {
      this.#ties = 1;
      this.#best = cost;
    } else if (cost <= this.#best + margin) {
      this.#ties++;
      if (cost < this.#best) this.#best = cost;
    }
    const known = this.byModes.get(usedModes);
    if (known === undefined) {
      const best = { cost, thresholds: new Int16Array(length) };
      thresholds(best.thresholds);
      this.byModes.set(usedModes, best);
    } else if (cost < known.cost) {
      known.cost = cost;
      thresholds(known.thresholds);
    }
  }
}
