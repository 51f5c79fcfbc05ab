/**
 * What an enumeration remembers: the best policy for every set of modes that is used, ties, and (under constraints) how
 * near to the limits one can come.
 */
import {
  type Constraints,
  type CostWeights,
  constraintNames,
  costOf,
  limitTolerance,
  measuresOf,
  type Totals,
} from './measures.ts';
import { totalsOfCycle } from './rewards.ts';

/** Two costs closer than this, relative to them, count as a tie. */
export const tieTolerance = 1e-12;

/** The best policy among those that use exactly one set of modes. */
export interface Best {
  cost: number;
  /** N − 1 thresholds in −1..K. */
  readonly thresholds: Int16Array;
}

/** The smallest value of each limited measure over all policies, and the policy that exceeds the limits least. */
export interface Reach {
  readonly smallest: Partial<Record<keyof Constraints, number>>;
  nearest: { readonly excess: number; readonly totals: Totals; readonly thresholds: readonly number[] } | null;
}

/**
 * Records policies by the set of modes they use (a bit per mode).
 *
 * Scores with constraints need measure columns, without them cost columns (see rewards.ts).
 */
export class Tally {
  readonly costs: CostWeights;
  readonly constraints: Constraints | null;
  readonly byModes = new Map<number, Best>();
  readonly reach: Reach = { smallest: {}, nearest: null };
  best = Number.POSITIVE_INFINITY;
  ties = 0;
  count = 0;

  constructor(costs: CostWeights, constraints: Constraints | null) {
    this.costs = costs;
    this.constraints = constraints;
  }

  /** The cost of a policy from the rewards of its cycle; infinite when it breaks a limit. */
  cost(cycle: Float64Array, thresholds: () => readonly number[]): number {
    if (this.constraints === null) return cycle[0] / cycle[3] + (this.costs.response * cycle[1]) / cycle[2];
    return this.costOfTotals(totalsOfCycle(cycle), thresholds);
  }

  /** As {@link cost}, from totals. */
  costOfTotals(totals: Totals, thresholds: () => readonly number[]): number {
    if (this.constraints === null) return costOf(totals, this.costs);
    const measures = measuresOf(totals);
    let excess = 0;
    for (const name of constraintNames) {
      const limit = this.constraints[name];
      if (limit === undefined) continue;
      const value = measures[name];
      if (value < (this.reach.smallest[name] ?? Number.POSITIVE_INFINITY)) this.reach.smallest[name] = value;
      if (value > limit + limitTolerance * Math.max(limit, limitTolerance)) {
        excess += (value - limit) / Math.max(limit, 1e-12);
      }
    }
    if (excess === 0) return costOf(totals, this.costs);
    if (excess < (this.reach.nearest?.excess ?? Number.POSITIVE_INFINITY)) {
      this.reach.nearest = { excess, totals, thresholds: thresholds() };
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Records a policy; `thresholds(out)` writes its vector, and is asked only when it is worth remembering. */
  record(usedModes: number, cost: number, length: number, thresholds: (out: Int16Array) => void): void {
    this.count++;
    if (!(cost < Number.POSITIVE_INFINITY)) return;
    const margin = tieTolerance * Math.abs(this.best);
    if (cost < this.best - margin || this.best === Number.POSITIVE_INFINITY) {
      this.ties = 1;
      this.best = cost;
    } else if (cost <= this.best + margin) {
      this.ties++;
      if (cost < this.best) this.best = cost;
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
