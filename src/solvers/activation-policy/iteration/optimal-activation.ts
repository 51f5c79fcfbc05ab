/**
 * The optimal policy: policy iteration on the switching curve, and what stands around it.
 *
 * - With N given: from a straight line of about the right slope; when the final span does not close, the optimum is no
 *   such curve and the general policy iteration decides.
 * - N left out: N grows until R[0], the most crawlers ever wanted, stays below N and stays put when N grows once more;
 *   R[0] is then the number of crawlers the optimum can use (Liu & Nain 2006, Table 1.3).
 */
import { relativeGap } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import { newWorkspace } from '../curve/curve-workspace.ts';
import { decisionsOf } from '../decisions/decision-chain.ts';
import { bandFits } from '../decisions/decision-evaluation.ts';
import { type ActivationModel, isNonIncreasing, type SwitchingCurve } from '../model/activation-model.ts';
import { maxStates, mostCrawlers } from '../model/model-limits.ts';
import { inOriginalCosts, withoutRunningCost } from '../model/running-cost.ts';
import { bestStaticCount } from '../model/static-baseline.ts';
import { iterateDecisions } from './general-policy-iteration.ts';
import { evaluateTargets } from './policy-evaluation.ts';
import { type IterationOutcome, iteratePolicies, sharpGap } from './policy-iteration.ts';

/** An optimised policy. */
export interface Optimum extends IterationOutcome {
  /** The model it is for: N as given or as found. */
  readonly model: ActivationModel;
  readonly method: 'policy-iteration' | 'general-policy-iteration';
}

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

/** When to be content. */
export interface Proof {
  /** The relative gap that counts as proved. */
  readonly tolerance: number;
  /** Stop as soon as it is proved, though the curve still moves. */
  readonly early: boolean;
  /**
   * The relative gap at which the bound is sharp enough; as sharp as it can be had without much work where left out.
   */
  readonly sharp?: number;
  /** More crawlers are tried where all are wanted. */
  readonly growing?: boolean;
}

/** A policy to begin with. */
export interface Start {
  /** Non-increasing. */
  readonly curve: SwitchingCurve;
  /**
   * What it costs, about: the nearer, the more precise its relative values; that of the best static count if left out.
   */
  readonly cost?: number;
  /** What its bound needed to be sharp (policy-iteration.ts); of the same K and N. */
  readonly allowance?: Float64Array;
}

/** The optimum for a given N, from `start` or a straight line. */
export function optimiseCurve(
  model: ActivationModel,
  { tolerance, early, sharp = sharpGap, growing = false }: Proof,
  budget: Budget,
  start?: Start,
): Optimum {
  const equivalent = withoutRunningCost(model);
  const { base, scale } = equivalent;
  const best = bestStaticCount(equivalent.model, model.crawlers);
  const states = (model.capacity + 1) * (model.crawlers + 1);
  const reduced = iteratePolicies(
    {
      model: equivalent.model,
      start: start?.curve ?? straightLine(model, best.crawlers),
      startCost: start?.cost === undefined ? best.cost : (start.cost - base) / scale,
      ...(start?.allowance?.length === states && { allowance: start.allowance }),
      workspace: newWorkspace(model),
      enough: early ? tolerance : 0,
      // A negative weight of starvation, which an equivalent model may have, would allow costs below 0.
      floor: base === 0 ? 0 : Number.NEGATIVE_INFINITY,
      sharp,
      growing: growing && !bandFits(model),
    },
    inOriginalCosts(budget, equivalent),
  );
  const bound = Number.isFinite(reduced.bound) ? Math.max(0, base + scale * reduced.bound) : reduced.bound;
  const outcome = { ...reduced, cost: base + scale * reduced.cost, bound };
  if (!Number.isFinite(outcome.cost)) {
    // Stopped before the first evaluation: the static policy's cost is known in closed form.
    const curve = staticCurve(model.capacity, best.crawlers);
    return { ...outcome, curve, cost: base + scale * best.cost, model, method: 'policy-iteration' };
  }
  const proved = relativeGap(outcome.cost, outcome.bound) <= tolerance;
  if (!outcome.converged || proved || !bandFits(model)) {
    return { ...outcome, model, method: 'policy-iteration' };
  }
  return beyondCurves(model, outcome, budget);
}

/** The fall-back: the general optimum bounds the cost, and its targets are taken when they cost less. */
export function beyondCurves(model: ActivationModel, curve: IterationOutcome, budget: Budget): Optimum {
  const general = iterateDecisions(model, decisionsOf(model, curve.curve), budget);
  const iterations = curve.iterations + general.iterations;
  const bound = Math.max(curve.bound, general.bound);
  const { switchPoints: _none, allowance: _neither, ...rest } = curve;
  const found = { ...rest, bound, iterations, converged: general.converged, model };
  const cost = general.evaluation?.cost ?? Number.POSITIVE_INFINITY;
  if (cost >= curve.cost * (1 - 1e-12)) return { ...found, method: 'policy-iteration' };
  const n = model.capacity + 1;
  const targets = new Int32Array(n);
  for (let q = 0; q < n; q++) while (general.decisions[targets[q] * n + q] === 1) targets[q]++;
  const [cheapest] = evaluateTargets(model, targets, budget).classes;
  if (cheapest === undefined || cheapest.cost >= curve.cost) return { ...found, method: 'policy-iteration' };
  return { ...found, curve: targets, cost: cheapest.cost, method: 'general-policy-iteration' };
}

/** The optimum without a limit on the crawlers; `near` is likely to be near it, where one is known. */
export function optimiseUnlimited(
  unlimited: Omit<ActivationModel, 'crawlers'>,
  tolerance: number,
  budget: Budget,
  near?: Start,
): Optimum {
  // R[0] must have come to rest before it says how many crawlers are used.
  const proof = { tolerance, early: false, growing: true };
  const { capacity } = unlimited;
  const most = mostCrawlers(capacity);
  const best = bestStaticCount(unlimited);
  if (best.crawlers > most) throw tooMany(capacity, most);
  const balanced = Math.ceil(unlimited.indexingRate / unlimited.crawlerRate);
  const guess =
    near === undefined ? 2 * Math.max(best.crawlers, Math.min(balanced, most)) : Math.ceil(1.05 * near.curve[0]);
  let crawlers = Math.min(most, guess + 8);
  let optimum = optimiseCurve({ ...unlimited, crawlers }, proof, budget, near);
  let iterations = optimum.iterations;
  let growth = 1;
  for (let settled = false; !settled && optimum.converged; ) {
    // A cost this near to 0, which no cost falls below, is proved for any number of crawlers.
    if (relativeGap(optimum.cost, 0) <= tolerance) break;
    const before = optimum.curve[0];
    if (crawlers === most) {
      if (before < crawlers) break;
      throw tooMany(capacity, most);
    }
    // Where more crawlers are wanted again and again, the last and largest chain should be nearly all of the work.
    if (before === crawlers) growth = Math.min(8, 2 * growth);
    const larger = Math.min(most, before < crawlers ? Math.ceil(1.25 * crawlers) + 4 : growth * crawlers);
    const start = isNonIncreasing(optimum.curve) ? { curve: optimum.curve } : undefined;
    const next = optimiseCurve({ ...unlimited, crawlers: larger }, proof, budget, start);
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

function tooMany(capacity: number, most: number): ConditionNotMet {
  return new ConditionNotMet(
    ['crawlers'],
    'too-large',
    `is left out, and the optimum uses more than ${most} crawlers at capacity ${capacity}: the chain would have more than ` +
      `${maxStates} states. Give crawlers, or reduce capacity or starvationWeight`,
  );
}
