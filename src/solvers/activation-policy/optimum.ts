/**
 * The optimal policy: policy iteration on the switching curve, with N given or left out.
 *
 * - With N given: from a straight line of about the right slope; when the final span does not close, the optimum is no
 *   such curve and policy iteration over all policies decides.
 * - N left out: N grows until R[0], the largest number of active crawlers, is below N and no longer changes with N.
 *   R[0] is then the number of crawlers the optimum can use (Liu & Nain 2006, Table 1.3).
 */
import { relativeGap } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { CurveEvaluator } from './curve-evaluation.ts';
import { fitsGeneralChain, GeneralChain } from './general-chain.ts';
import {
  type ActivationModel,
  bestStaticCount,
  type ClassMeasures,
  isNonIncreasing,
  largestRecurrentRow,
  type OpenModel,
  type SwitchingCurve,
} from './model.ts';
import { type IterationOutcome, iteratePolicies } from './policy-iteration.ts';
import { maxCrawlersAt } from './problem.ts';

/** The relative gap that counts as proved. */
export const provedGap = 1e-9;

/** An optimised policy. */
interface Optimum extends IterationOutcome {
  /** The model it is for: N as given or as found. */
  readonly model: ActivationModel;
  readonly method: 'policy-iteration' | 'general-policy-iteration';
}

/** The optimum, N given or left out. @throws NothingToReturn when the budget ends */
export function optimise(model: OpenModel & { readonly crawlers?: number | undefined }, budget: Budget): Optimum {
  const { crawlers } = model;
  return crawlers === undefined ? optimiseUnlimited(model, budget) : optimiseCurve({ ...model, crawlers }, budget);
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

/**
 * The optimum for a given N.
 *
 * @param start a non-increasing curve to begin with
 * @throws NothingToReturn when the budget ends
 */
export function optimiseCurve(model: ActivationModel, budget: Budget, start?: SwitchingCurve): Optimum {
  const staticOptimum = bestStaticCount(model, model.crawlers);
  const evaluator = new CurveEvaluator(model, budget);
  const outcome = iteratePolicies(
    evaluator,
    start ?? straightLine(model, staticOptimum.crawlers),
    staticOptimum.cost,
    budget,
  );
  const isProved = relativeGap(outcome.cost, outcome.bound) <= provedGap;
  if (isProved || !fitsGeneralChain(model)) return { ...outcome, model, method: 'policy-iteration' };
  return optimiseAllPolicies(model, outcome, budget);
}

/** Bounds the cost by the optimum over all policies, and takes its targets when they cost less than the curve. */
export function optimiseAllPolicies(model: ActivationModel, curveOptimum: IterationOutcome, budget: Budget): Optimum {
  const general = new GeneralChain(model, budget).optimum(curveOptimum.curve);
  const result = { ...curveOptimum, bound: Math.max(curveOptimum.bound, general.bound), model };
  const [{ cost }] = evaluateTargets(model, general.targets, budget);
  return cost < curveOptimum.cost * (1 - 1e-12)
    ? { ...result, curve: general.targets, cost, method: 'general-policy-iteration' }
    : { ...result, method: 'policy-iteration' };
}

/** The optimum without a limit on the crawlers. */
function optimiseUnlimited(open: OpenModel, budget: Budget): Optimum {
  const maxCount = maxCrawlersAt(open.capacity);
  const balancedCount = Math.ceil(open.indexingRate / open.crawlerRate);
  let crawlers = Math.min(
    maxCount,
    2 * Math.max(bestStaticCount(open, maxCount).crawlers, Math.min(balancedCount, maxCount)) + 8,
  );
  let [iterations, previousActive] = [0, 0];
  let start: SwitchingCurve | undefined;
  for (;;) {
    const optimum = optimiseCurve({ ...open, crawlers }, budget, start);
    iterations += optimum.iterations;
    const [mostActive] = optimum.curve;
    const hasConverged = mostActive < crawlers && mostActive === previousActive;
    // No cost is below 0, so a cost this close to 0 is optimal for any number of crawlers.
    if (hasConverged || crawlers === maxCount || relativeGap(optimum.cost, 0) <= provedGap) {
      const usedCrawlers = optimum.curve.reduce((a, b) => Math.max(a, b), 1);
      // At the largest chain allowed more crawlers may cost less, so that only the bound 0 is proved.
      const bound = mostActive === maxCount ? 0 : optimum.bound;
      return { ...optimum, bound, iterations, model: { ...open, crawlers: usedCrawlers } };
    }
    crawlers = Math.min(maxCount, mostActive < crawlers ? Math.ceil(1.25 * crawlers) + 4 : 3 * crawlers);
    previousActive = mostActive;
    start = isNonIncreasing(optimum.curve) ? optimum.curve : undefined;
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
  if (fitsGeneralChain(usedModel)) return new GeneralChain(usedModel, budget).classesOf(targets);
  const rise = targets.findIndex((target, q) => q > 0 && target > targets[q - 1]);
  throw new ConditionNotMet(
    ['evaluate', 'targets', rise],
    'too-large-to-evaluate',
    `${targets[rise]} is more than the target before it, ${targets[rise - 1]}: targets that rise with the queue length ` +
      `are evaluated by general elimination, which does not fit at capacity ${model.capacity} with ${usedModel.crawlers} ` +
      'crawlers. Make the targets non-increasing, or reduce one of the two',
  );
}
