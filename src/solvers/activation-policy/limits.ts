/**
 * The cheapest targets that keep one upper limit on a long-run average, by its multiplier.
 *
 * The cost and the limited average are linear in what a policy does, so at every price p ≥ 0 of the limit the least of
 * cost + p·(average − limit) is a lower bound on the cost of every policy that keeps it, mixtures of policies in time
 * included. The best price is where the lines of two policies cross, one that keeps the limit and one that does not:
 * both are then best at p. On the straight line between their curves bisection finds the last that keeps the limit,
 * and in small chains the cheapest is improved change by change. The answer is one curve: its gap is mostly
 * what chance in one decision (a mixture of the two policies) would save, some percent in a queue of ten, next to
 * nothing in long ones.
 * Source: Beutler, Ross (1985).
 */
import type { Conflict } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { describeClash, type ReachedLimit } from '../queue/clash.ts';
import {
  type AverageWeights,
  type ClassMeasures,
  type ModelWithoutCrawlerCount,
  type SwitchingCurve,
  weightedSum,
} from './model.ts';
import { costTolerance, measureCurve, type Optimum, optimise } from './optimum.ts';
import { type ActivationProblem, type LimitedAverage, limitedAverages } from './problem.ts';

export interface ActivationConflict extends Conflict {
  readonly limits: readonly ReachedLimit<LimitedAverage>[];
}

/** A limit as Σ weight·average ≤ rightSide. */
interface Limit {
  readonly name: LimitedAverage;
  readonly limit: number;
  readonly weights: AverageWeights;
  readonly rightSide: number;
}

/**
 * The limit that is set, if any.
 *
 * @throws ConditionNotMet where there are several
 */
export function limitOf(constraints: ActivationProblem['constraints'] = {}, indexingRate: number): Limit | undefined {
  const [name, otherName] = limitedAverages.filter((each) => constraints[each] !== undefined);
  if (otherName !== undefined) {
    const message = 'take one limit: put a price on the others in costs, and sweep it until they are kept';
    throw new ConditionNotMet(['constraints', otherName], 'not-applicable', message);
  }
  const limit = constraints[name];
  if (limit === undefined) return undefined;
  // Every page is indexed or lost: λE[r] = μ(1 − S) + L, so L/(λE[r]) ≤ x ⇔ (1 − x)L + xμS ≤ xμ.
  const x = name === 'lossProbability' ? Math.min(1, limit) : 0;
  const weights = {
    starvation: name === 'starvationProbability' ? 1 : x * indexingRate,
    loss: name === 'lossRate' ? 1 : name === 'lossProbability' ? 1 - x : 0,
    crawler: name === 'activeCrawlers' ? 1 : 0,
    queue: name === 'meanQueueLength' ? 1 : 0,
  };
  return { name, limit, weights, rightSide: name === 'lossProbability' ? x * indexingRate : limit };
}

interface Candidate {
  readonly targets: SwitchingCurve;
  readonly measures: ClassMeasures;
  /** By how much the limit is exceeded. */
  readonly excess: number;
}

interface LimitedOptimum extends Omit<Optimum, 'model'> {
  readonly conflict?: ActivationConflict;
}

/** States of a chain whose curve is improved change by change; in larger ones the gap is small without it. */
const maxImprovedStates = 600;

