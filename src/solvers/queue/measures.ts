/**
 * From the stationary distribution of a policy to its measures and its cost.
 *
 *   J = λ(c_loss·P_loss + c_obs·P_obs) + a·V1 + c_crawler·N_act + c_starvation·P_star
 *
 * Everything is first kept as rates and means that are linear in the stationary distribution ({@link Totals}).
 * Probabilities and sojourn times are their ratios, by Little's law applied to the pages that will be served and to
 * those that will expire. So V1 = (mean number in system that will be served)/(rate of service ends), and V2 likewise.
 *
 * Source: Avrachenkov et al. (2012), (2), (5)–(9), (14), (15), (22)–(24); for V1 the equal form
 * (1/λP_suc)·Σ p_i[1 + Σ_{j<i} v1_j].
 */

/** Weights of the cost function, each 0 or more. */
export interface CostWeights {
  readonly loss: number;
  readonly obsolescence: number;
  /** a: per unit of mean response time V1. */
  readonly response: number;
  readonly crawler: number;
  readonly starvation: number;
}

/** The measures that may be limited. */
export const constraintNames = [
  'lossProbability',
  'obsolescenceProbability',
  'starvationProbability',
  'responseTime',
  'activeCrawlers',
] as const;
export type ConstraintName = (typeof constraintNames)[number];

/** Upper limits; a measure without one is not limited. */
export type Constraints = Readonly<Partial<Record<ConstraintName, number | undefined>>>;

/** Long-run totals of a policy, all linear in its stationary distribution. Rates are per unit of time. */
export const totalNames = [
  'lossRate',
  'obsolescenceRate',
  'starvationProbability',
  'activeCrawlers',
  // Mean number in system of pages that will be served, and that will expire.
  'toBeServed',
  'toExpire',
  'successRate',
  // Mean number in system, summed over the levels: Little's law is checked against this one.
  'queueLength',
] as const;
export type Totals = Readonly<Record<(typeof totalNames)[number], number>>;

export interface Measures {
  readonly arrivalRate: number;
  readonly lossProbability: number;
  readonly obsolescenceProbability: number;
  readonly successProbability: number;
  readonly starvationProbability: number;
  readonly activeCrawlers: number;
  readonly queueLength: number;
  /**
   * V1: mean time in the system of the pages that are served. `constraints.responseTime` limits this one. Lost and expired
   * pages are not in it: where loss is cheap a policy may keep the limit by losing pages.
   */
  readonly responseTime: number;
  /** Null when nothing expires. */
  readonly obsoleteSojournTime: number | null;
  /** Mean time in the system over all arriving pages, 0 for a lost page: it falls as more pages are lost. */
  readonly sojournTime: number;
}

export function measuresOf(totals: Totals): Measures {
  const arrivalRate = totals.lossRate + totals.obsolescenceRate + totals.successRate;
  return {
    arrivalRate,
    lossProbability: totals.lossRate / arrivalRate,
    obsolescenceProbability: totals.obsolescenceRate / arrivalRate,
    successProbability: totals.successRate / arrivalRate,
    starvationProbability: totals.starvationProbability,
    activeCrawlers: totals.activeCrawlers,
    queueLength: totals.queueLength,
    responseTime: totals.toBeServed / totals.successRate,
    obsoleteSojournTime: totals.obsolescenceRate > 0 ? totals.toExpire / totals.obsolescenceRate : null,
    sojournTime: (totals.toBeServed + totals.toExpire) / arrivalRate,
  };
}

/** The cost J per unit of time, by the formula at the top of this file. */
export function costOf(totals: Totals, costs: CostWeights): number {
  return (
    costs.loss * totals.lossRate +
    costs.obsolescence * totals.obsolescenceRate +
    costs.crawler * totals.activeCrawlers +
    costs.starvation * totals.starvationProbability +
    (costs.response * totals.toBeServed) / totals.successRate
  );
}

/** The excess over each limit that is exceeded, relative to the limit; empty when all limits are kept. */
export function violations(measures: Measures, constraints: Constraints): { name: ConstraintName; excess: number }[] {
  const excesses: { name: ConstraintName; excess: number }[] = [];
  for (const name of constraintNames) {
    const limit = constraints[name];
    if (limit === undefined) continue;
    const excess = measures[name] - limit;
    if (excess > constraintTolerance * Math.max(limit, constraintTolerance))
      excesses.push({ name, excess: excess / Math.max(limit, 1e-12) });
  }
  return excesses;
}

/** Share of a limit by which a measure may exceed it: rounding must not make a tight limit infeasible. */
export const constraintTolerance = 1e-12;
