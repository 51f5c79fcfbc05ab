/**
 * Lagrange multipliers of the limits: J + Σ μ_c·(excess of limit c), μ ≥ 0, is at most J for every policy that keeps
 * the limits. So its full-information minimum bounds them. Excesses are linear in the stationary distribution
 * (linear-constraints.ts), so this is again a cost with weights, and the best μ maximises a concave function.
 *
 * Method: projected subgradients from μ = 0, Polyak's step towards the incumbent (or 5% above the bound without one),
 * halved after three rounds without progress. The best multipliers seen are kept. 40 rounds of one bound each
 * (ratio-bound.ts). Any μ ≥ 0 gives a valid bound. Source: Polyak (1969); for constrained Markov decision processes,
 * Altman (1999), chapter 3.
 */
import type { Budget } from '../../budget.ts';
import type { Constraints, CostWeights } from '../../queue/measures.ts';
import type { MemorylessQueue } from '../evaluate/memoryless/evaluate-memoryless.ts';
import type { Weights } from '../evaluate/memoryless/rewards.ts';
import { constraintScale, type LinearConstraint } from './linear-constraints.ts';
import { ratioBound } from './ratio-bound.ts';
import { relaxationOfCost } from './relaxation/full-information.ts';
import { allModes } from './relaxation-bound.ts';

/** Cost weights and base weights (see ratio-bound.ts) that together are the Lagrangian. */
export interface Lagrangian {
  readonly costs: CostWeights;
  readonly base: Weights;
}

const rounds = 40;

/** The Lagrangian of the best multipliers found for the whole problem. */
export function bestLagrangian(
  prepared: MemorylessQueue,
  costs: CostWeights,
  limits: readonly LinearConstraint[],
  incumbent: number,
  budget: Budget,
): Lagrangian {
  const { lowest, highest, modes } = allModes(prepared.queue);
  const extremes = { most: modes.slice(), least: new Uint8Array(modes.length) };
  let multipliers = limits.map(() => 0);
  let best = lagrangian(costs, limits, multipliers);
  let bestBound = Number.NEGATIVE_INFINITY;
  let stale = 0;
  let step = 1;
  for (let round = 0; round < rounds && !budget.stopRequested(); round++) {
    const current = lagrangian(costs, limits, multipliers);
    const relaxation = relaxationOfCost(prepared, current.costs, budget);
    const { bound } = ratioBound({
      relaxation,
      base: current.base,
      response: costs.response,
      lowest,
      highest,
      modes,
      extremes,
    });
    if (Number.isNaN(bound)) break;
    if (bound > bestBound + 1e-9 * Math.abs(bestBound)) {
      bestBound = bound;
      best = current;
      stale = 0;
    } else if (++stale % 3 === 0) step /= 2;
    const excesses = limits.map((limit) => limit.relaxation.evaluate(limit.weights, modes) / constraintScale(limit));
    const norm = excesses.reduce((sum, excess, c) => (excess > 0 || multipliers[c] > 0 ? sum + excess ** 2 : sum), 0);
    if (norm === 0) break;
    const target = incumbent < Number.POSITIVE_INFINITY ? incumbent : bound + 0.05 * Math.abs(bound);
    const length = (step * Math.max(target - bound, 1e-9 * Math.abs(target))) / norm;
    // Steps are taken on limits of comparable size: the multiplier of a scaled excess is μ·scale.
    multipliers = multipliers.map((multiplier, c) =>
      Math.max(0, multiplier + (length * excesses[c]) / constraintScale(limits[c])),
    );
  }
  return best;
}

/** The cost as it is: what is left when no multipliers can be had. */
export function unpriced(costs: CostWeights): Lagrangian {
  return { costs, base: [1, 0, 0, 0] };
}

/** J + Σ μ_c·excess_c as weights. */
export function lagrangian(
  costs: CostWeights,
  limits: readonly LinearConstraint[],
  multipliers: readonly number[],
): Lagrangian {
  const mu: Partial<Record<keyof Constraints, number>> = {};
  const x: Partial<Record<keyof Constraints, number>> = {};
  for (const [c, { name, limit }] of limits.entries()) {
    mu[name] = multipliers[c];
    x[name] = limit;
  }
  const of = (name: keyof Constraints): number => mu[name] ?? 0;
  const priced = (name: keyof Constraints): number => of(name) * (x[name] ?? 0);
  const [loss, expiry] = [priced('lossProbability'), priced('obsolescenceProbability')];
  return {
    costs: {
      loss: costs.loss + of('lossProbability') - loss - expiry,
      obsolescence: costs.obsolescence + of('obsolescenceProbability') - loss - expiry,
      response: costs.response,
      crawler: costs.crawler + of('activeCrawlers'),
      starvation: costs.starvation + of('starvationProbability'),
    },
    base: [
      1,
      of('responseTime'),
      -loss - expiry - priced('responseTime'),
      -priced('starvationProbability') - priced('activeCrawlers'),
    ],
  };
}