/** @throws NothingToReturn when the budget ends */
export function optimiseLimited(
  model: ModelWithoutCrawlerCount & { readonly crawlers?: number | undefined },
  limit: Limit,
  budget: Budget,
): LimitedOptimum {
  const { weights, rightSide } = limit;
  let iterations = 0;
  let bound = Number.NEGATIVE_INFINITY;
  const candidateOf = (targets: SwitchingCurve, measures = measureCurve(model, targets, budget)): Candidate => ({
    targets,
    measures,
    excess: weightedSum(weights, measures) - rightSide,
  });
  /** The best policy at a price of the limit. */
  const bestAt = (price: number, costs = model.weights): Candidate => {
    const pricedCosts = {
      starvation: costs.starvation + price * weights.starvation,
      loss: costs.loss + price * weights.loss,
      crawler: costs.crawler + price * weights.crawler,
      queue: costs.queue + price * weights.queue,
    };
    const optimum = optimise({ ...model, weights: pricedCosts }, budget);
    iterations += optimum.iterations;
    // The optimum for other costs shows how far the limited average can fall; it is no bound on the model's cost.
    if (costs === model.weights) bound = Math.max(bound, optimum.bound - price * rightSide);
    return candidateOf(optimum.targets, { ...optimum.measures, cost: weightedSum(model.weights, optimum.measures) });
  };
  const slack = 1e-12 * Math.max(rightSide, 1e-12);
  const isFeasible = ({ excess }: Candidate): boolean => excess <= slack;

  let infeasible = bestAt(0);
  if (isFeasible(infeasible)) return { ...infeasible, bound, iterations };
  // Raises the price until the limit is kept.
  const firstPrice = (10 * Math.max(infeasible.measures.cost, 1e-9 * model.indexingRate)) / Math.max(rightSide, 1e-9);
  let feasible = infeasible;
  for (const factor of [1, 1e2, 1e4, 1e6, 1e8]) {
    feasible = bestAt(factor * firstPrice);
    if (isFeasible(feasible)) break;
  }
  // Minimises the limited average alone; with free losses the optimum would use crawlers without end.
  const noCosts = { starvation: 0, loss: weights.loss > 0 ? 0 : 1e-9, crawler: 0, queue: 0 };
  if (!isFeasible(feasible)) feasible = bestAt(1, noCosts);
  if (!isFeasible(feasible)) {
    return { ...feasible, bound, iterations, conflict: conflictOf(limit, feasible.measures, model.crawlerRate) };
  }
  let cheapest = feasible;
  const keepCheapest = (candidate: Candidate): void => {
    if (isFeasible(candidate) && candidate.measures.cost < cheapest.measures.cost) cheapest = candidate;
  };
  for (;;) {
    if (budget.stopRequested()) throw new NothingToReturn('the best policy under the limit was not known');
    const price = (feasible.measures.cost - infeasible.measures.cost) / (infeasible.excess - feasible.excess);
    if (!(price > 0) || !Number.isFinite(price)) break;
    const next = bestAt(price);
    const lineCost = feasible.measures.cost + price * feasible.excess;
    keepCheapest(next);
    if (next.measures.cost + price * next.excess >= lineCost - 1e-11 * Math.abs(lineCost)) break;
    if (isFeasible(next)) feasible = next;
    else infeasible = next;
  }
  bisectBetween(infeasible.targets, feasible.targets, (targets) => {
    const candidate = candidateOf(targets);
    keepCheapest(candidate);
    return isFeasible(candidate);
  });
  const maxTarget = Math.min(model.crawlers ?? Number.POSITIVE_INFINITY, 2 * cheapest.targets[0] + 8);
  keepCheapest(improveTargets(cheapest, maxTarget, candidateOf, isFeasible, budget));
  return { ...cheapest, bound, iterations };
}

/** Bisects the straight line from a curve that exceeds the limit to one that keeps it. */
function bisectBetween(
  from: SwitchingCurve,
  to: SwitchingCurve,
  isFeasible: (targets: SwitchingCurve) => boolean,
): void {
  const curveAt = (share: number) => from.map((target, q) => Math.round(target + share * (to[q] - target)));
  let [low, high] = [0, 1];
  while (curveAt(low).some((target, q) => target !== curveAt(high)[q])) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return;
    if (isFeasible(curveAt(middle))) high = middle;
    else low = middle;
  }
}

/** Raises one target and lowers another, or does one of both, until no such change is both cheaper and within the limit. */
function improveTargets(
  start: Candidate,
  maxTarget: number,
  candidateOf: (targets: SwitchingCurve) => Candidate,
  isFeasible: (candidate: Candidate) => boolean,
  budget: Budget,
): Candidate {
  /** The curve with one target moved, and other targets moved with it where the curve would rise. */
  const moveTarget = (from: SwitchingCurve, q: number, by: number): SwitchingCurve => {
    const target = Math.max(q === 0 ? 1 : 0, Math.min(maxTarget, from[q] + by));
    return from.map((present, i) => (i === q ? target : i < q ? Math.max(present, target) : Math.min(present, target)));
  };
  const targetCount = start.targets.length;
  if (targetCount * (start.targets[0] + 1) > maxImprovedStates) return start;
  let best = start;
  for (let hasImproved = true; hasImproved; ) {
    hasImproved = false;
    for (let change = 1; change < (targetCount + 1) ** 2 && !hasImproved; change++) {
      if (budget.stopRequested()) return best;
      const [raisedPlace, loweredPlace] = [change % (targetCount + 1), Math.floor(change / (targetCount + 1))];
      const raisedTargets = raisedPlace === 0 ? best.targets : moveTarget(best.targets, raisedPlace - 1, 1);
      const candidate = candidateOf(
        loweredPlace === 0 ? raisedTargets : moveTarget(raisedTargets, loweredPlace - 1, -1),
      );
      if (!isFeasible(candidate) || candidate.measures.cost >= best.measures.cost * (1 - costTolerance)) continue;
      [best, hasImproved] = [candidate, true];
    }
  }
  return best;
}

function conflictOf({ name, limit }: Limit, measures: ClassMeasures, crawlerRate: number): ActivationConflict {
  const { lossRate, starvationProbability, meanActive, meanQueueLength } = measures;
  const smallest: Record<LimitedAverage, number> = {
    lossRate,
    lossProbability: lossRate / (crawlerRate * meanActive),
    starvationProbability,
    activeCrawlers: meanActive,
    meanQueueLength,
  };
  const limits = [{ constraint: name, limit, smallest: smallest[name] }];
  return {
    detail: `${describeClash(limits, limits, ['policy'])}; raise the limit, or give more crawlers or capacity`,
    limits,
  };
}
