/**
 * Limits on measures, as costs: every limit says that a function linear in the stationary distribution, its excess, is
 * at most 0 ({@link excessOf} has them all). With the rates of loss and of expiry, D service ends per unit of time and
 * n1 the mean number in system of pages that will be served (Totals of queue/measures.ts):
 *
 *   P_loss ≤ x ⇔ loss − x·(loss + expiry + D) ≤ 0,   V1 ≤ x ⇔ n1 − x·D ≤ 0.
 *
 * So the least excess of the policies that see the phases is one policy iteration: above 0, no policy keeps the limit.
 * J + Σ μ_c·(excess of limit c), μ ≥ 0, is at most J for every policy that keeps the limits, and again a cost: its
 * minimum over all policies is a lower bound for them. The best μ maximises a concave function: projected subgradients
 * from 0 with Polyak's step.
 *
 * Source: Polyak (1969); for constrained Markov decision processes, Altman (1999), chapter 3.
 */
import type { Budget } from '../budget.ts';
import { type ConstraintName, type Constraints, constraintNames, constraintTolerance } from '../queue/measures.ts';
import { largestRate } from '../queue/ranges.ts';
import type { AllowedModes, ModeByPhase, PhaseChain, TotalsWeights } from './phase-chain.ts';
import { RatioBounds, type RatioCost } from './ratio-bound.ts';

/** A linear function of the totals that is at most 0 exactly where a policy keeps the limit. */
export interface LinearExcess {
  readonly weights: TotalsWeights;
  readonly constant: number;
}

/** Bounds that the search for multipliers takes. */
const multiplierRounds = 40;
/** Rounds without progress after which the step is halved. */
const staleRounds = 3;
/** Target of Polyak's step while no feasible policy is known: this share of the bound above it. */
const targetGap = 0.05;
/** Relative rounding of the least excess of a limit that is just kept. */
const excessRounding = 1e-9;

export function excessesOf(constraints: Constraints): LinearExcess[] {
  return constraintNames.flatMap((name) => {
    const callersLimit = constraints[name];
    if (callersLimit === undefined) return [];
    // Clamped to the largest value the measure can take: products of the limit stay in the range of doubles.
    const limit = Math.min(callersLimit, name.endsWith('Probability') ? 1 : largestRate);
    return [excessOf(name, limit)];
  });
}

function excessOf(name: ConstraintName, x: number): LinearExcess {
  switch (name) {
    case 'lossProbability':
      return { weights: { lossRate: 1 - x, obsolescenceRate: -x, successRate: -x }, constant: 0 };
    case 'obsolescenceProbability':
      return { weights: { lossRate: -x, obsolescenceRate: 1 - x, successRate: -x }, constant: 0 };
    case 'starvationProbability':
      return { weights: { starvationProbability: 1 }, constant: -x };
    case 'activeCrawlers':
      return { weights: { activeCrawlers: 1 }, constant: -x };
    case 'responseTime':
      return { weights: { toBeServed: 1, successRate: -x }, constant: 0 };
  }
}

/** Sum of the magnitudes of the excess's terms, at the policy evaluated last. */
function sizeOf(chain: PhaseChain, { weights, constant }: LinearExcess): number {
  const totals = chain.totals();
  let size = Math.abs(constant);
  for (const name of namesIn(weights)) size += Math.abs((weights[name] ?? 0) * totals[name]);
  return size;
}

const namesIn = (weights: TotalsWeights) => Object.keys(weights) as (keyof TotalsWeights)[];

/** False when no policy within these modes can keep some limit. */
export function mayBeFeasible(
  chain: PhaseChain,
  excesses: readonly LinearExcess[],
  allowedModes: AllowedModes,
): boolean {
  return excesses.every((excess) => {
    const minExcess =
      chain.minimise(excess.weights, allowedModes, chain.fromLevels(allowedModes.lowest)) + excess.constant;
    return !(minExcess > excessRounding * sizeOf(chain, excess) + constraintTolerance);
  });
}

/**
 * The cost with the limits at the best multipliers found.
 *
 * @param offer tries each relaxed policy as an incumbent; returns the least cost known of a policy that keeps the limits
 */
export function costAtBestMultipliers(
  chain: PhaseChain,
  cost: RatioCost,
  excesses: readonly LinearExcess[],
  offer: (modes: ModeByPhase) => number,
  budget: Budget,
): RatioCost {
  const allowedModes = chain.allModes;
  let multipliers = excesses.map(() => 0);
  let [best, bestBound, stale, step] = [cost, Number.NEGATIVE_INFINITY, 0, 1];
  let start = chain.fromLevels(allowedModes.highest);
  for (let round = 0; round < multiplierRounds && !budget.stopRequested(); round++) {
    const lagrangianCost = lagrangian(cost, excesses, multipliers);
    const effort = { tolerance: excessRounding, maxIntervals: 1, maxTangents: 2, budget };
    const { bound, best: policy } = new RatioBounds(chain, lagrangianCost).prove(allowedModes, start, effort);
    if (bound > bestBound + excessRounding * Math.abs(bestBound)) [best, bestBound, stale] = [lagrangianCost, bound, 0];
    else if (++stale % staleRounds === 0) step /= 2;
    start = policy.modes;
    const incumbent = offer(start);
    const relativeExcesses = excesses.map((excess) => {
      const value = chain.evaluate(excess.weights, start) + excess.constant;
      const scale = sizeOf(chain, excess);
      return { value: scale > 0 ? value / scale : 0, scale };
    });
    const norm = relativeExcesses.reduce(
      (sum, { value }, c) => (value > 0 || multipliers[c] > 0 ? sum + value ** 2 : sum),
      0,
    );
    if (norm === 0) break;
    const target = incumbent < Number.POSITIVE_INFINITY ? incumbent : bound + targetGap * Math.abs(bound);
    const length = (step * Math.max(target - bound, excessRounding * Math.abs(target))) / norm;
    multipliers = multipliers.map((multiplier, c) => {
      const { value, scale } = relativeExcesses[c];
      return scale > 0 ? Math.max(0, multiplier + (length * value) / scale) : multiplier;
    });
  }
  return best;
}

/** J + Σ μ_c·excess_c. */
function lagrangian(cost: RatioCost, excesses: readonly LinearExcess[], multipliers: readonly number[]): RatioCost {
  const linear: { -readonly [Name in keyof TotalsWeights]: number } = { ...cost.linear };
  let { constant } = cost;
  for (const [c, excess] of excesses.entries()) {
    for (const name of namesIn(excess.weights)) {
      linear[name] = (linear[name] ?? 0) + multipliers[c] * (excess.weights[name] ?? 0);
    }
    constant += multipliers[c] * excess.constant;
  }
  return { ...cost, linear, constant };
}
