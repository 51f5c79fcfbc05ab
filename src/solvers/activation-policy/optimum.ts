/**
 * The optimal policy: policy iteration (Howard 1960) on the switching curve, with N given or left out.
 *
 * - With N given: evaluate the curve exactly (curve-evaluation.ts) and improve it until it stands still, 3 to 9 times
 *   from a straight line of about the right slope. Its relative values prove a lower bound over all policies
 *   (all-policies-chain.ts), whether or not the optimum is such a curve; it was one in 3,000 random queues of 3,000.
 * - N left out: N grows until R[0], the largest number of active crawlers, is below N and no longer changes with N.
 *   R[0] is then taken for the number of crawlers the optimum can use. The bound is proved for the last N tried; that
 *   no larger N costs less rests on this stopping test, which agrees with Liu & Nain (2006), Table 1.3.
 *
 * An iteration costs about 12·Σ_r c_r(K − c_r) + K³ + O(N·K) flops.
 */
import { relativeGap } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { AllPoliciesChain, fitsElimination } from './all-policies-chain.ts';
import { CurveEvaluator } from './curve-evaluation.ts';
import {
  type ActivationModel,
  bestStaticCount,
  type ClassMeasures,
  improveCurve,
  isNonIncreasing,
  largestRecurrentRow,
  type ModelWithoutCrawlerCount,
  type SwitchingCurve,
} from './model.ts';
import { maxCrawlersAt } from './problem.ts';

/** The relative gap that counts as proved. */
export const provedGap = 1e-9;
/** Relative difference below which two costs are equal to rounding. */
const costTolerance = 1e-12;
/** Iterations without a lower cost after which the search ends: rounding may wander among ties for ever. */
const maxStalls = 4;
/** A cost that falls below this share of the shift is evaluated again with itself as shift: its digits cancelled. */
const shiftRatio = 1e-3;
/** Evaluations with a new shift at most. */
const maxReshifts = 6;
/** Relative gap below which the bound is not refined. */
const minRefinedGap = 1e-11;
/** Elementary steps of describing a state of the chain that proves the bound. */
const stepsPerState = 100;
/** Allowance of a state, in units of the size of its terms: above their rounding and the shift that it causes. */
const allowanceFactor = 128 * 2 ** -53;

/** An optimised policy. */
interface Optimum {
  /** The model it is for: N as given or as found. */
  readonly model: ActivationModel;
  readonly targets: Int32Array;
  readonly cost: number;
  /** No policy costs less with the N given, or the last one tried. */
  readonly bound: number;
  readonly iterations: number;
}

/** The optimum, N given or left out. @throws NothingToReturn when the budget ends */
export function optimise(
  model: ModelWithoutCrawlerCount & { readonly crawlers?: number | undefined },
  budget: Budget,
): Optimum {
  const { crawlers } = model;
  return crawlers === undefined ? optimiseUnlimited(model, budget) : optimiseCurve({ ...model, crawlers }, budget);
}

/**
 * The optimum for a given N.
 *
 * @param start a non-increasing curve to begin with
 * @throws NothingToReturn when the budget ends
 */
export function optimiseCurve(model: ActivationModel, budget: Budget, start?: SwitchingCurve): Optimum {
  return withBound(searchCurve(model, budget, start), budget);
}

/** The best curve, not yet proved. */
interface CurveSearch extends Omit<Optimum, 'bound'> {
  /** Holds the relative values of a curve as cheap as the best. */
  readonly evaluator: CurveEvaluator;
}

function searchCurve(model: ActivationModel, budget: Budget, start?: SwitchingCurve): CurveSearch {
  const { crawlers, cost } = bestStaticCount(model, model.crawlers);
  return iterateCurves(model, start ?? straightLine(model, crawlers), cost, budget);
}

function withBound({ evaluator, ...search }: CurveSearch, budget: Budget): Optimum {
  const { targets, cost } = search;
  const bound = relativeGap(cost, 0) <= provedGap ? 0 : boundBy(evaluator, targets, cost);
  budget.report({ incumbent: cost, bound });
  return { ...search, bound };
}

/**
 * Where the iteration starts: a straight line through the best static count at half the queue, falling by about
 * 1.6/√(Kλ/μ) crawlers a page. Most optima are nearly that, and it halves the iterations.
 */
function straightLine(model: ActivationModel, staticCount: number): SwitchingCurve {
  const { capacity: K, crawlers: N, crawlerRate, indexingRate } = model;
  const slope = Math.max(1, 1.6 * Math.sqrt(indexingRate / (crawlerRate * K)));
  return Int32Array.from({ length: K + 1 }, (_, q) =>
    Math.max(q === 0 ? 1 : 0, Math.min(N, Math.round(staticCount + (K / 2 - q) * slope))),
  );
}

