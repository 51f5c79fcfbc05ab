/**
 * The optimal policy: policy iteration on the switching curve, with N given or left out.
 *
 * - With N given: from a straight line of about the right slope; when the final span does not close, the optimum is no
 *   such curve and policy iteration over all policies decides.
 * - N left out: N grows until R[0], the most crawlers ever wanted, stays below N and stays put when N grows once more.
 *   R[0] is then the number of crawlers the optimum can use (Liu & Nain 2006, Table 1.3).
 */
import { relativeGap } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import { ConditionNotMet } from '../condition.ts';
import { CurveEvaluator } from './curve-evaluation.ts';
import { chainFits, GeneralChain } from './general-chain.ts';
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
import { mostCrawlers } from './size.ts';

/** An optimised policy. */
interface Optimum extends IterationOutcome {
  /** The model it is for: N as given or as found. */
  readonly model: ActivationModel;
  readonly method: 'policy-iteration' | 'general-policy-iteration';
}

/**
 * Where the iteration starts: a straight line through the best static count at half the queue, falling by about
 * 1.6/√(Kλ/μ) crawlers a page. Most optima are nearly that, and it halves the iterations.
 */
export function straightLine(model: ActivationModel, staticCount: number): SwitchingCurve {
  const { capacity: K, crawlers: N, crawlerRate, indexingRate } = model;
  const slope = Math.max(1, 1.6 * Math.sqrt(indexingRate / (crawlerRate * K)));
  return Int32Array.from({ length: K + 1 }, (_, q) =>
    Math.max(q === 0 ? 1 : 0, Math.min(N, Math.round(staticCount + (K / 2 - q) * slope))),
  );
}

/** How to search. */
interface Search {
  /** The relative gap that counts as proved. */
  readonly tolerance: number;
  /** More crawlers are tried where all are wanted. */
  readonly growing?: boolean;
  /** A curve to begin with, non-increasing; a straight line where left out. */
  readonly start?: SwitchingCurve | undefined;
}

/**
 * The optimum for a given N.
 *
 * @throws NothingToReturn when the budget ends
 */
export function optimiseCurve(
  model: ActivationModel,
  { tolerance, growing = false, start }: Search,
  budget: Budget,
): Optimum {
  const best = bestStaticCount(model, model.crawlers);
  const general = chainFits(model);
  const outcome = iteratePolicies(
    {
      evaluator: new CurveEvaluator(model),
      start: start ?? straightLine(model, best.crawlers),
      startCost: best.cost,
      growing: growing && !general,
    },
    budget,
  );
  const proved = relativeGap(outcome.cost, outcome.bound) <= tolerance;
  return proved || !general ? { ...outcome, model, method: 'policy-iteration' } : beyondCurves(model, outcome, budget);
}

/** The optimum of all policies bounds the cost, and its targets are taken when they cost less. */
export function beyondCurves(model: ActivationModel, curve: IterationOutcome, budget: Budget): Optimum {
  const general = new GeneralChain(model, budget).optimum(curve.curve);
  const found = { ...curve, bound: Math.max(curve.bound, general.bound), model };
  const [{ cost }] = evaluateTargets(model, general.targets, budget);
  return cost < curve.cost * (1 - 1e-12)
    ? { ...found, curve: general.targets, cost, method: 'general-policy-iteration' }
    : { ...found, method: 'policy-iteration' };
}

/**
 * The optimum without a limit on the crawlers.
 *
 * @throws NothingToReturn when the budget ends
 */
export function optimiseUnlimited(unlimited: OpenModel, tolerance: number, budget: Budget): Optimum {
  // R[0] must have come to rest before it says how many crawlers are used.
  const search = { tolerance, growing: true };
  const { capacity } = unlimited;
  const most = mostCrawlers(capacity);
  const best = bestStaticCount(unlimited, most);
  const balanced = Math.ceil(unlimited.indexingRate / unlimited.crawlerRate);
  let crawlers = Math.min(most, 2 * Math.max(best.crawlers, Math.min(balanced, most)) + 8);
  let optimum = optimiseCurve({ ...unlimited, crawlers }, search, budget);
  let iterations = optimum.iterations;
  let growth = 1;
  for (let hasConverged = false; !hasConverged; ) {
    // A cost this near to 0, which no cost falls below, is proved for any number of crawlers.
    if (relativeGap(optimum.cost, 0) <= tolerance) break;
    const before = optimum.curve[0];
    if (crawlers === most) {
      // More crawlers than a chain may have would do better still, by how much is not known.
      if (before === crawlers) optimum = { ...optimum, bound: 0 };
      break;
    }
    // Where more crawlers are wanted again and again, the last and largest chain should be nearly all of the work.
    if (before === crawlers) growth = Math.min(8, 2 * growth);
    crawlers = Math.min(most, before < crawlers ? Math.ceil(1.25 * crawlers) + 4 : growth * crawlers);
    const start = isNonIncreasing(optimum.curve) ? optimum.curve : undefined;
    optimum = optimiseCurve({ ...unlimited, crawlers }, { ...search, start }, budget);
    iterations += optimum.iterations;
    hasConverged = before < crawlers && optimum.curve[0] === before;
  }
  const used = Math.max(
    1,
    optimum.curve.reduce((a, b) => Math.max(a, b)),
  );
  return { ...optimum, iterations, model: { ...unlimited, crawlers: used } };
}

/**
 * What targets R[0..K] do in the long run, the most expensive recurrent class first: what they guarantee from any start.
 * A non-increasing R has one class and is evaluated by rows. Any other may have several (Liu & Nain 2006, the example
 * before Lemma 2), which are evaluated one by one.
 *
 * @throws ConditionNotMet when they rise with the queue length and the chain is too large for general elimination
 * @throws NothingToReturn when the budget ends
 */
export function evaluateTargets(
  model: ActivationModel,
  targets: Int32Array,
  budget: Budget,
): readonly [ClassMeasures, ...ClassMeasures[]] {
  if (isNonIncreasing(targets)) {
    const measures = new CurveEvaluator(model).averagesOf(targets, budget);
    return [{ ...measures, minActive: targets[model.capacity], maxActive: largestRecurrentRow(targets) }];
  }
  // Crawlers beyond the largest target are never active for long: they only add transient states.
  const used = { ...model, crawlers: targets.reduce((a, b) => Math.max(a, b)) };
  if (chainFits(used)) {
    if (budget.stopRequested()) throw new NothingToReturn('the targets had not been evaluated');
    return new GeneralChain(used, budget).classesOf(targets);
  }
  const rise = targets.findIndex((target, q) => q > 0 && target > targets[q - 1]);
  throw new ConditionNotMet(
    ['evaluate', 'targets', rise],
    'too-large-to-evaluate',
    `${targets[rise]} is more than the target before it, ${targets[rise - 1]}: targets that rise with the queue length ` +
      `are evaluated by general elimination, which does not fit at capacity ${model.capacity} with ${used.crawlers} ` +
      'crawlers. Make the targets non-increasing, or reduce one of the two',
  );
}
