/**
 * The cheapest targets that keep one upper limit on a long-run average, by its multiplier.
 *
 * The cost and the limited average are linear in what a policy does, so at every price p ≥ 0 of the limit the least of
 * cost + p·(average − limit) is a lower bound on the cost of every policy that keeps it, mixtures of policies in time
 * included. The best price is where the lines of two policies cross, one that keeps the limit and one that does not:
 * both are then best at p, and so are the curves between them, of which the cheapest that keeps the limit is taken, and
 * in small chains improved change by change. The answer is one curve: its gap is mostly what chance in one decision
 * (a mixture of the two policies) would save, some percent in a queue of ten, next to nothing in long ones.
 * Source: Beutler, Ross (1985).
 */
import type { Conflict } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { clashInWords, type ReachedLimit } from '../queue/clash.ts';
import { type ClassMeasures, isNonIncreasing, type OpenModel, type PolicyMeasures } from './model.ts';
import { evaluateTargets, optimiseCurve, optimiseUnlimited } from './optimum.ts';

export const activationLimits = [
  'lossRate',
  'lossProbability',
  'starvationProbability',
  'activeCrawlers',
  'meanQueueLength',
] as const;
type ActivationLimit = (typeof activationLimits)[number];
export type ActivationConstraints = Readonly<Partial<Record<ActivationLimit, number | undefined>>>;

export interface ActivationConflict extends Conflict {
  readonly limits: readonly ReachedLimit<ActivationLimit>[];
}

/** A limit as loss·L + starvation·S + crawlers·E[r] + queue·E[q] ≤ right. */
interface Limit {
  readonly name: ActivationLimit;
  readonly limit: number;
  readonly loss: number;
  readonly starvation: number;
  readonly crawlers: number;
  readonly queue: number;
  readonly right: number;
}

/**
 * The limit that is set, if any.
 *
 * @throws ConditionNotMet where there are several
 */
export function limitOf(constraints: ActivationConstraints = {}, indexingRate: number): Limit | undefined {
  const [first, second] = activationLimits.flatMap((name) => {
    const limit = constraints[name];
    return limit === undefined ? [] : [{ name, limit }];
  });
  if (second !== undefined) {
    const message = 'take one limit: put a price on the others in costs, and sweep it until they are kept';
    throw new ConditionNotMet(['constraints', second.name], 'not-applicable', message);
  }
  if (first === undefined) return undefined;
  const { name, limit } = first;
  const none = { name, limit, loss: 0, starvation: 0, crawlers: 0, queue: 0, right: limit };
  switch (name) {
    case 'lossRate':
      return { ...none, loss: 1 };
    case 'starvationProbability':
      return { ...none, starvation: 1 };
    case 'activeCrawlers':
      return { ...none, crawlers: 1 };
    case 'meanQueueLength':
      return { ...none, queue: 1 };
    case 'lossProbability': {
      // Every page is indexed or lost: λE[r] = μ(1 − S) + L, so L/(λE[r]) ≤ x ⇔ (1 − x)L + xμS ≤ xμ.
      const x = Math.min(1, limit);
      return { ...none, loss: 1 - x, starvation: x * indexingRate, right: x * indexingRate };
    }
  }
}

function excessOf({ loss, starvation, crawlers, queue, right }: Limit, averages: Omit<PolicyMeasures, 'cost'>): number {
  const { lossRate, starvationProbability, meanActive, meanQueueLength } = averages;
  return loss * lossRate + starvation * starvationProbability + crawlers * meanActive + queue * meanQueueLength - right;
}

interface Candidate {
  readonly targets: Int32Array;
  readonly averages: ClassMeasures;
  readonly excess: number;
}

interface LimitedOptimum {
  readonly targets: Int32Array;
  readonly averages: ClassMeasures;
  readonly bound: number;
  readonly iterations: number;
  readonly conflict?: ActivationConflict;
}