/** @param startCost about what the start costs */
function iterateCurves(model: ActivationModel, start: SwitchingCurve, startCost: number, budget: Budget): CurveSearch {
  const evaluator = new CurveEvaluator(model, budget);
  const curve = start.slice();
  let best = start;
  let [cost, shift, iterations, stalls, reshifts] = [Number.POSITIVE_INFINITY, startCost, 0, 0, 0];
  for (let hasChanged = true; hasChanged && stalls <= maxStalls; ) {
    if (budget.stopRequested()) throw new NothingToReturn('the policy had not been evaluated');
    const current = evaluator.costOf(curve, shift);
    const isExact = Math.abs(current) > shiftRatio * Math.abs(shift);
    shift = current;
    if (!isExact && ++reshifts <= maxReshifts) continue;
    iterations++;
    stalls = current < cost - costTolerance * Math.abs(current) ? 0 : stalls + 1;
    // Of two curves of the same cost the later one is better in its transient states, which the bound needs.
    if (current <= cost + costTolerance * Math.abs(current)) [best, cost] = [curve.slice(), current];
    budget.report({ incumbent: cost });
    // No cost is below 0, so a cost this close to 0 needs no improvement.
    if (relativeGap(cost, 0) <= provedGap) break;
    hasChanged = improveCurve(model, evaluator.values, curve);
  }
  return { model, targets: best, cost, iterations, evaluator };
}

/**
 * The lower bound that the evaluator's values prove. Where rounding opens a gap, the curve's values are found again for
 * costs less a small allowance in each state, a multiple of the rounding that its terms can suffer. The average cost
 * falls only by the mean allowance over the visited states, where the values are small. But every residual of the true
 * costs becomes positive, so even a cost of 1e−15 gets a bound of nearly full relative precision.
 */
function boundBy(evaluator: CurveEvaluator, curve: SwitchingCurve, cost: number): number {
  evaluator.poll(stepsPerState * evaluator.values.length);
  const chain = new AllPoliciesChain(evaluator.model);
  const magnitudes = new Float64Array(evaluator.values.length);
  const bound = chain.bound(evaluator.values, evaluator.poll, magnitudes);
  if (relativeGap(cost, bound) <= minRefinedGap) return bound;
  evaluator.costOf(
    curve,
    cost,
    magnitudes.map((size) => allowanceFactor * size),
  );
  return Math.max(0, bound, chain.bound(evaluator.values, evaluator.poll));
}

/** The optimum without a limit on the crawlers. */
function optimiseUnlimited(baseModel: ModelWithoutCrawlerCount, budget: Budget): Optimum {
  const maxCount = maxCrawlersAt(baseModel.capacity);
  const balancedCount = Math.ceil(baseModel.indexingRate / baseModel.crawlerRate);
  let crawlers = Math.min(
    maxCount,
    2 * Math.max(bestStaticCount(baseModel, maxCount).crawlers, Math.min(balancedCount, maxCount)) + 8,
  );
  let [iterations, previousActive] = [0, 0];
  let start: SwitchingCurve | undefined;
  for (;;) {
    const search = searchCurve({ ...baseModel, crawlers }, budget, start);
    iterations += search.iterations;
    const [mostActive] = search.targets;
    const hasConverged = mostActive < crawlers && mostActive === previousActive;
    // No cost is below 0, so a cost this close to 0 is optimal for any number of crawlers.
    if (hasConverged || crawlers === maxCount || relativeGap(search.cost, 0) <= provedGap) {
      const usedCrawlers = search.targets.reduce((a, b) => Math.max(a, b), 1);
      // At the largest chain allowed more crawlers may cost less, so that only the bound 0 is proved.
      const { bound } = mostActive === maxCount ? { bound: 0 } : withBound(search, budget);
      const { targets, cost } = search;
      return { targets, cost, bound, iterations, model: { ...baseModel, crawlers: usedCrawlers } };
    }
    crawlers = Math.min(maxCount, mostActive < crawlers ? Math.ceil(1.25 * crawlers) + 4 : 3 * crawlers);
    previousActive = mostActive;
    start = isNonIncreasing(search.targets) ? search.targets : undefined;
  }
}

/**
 * Long-run averages of targets R[0..K] by recurrent class. The most expensive class comes first: its cost is the
 * guarantee from any start. A non-increasing R has one class and is evaluated by rows. Any other may have several
 * (Liu & Nain 2006, the example before Lemma 2), which are evaluated one by one.
 *
 * @throws ConditionNotMet when they rise with the queue length and the chain is too large for general elimination
 * @throws NothingToReturn when the budget ends
 */
export function evaluateTargets(
  model: ActivationModel,
  targets: Int32Array,
  budget: Budget,
): readonly [ClassMeasures, ...ClassMeasures[]] {
  if (budget.stopRequested()) throw new NothingToReturn('the targets had not been evaluated');
  // Crawlers beyond the largest target are never active for long: they only add transient states.
  const usedModel = { ...model, crawlers: targets.reduce((a, b) => Math.max(a, b)) };
  if (isNonIncreasing(targets)) {
    const measures = new CurveEvaluator(usedModel, budget).averagesOf(targets);
    return [{ ...measures, minActive: targets[model.capacity], maxActive: largestRecurrentRow(targets) }];
  }
  if (fitsElimination(usedModel)) return new AllPoliciesChain(usedModel).classesOf(targets, budget);
  const rise = targets.findIndex((target, q) => q > 0 && target > targets[q - 1]);
  throw new ConditionNotMet(
    ['evaluate', 'targets', rise],
    'too-large-to-evaluate',
    `${targets[rise]} is more than the target before it, ${targets[rise - 1]}: targets that rise with the queue length ` +
      `are evaluated by general elimination, which does not fit at capacity ${model.capacity} with ${usedModel.crawlers} ` +
      'crawlers. Make the targets non-increasing, or reduce one of the two',
  );
}
