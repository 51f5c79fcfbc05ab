/**
 * The optimal policy: policy iteration (Howard 1960) on the switching curve, with N given or left out.
 *
 * - With N given: evaluate the curve exactly (curve-evaluation.ts) and improve it until it stands still, 3 to 9 times
 *   from a straight line of about the right slope. Its relative values prove a lower bound over all policies
 *   (lowerBound in model.ts), whether or not the optimum is such a curve; it was in all of 3,000 random queues.
 * - N left out: N grows until the optimum leaves a crawler unused. The bound is proved among at most N crawlers, the last
 *   N tried. For more it is not: an optimum off its limit stays one without the limit only where costs are convex in the
 *   crawlers, which nobody has shown. That more save nothing agrees with Liu & Nain (2006), Table 1.3.
 *
 * An iteration costs about 12·Σ_r c_r(K − c_r) + K³ + O(N·K) flops.
 */
import { relativeGap } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { CurveEvaluator } from './curve-evaluation.ts';
import {
  type ActivationModel,
  bestStaticCount,
  type ClassMeasures,
  improveCurve,
  lowerBound,
  type ModelWithoutCrawlerCount,
  type SwitchingCurve,
} from './model.ts';
import { maxCrawlersAt } from './problem.ts';

/** The relative gap that counts as proved. */
export const provedGap = 1e-9;
/** Relative difference below which two costs are equal to rounding. */
export const costTolerance = 1e-12;
/** Iterations without a lower cost after which the search ends: with rounding it may cycle among ties. */
const maxStalls = 4;

/** An optimised policy. */
export interface Optimum {
  /** The model, its number of crawlers N as given or as found. */
  readonly model: ActivationModel;
  readonly targets: SwitchingCurve;
  readonly measures: ClassMeasures;
  /** Lower bound on the cost of every policy of at most N crawlers: N as given, else the last N tried. */
  readonly bound: number;
  readonly iterations: number;
}

/**
 * The optimal policy for `crawlers` crawlers; where `crawlers` is undefined, for as many as the optimum can use.
 *
 * @param start a non-increasing curve to begin with
 * @throws NothingToReturn when the budget ends
 */
export function optimise(
  { crawlers: crawlerLimit, ...baseModel }: ModelWithoutCrawlerCount & { readonly crawlers?: number | undefined },
  budget: Budget,
  start?: SwitchingCurve,
): Optimum {
  if (crawlerLimit !== undefined) return optimiseCurve({ ...baseModel, crawlers: crawlerLimit }, budget, start);
  const maxCount = maxCrawlersAt(baseModel.capacity);
  const balancedCount = Math.ceil(baseModel.indexingRate / baseModel.crawlerRate);
  let crawlers = 2 * Math.max(bestStaticCount(baseModel, maxCount).crawlers, balancedCount) + 8;
  let iterations = 0;
  for (let curve = start; ; ) {
    crawlers = Math.min(crawlers, maxCount);
    const optimum = optimiseCurve({ ...baseModel, crawlers }, budget, curve);
    iterations += optimum.iterations;
    const usedCrawlers = optimum.targets[0];
    // No cost is below 0, so a cost this close to 0 is optimal for any number of crawlers.
    if (usedCrawlers < crawlers || crawlers === maxCount || relativeGap(optimum.measures.cost, 0) <= provedGap) {
      // At the largest chain allowed more crawlers may cost less, so that only the bound 0 is proved.
      const bound = usedCrawlers === maxCount ? 0 : optimum.bound;
      return { ...optimum, bound, iterations, model: { ...baseModel, crawlers: usedCrawlers } };
    }
    curve = optimum.targets;
    crawlers *= 3;
  }
}

function optimiseCurve(model: ActivationModel, budget: Budget, start?: SwitchingCurve): Optimum {
  const evaluator = new CurveEvaluator(model, budget);
  const curve = start?.slice() ?? straightLine(model);
  let targets = curve.slice();
  let [cost, iterations, stalls] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let hasChanged = true; hasChanged && stalls <= maxStalls; ) {
    if (budget.stopRequested()) throw new NothingToReturn('the policy had not been evaluated');
    const current = evaluator.costOf(curve, iterations === 0 ? 0 : cost);
    iterations++;
    stalls = current < cost - costTolerance * Math.abs(current) ? 0 : stalls + 1;
    // Of two curves of the same cost the later one is better in its transient states, which the bound needs.
    if (current <= cost + costTolerance * Math.abs(current)) [targets, cost] = [curve.slice(), current];
    budget.report({ incumbent: cost });
    // No cost is below 0, so a cost this close to 0 needs no improvement.
    if (relativeGap(cost, 0) <= provedGap) break;
    hasChanged = improveCurve(model, evaluator.values, curve);
  }
  const measures = evaluator.measuresOf(targets);
  const bound = relativeGap(measures.cost, 0) <= provedGap ? 0 : boundBy(evaluator, targets, measures.cost);
  budget.report({ incumbent: measures.cost, bound });
  return { model, targets, measures, bound, iterations };
}

/**
 * Where the iteration starts: a straight line through the best static count at half the queue, falling by about
 * 1.6/√(Kλ/μ) crawlers a page. Most optima are nearly that, and it halves the iterations.
 */
function straightLine(model: ActivationModel): SwitchingCurve {
  const { capacity: K, crawlers: N, crawlerRate, indexingRate } = model;
  const staticCount = bestStaticCount(model, N).crawlers;
  const slope = Math.max(1, 1.6 * Math.sqrt(indexingRate / (crawlerRate * K)));
  return Int32Array.from({ length: K + 1 }, (_, q) =>
    Math.max(q === 0 ? 1 : 0, Math.min(N, Math.round(staticCount + (K / 2 - q) * slope))),
  );
}

/**
 * The lower bound that the evaluator's values h prove. Where rounding opens a gap, the curve's values are found again for
 * costs less a small allowance in each state, a multiple of the rounding that its terms can suffer. The average cost
 * falls only by the mean allowance over the visited states, where the values are small. But every residual (cost +
 * Σ rate·Δh − average) of the true costs becomes positive, so even a cost of 1e−15 gets a bound of nearly full relative
 * precision.
 */
function boundBy(evaluator: CurveEvaluator, curve: SwitchingCurve, cost: number): number {
  const { model, values, poll } = evaluator;
  const allowance = new Float64Array(values.length);
  const bound = lowerBound(model, values, poll, allowance);
  if (relativeGap(cost, bound) <= provedGap) return bound;
  evaluator.costOf(curve, cost, allowance);
  return Math.max(0, bound, lowerBound(model, values, poll));
}

/**
 * Measures of a curve.
 *
 * @throws NothingToReturn when the budget ends
 */
export function measureCurve(model: ModelWithoutCrawlerCount, curve: SwitchingCurve, budget: Budget): ClassMeasures {
  if (budget.stopRequested()) throw new NothingToReturn('the targets had not been evaluated');
  // Crawlers beyond the largest target are never active for long: they only add transient states.
  return new CurveEvaluator({ ...model, crawlers: curve[0] }, budget).measuresOf(curve);
}