/** Prices tried at most: more than ever seen. */
const mostPrices = 60;
/** Prices are raised this often, a hundredfold, before the average alone is minimised. */
const mostRaises = 4;
const tolerance = 1e-10;
/** States of a chain whose curve is improved change by change; in larger ones the gap is small without it. */
const mostImprovedStates = 600;
/** Targets of which two are changed at a time: their pairs are measured one by one. */
const mostPairedTargets = 24;
/** Relative improvement below which a change is rounding. */
const leastImprovement = 1e-12;

/** @throws NothingToReturn when the budget ends */
export function optimiseLimited(
  model: OpenModel & { readonly crawlers?: number | undefined },
  limit: Limit,
  budget: Budget,
): LimitedOptimum {
  let iterations = 0;
  let bound = Number.NEGATIVE_INFINITY;
  const measure = (targets: Int32Array): Candidate => {
    const crawlers = model.crawlers ?? targets.reduce((a, b) => Math.max(a, b));
    const [averages] = evaluateTargets({ ...model, crawlers }, targets, budget);
    return { targets, averages, excess: excessOf(limit, averages) };
  };
  /** The best policy where the cost counts `costWeight` times, and the limit's average has a price. */
  const bestAt = (costWeight: number, price: number): Candidate => {
    const loss = costWeight + price * limit.loss;
    const starvation = costWeight * model.starvationWeight + price * limit.starvation;
    const crawlers = costWeight * model.crawlerCost + price * limit.crawlers;
    // The solver's unit is a lost page: where none of them is priced, it weighs next to nothing.
    const scale = Math.max(loss, 1e-9 * Math.max(starvation, crawlers, price * limit.queue));
    const weighted = {
      ...model,
      starvationWeight: starvation / scale,
      crawlerCost: crawlers / scale,
      queueCost: (price * limit.queue) / scale,
    };
    const given = model.crawlers;
    const optimum =
      given === undefined
        ? optimiseUnlimited(weighted, tolerance, budget)
        : optimiseCurve({ ...weighted, crawlers: given }, { tolerance }, budget);
    iterations += optimum.iterations;
    if (costWeight === 1) bound = Math.max(bound, scale * optimum.bound - price * limit.right);
    return measure(optimum.curve);
  };
  const slack = 1e-12 * Math.max(limit.right, 1e-12);
  const isFeasible = ({ excess }: Candidate): boolean => excess <= slack;
  const resultOf = ({ targets, averages }: Candidate) => ({ targets, averages, bound, iterations });

  let infeasible = bestAt(1, 0);
  if (isFeasible(infeasible)) return resultOf(infeasible);
  // A price that is high enough, or the least that the average can be.
  let price = (10 * Math.max(infeasible.averages.cost, 1e-9 * model.indexingRate)) / Math.max(limit.right, 1e-9);
  let feasible = bestAt(1, price);
  for (let raises = 0; !isFeasible(feasible) && raises < mostRaises; raises++) {
    price *= 100;
    feasible = bestAt(1, price);
  }
  if (!isFeasible(feasible)) feasible = bestAt(0, 1);
  if (!isFeasible(feasible)) return { ...resultOf(feasible), conflict: conflictOf(limit, feasible, model.crawlerRate) };
  let cheapest = feasible;
  for (let tried = 0; tried < mostPrices; tried++) {
    if (budget.stopRequested()) throw new NothingToReturn('the best policy under the limit was not known');
    price = (feasible.averages.cost - infeasible.averages.cost) / (infeasible.excess - feasible.excess);
    if (!(price > 0) || !Number.isFinite(price)) break;
    const next = bestAt(1, price);
    const line = feasible.averages.cost + price * feasible.excess;
    if (isFeasible(next) && next.averages.cost < cheapest.averages.cost) cheapest = next;
    if (next.averages.cost + price * next.excess >= line - 1e-11 * Math.abs(line)) break;
    if (isFeasible(next)) feasible = next;
    else infeasible = next;
  }
  for (const candidate of [cheapest, ...curvesAtLimit(infeasible, feasible, measure, isFeasible)]) {
    if (candidate.averages.cost < cheapest.averages.cost) cheapest = candidate;
  }
  return resultOf(improveTargets(cheapest, model.crawlers, measure, isFeasible, budget));
}

