/**
 * The best policy by queue length that a search has measured, and what the answer says of other policies: ties, the
 * best of each set of modes, and how near to the limits policies come.
 */
import {
  type ConstraintName,
  type Constraints,
  type CostWeights,
  constraintNames,
  costOf,
  type Measures,
  measuresOf,
  violations,
} from '../queue/measures.ts';
import type { ModeByLevel } from '../queue/queue.ts';
import type { LevelPolicyEvaluator } from './levels.ts';

/** A policy and its cost. */
export interface PricedPolicy {
  readonly byLevel: ModeByLevel;
  readonly cost: number;
}

export interface MeasuredPolicy {
  readonly cost: number;
  readonly measures: Measures;
}

/** Relative difference below which two costs count as a tie. */
const tieTolerance = 1e-12;
/** Most modes for which subsets are answered: sets of modes are bits of a number. */
export const maxModesOfSubsets = 12;

export class Incumbent {
  readonly #levels: LevelPolicyEvaluator;
  readonly #costs: CostWeights;
  readonly #constraints: Constraints;
  best: PricedPolicy | null = null;
  /** Whether another policy costs the same. */
  hasTie = false;
  /** Policies measured. */
  evaluations = 0;
  /** The best policy of each set of modes, keyed by the bits of the modes that the policy uses. */
  readonly byModes = new Map<number, PricedPolicy>();
  /** The smallest value of each limited measure over the policies measured. */
  readonly smallestMeasures: Partial<Record<ConstraintName, number>> = {};
  /** Of the policies that break a limit, the one whose excesses have the smallest sum. */
  leastInfeasible: { readonly excess: number; readonly measures: Measures; readonly byLevel: ModeByLevel } | null =
    null;

  constructor(levels: LevelPolicyEvaluator, costs: CostWeights, constraints: Constraints) {
    this.#levels = levels;
    this.#costs = costs;
    this.#constraints = constraints;
  }

  /** Cost of the best policy; infinite when none kept the limits. */
  get cost(): number {
    return this.best?.cost ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Measures a policy, which may become the best.
   *
   * @throws NothingToReturn when the budget ends during an evaluation that takes long
   */
  offer(byLevel: ModeByLevel): MeasuredPolicy {
    const totals = this.#levels.evaluate(byLevel);
    this.evaluations++;
    const cost = costOf(totals, this.#costs);
    const measures = measuresOf(totals);
    if (this.#excess(byLevel, measures) > 0) return { cost, measures };
    const policy = { byLevel: byLevel.slice(), cost };
    if (cost < this.cost * (1 - tieTolerance)) this.hasTie = false;
    else if (cost <= this.cost * (1 + tieTolerance)) this.hasTie ||= !isSame(byLevel, this.best?.byLevel ?? byLevel);
    if (cost < this.cost) this.best = policy;
    let usedModes = 0;
    for (const mode of byLevel) usedModes |= 1 << mode;
    if (cost < (this.byModes.get(usedModes)?.cost ?? Number.POSITIVE_INFINITY)) this.byModes.set(usedModes, policy);
    return { cost, measures };
  }

  /** Sum of the relative excesses over the limits; 0 when all are kept. */
  #excess(byLevel: ModeByLevel, measures: Measures): number {
    for (const name of constraintNames) {
      if (this.#constraints[name] === undefined) continue;
      this.smallestMeasures[name] = Math.min(measures[name], this.smallestMeasures[name] ?? Number.POSITIVE_INFINITY);
    }
    const excess = violations(measures, this.#constraints).reduce((sum, each) => sum + each.excess, 0);
    if (excess > 0 && excess < (this.leastInfeasible?.excess ?? Number.POSITIVE_INFINITY)) {
      this.leastInfeasible = { excess, measures, byLevel: byLevel.slice() };
    }
    return excess;
  }
}

const isSame = (a: ModeByLevel, b: ModeByLevel): boolean => a.every((mode, level) => mode === b[level]);
