/**
 * The optimal policy: policy iteration on the switching curve, and what stands around it.
 *
 * - With N given: from a straight line of about the right slope; when the final span does not close, the optimum is no
 *   such curve and the general policy iteration decides.
 * - N left out: N grows until R[0], the most crawlers ever wanted, stays below N and stays put when N grows once more.
 *   R[0] is then the number of crawlers the optimum can use (Liu & Nain 2006, Table 1.3).
 */
import { relativeGap } from '../../answer.ts';
import { type Budget, unlimitedBudget } from '../../budget.ts';
import { chainFits, decisionsOfTargets, plainChain, targetsOfDecisions } from '../evaluate/chain/plain-chain.ts';
import { CurveEvaluator } from '../evaluate/curve/curve-evaluation.ts';
import { evaluateTargets } from '../evaluate/policy-evaluation.ts';
import {
  type ActivationModel,
  isNonIncreasing,
  type OpenModel,
  type SwitchingCurve,
} from '../model/activation-model.ts';
import { mostCrawlers } from '../model/model-limits.ts';
import { withoutRunningCost } from '../model/running-cost.ts';
import { bestStaticCount } from '../model/static-baseline.ts';
import { iterateDecisions } from './general-policy-iteration.ts';
import { type IterationOutcome, iteratePolicies } from './policy-iteration.ts';

/** An optimised policy. */
interface Optimum extends IterationOutcome {
  /** The model it is for: N as given or as found. */
  readonly model: ActivationModel;
  readonly method: 'policy-iteration' | 'general-policy-iteration';
}

/** Whether all of the iteration takes a few milliseconds: it is then made whatever the budget. */
const isBrief = ({ capacity, crawlers }: ActivationModel): boolean => capacity ** 2 * (capacity + crawlers) < 3e4;

/** The curve that keeps `crawlers` active whatever the queue. */
export function staticCurve(capacity: number, crawlers: number): SwitchingCurve {
  return new Int32Array(capacity + 1).fill(crawlers);
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

/** How to search, and when to be content. */
export interface Search {
  /** The relative gap that counts as proved. */
  readonly tolerance: number;
  /** More crawlers are tried where all are wanted. */
  readonly growing?: boolean;
  /** A curve to begin with, non-increasing; a straight line where left out. */
  readonly start?: SwitchingCurve | undefined;
}

/** The optimum for a given N. */
export function optimiseCurve(
  model: ActivationModel,
  { tolerance, growing = false, start }: Search,
  budget: Budget,
): Optimum {
  const { model: equivalent, isOriginal, inOriginal } = withoutRunningCost(model);
  const best = bestStaticCount(equivalent, model.crawlers);
  const general = chainFits(model);
  const reduced = iteratePolicies(
    {
      evaluator: new CurveEvaluator(equivalent),
      start: start ?? straightLine(model, best.crawlers),
      startCost: best.cost,
      // A negative weight of starvation, which an equivalent model may have, would allow costs below 0.
      floor: isOriginal ? 0 : Number.NEGATIVE_INFINITY,
      inOriginal,
      growing: growing && !general,
    },
    isBrief(model) ? { ...unlimitedBudget(), report: (progress) => budget.report(progress) } : budget,
  );
  const bound = Number.isFinite(reduced.bound) ? Math.max(0, inOriginal(reduced.bound)) : reduced.bound;
  const outcome = { ...reduced, cost: inOriginal(reduced.cost), bound };
  if (!outcome.converged && !(outcome.cost <= inOriginal(best.cost))) {
    // Stopped before it did better than the static policy, whose cost is known in closed form.
    const curve = staticCurve(model.capacity, best.crawlers);
    return { ...outcome, curve, cost: inOriginal(best.cost), model, method: 'policy-iteration' };
  }
  const proved = relativeGap(outcome.cost, outcome.bound) <= tolerance;
  if (!outcome.converged || proved || !general) {
    return { ...outcome, model, method: 'policy-iteration' };
  }
  return beyondCurves(model, outcome, budget);
}

/** The fall-back: the general optimum bounds the cost, and its targets are taken when they cost less. */
export function beyondCurves(model: ActivationModel, curve: IterationOutcome, budget: Budget): Optimum {
  const chain = plainChain(model);
  const general = iterateDecisions(chain, decisionsOfTargets(chain, curve.curve), budget);
  const iterations = curve.iterations + general.iterations;
  const bound = Math.max(curve.bound, general.bound);
  const found = { ...curve, bound, iterations, converged: general.converged, model };
  const cost = general.evaluation?.cost ?? Number.POSITIVE_INFINITY;
  if (cost >= curve.cost * (1 - 1e-12)) return { ...found, method: 'policy-iteration' };
  const targets = targetsOfDecisions(chain, general.decisions);
  const [cheapest] = evaluateTargets(model, targets, budget);
  if (cheapest === undefined || cheapest.cost >= curve.cost) return { ...found, method: 'policy-iteration' };
  return { ...found, curve: targets, cost: cheapest.cost, method: 'general-policy-iteration' };
}

/** The optimum without a limit on the crawlers. */
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
  for (let settled = false; !settled && optimum.converged; ) {
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
    const larger = Math.min(most, before < crawlers ? Math.ceil(1.25 * crawlers) + 4 : growth * crawlers);
    const start = isNonIncreasing(optimum.curve) ? optimum.curve : undefined;
    const next = optimiseCurve({ ...unlimited, crawlers: larger }, { ...search, start }, budget);
    iterations += next.iterations;
    if (!next.converged) {
      // The budget ended: the cheaper of the two curves stands, with what is proved for the larger N.
      const cheaper = next.cost < optimum.cost ? next : optimum;
      optimum = { ...cheaper, bound: next.bound, converged: false };
      break;
    }
    settled = before < crawlers && next.curve[0] === before;
    crawlers = larger;
    optimum = next;
  }
  const used = Math.max(
    1,
    optimum.curve.reduce((a, b) => Math.max(a, b)),
  );
  return { ...optimum, iterations, model: { ...unlimited, crawlers: used } };
}