/** Curves no single change of which is both cheaper and within the limit. */
function improveTargets(
  start: Candidate,
  crawlers: number | undefined,
  measure: (targets: Int32Array) => Candidate,
  isFeasible: (candidate: Candidate) => boolean,
  budget: Budget,
): Candidate {
  const most = crawlers ?? 2 * start.targets[0];
  if (!isNonIncreasing(start.targets) || start.targets.length * (most + 1) > mostImprovedStates) return start;
  let best = start;
  for (let improved = true; improved; ) {
    improved = false;
    for (const targets of changesOf(best.targets, most)) {
      if (budget.stopRequested()) return best;
      const candidate = measure(targets);
      if (!isFeasible(candidate) || candidate.averages.cost >= best.averages.cost * (1 - leastImprovement)) continue;
      [best, improved] = [candidate, true];
      break;
    }
  }
  return best;
}

/** Each target raised and lowered by 1, 2, 4, …, the others with it where the curve would rise; then two targets by 1. */
function* changesOf(targets: Int32Array, most: number): Generator<Int32Array> {
  const moved = (from: Int32Array, q: number, by: number): Int32Array => {
    const target = Math.max(q === 0 ? 1 : 0, Math.min(most, from[q] + by));
    const changed = from.map((present, i) =>
      (by > 0 && i < q) || (by < 0 && i > q)
        ? by > 0
          ? Math.max(present, target)
          : Math.min(present, target)
        : present,
    );
    changed[q] = target;
    return changed;
  };
  for (let by = 1; by <= most; by *= 2) {
    for (let q = 0; q < targets.length; q++) {
      yield moved(targets, q, by);
      yield moved(targets, q, -by);
    }
  }
  if (targets.length > mostPairedTargets) return;
  for (let raised = 0; raised < targets.length; raised++) {
    for (let lowered = 0; lowered < targets.length; lowered++) {
      if (raised !== lowered) yield moved(moved(targets, raised, 1), lowered, -1);
    }
  }
}

/** Curves that keep the limit, next to one that does not, on the way to one well within it. */
function curvesAtLimit(
  infeasible: Candidate,
  feasible: Candidate,
  measure: (targets: Int32Array) => Candidate,
  isFeasible: (candidate: Candidate) => boolean,
): Candidate[] {
  if (!isNonIncreasing(infeasible.targets) || !isNonIncreasing(feasible.targets)) return [];
  return pathsBetween(infeasible.targets, feasible.targets).flatMap((steps) => {
    let [low, high] = [0, steps.length - 1];
    let found: Candidate | undefined;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      const candidate = measure(steps[middle]);
      if (isFeasible(candidate)) [high, found] = [middle, candidate];
      else low = middle;
    }
    return found === undefined ? [] : [found];
  });
}

/** Non-increasing curves from one to another, one target changed by one each time: by the short queues or the long first. */
function pathsBetween(from: Int32Array, to: Int32Array): Int32Array[][] {
  return [false, true].map((longFirst) => {
    const steps = [from];
    const curve = from.slice();
    const queues = Array.from(curve.keys());
    for (let moved = true; moved; ) {
      moved = false;
      for (const q of longFirst ? queues.toReversed() : queues) {
        const up = curve[q] < to[q] && (q === 0 || curve[q - 1] > curve[q]);
        const down = curve[q] > to[q] && (q + 1 === curve.length || curve[q + 1] < curve[q]);
        if (!up && !down) continue;
        curve[q] += up ? 1 : -1;
        moved = true;
        steps.push(curve.slice());
      }
    }
    return steps;
  });
}

function conflictOf({ name, limit }: Limit, { averages }: Candidate, crawlerRate: number): ActivationConflict {
  const { lossRate, starvationProbability, meanActive, meanQueueLength } = averages;
  const measures: Record<ActivationLimit, number> = {
    lossRate,
    lossProbability: lossRate / (crawlerRate * meanActive),
    starvationProbability,
    activeCrawlers: meanActive,
    meanQueueLength,
  };
  const limits = [{ constraint: name, limit, smallest: measures[name] }];
  return {
    detail: `${clashInWords(limits, limits, ['policy'])}; raise the limit, or give more crawlers or capacity`,
    limits,
  };
}
