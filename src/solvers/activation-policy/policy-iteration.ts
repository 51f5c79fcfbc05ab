/**
 * Policy iteration on the switching curve, with a proved lower bound.
 *
 * Model: model.ts. Method (Howard 1960): evaluate the curve exactly (curve-evaluation.ts), improve it
 *   (curve-improvement.ts), until it stands still; 3 to 9 iterations from a straight line of about the right slope
 *   (optimum.ts). Every iteration also yields a lower bound over all policies (optimality-span.ts), kept when
 *   it is the best so far.
 * Stopping rule: the curve no longer changes, or only wanders among ties within rounding.
 * Complexity: an iteration costs about 12·Σ_r c_r(K − c_r) + K³ + O(N·K) flops.
 * Known limits: searches among non-increasing curves; when the bound does not meet the cost, the optimum is no such
 *   curve and general-chain.ts takes over.
 */
import { relativeGap } from '../answer.ts';
import type { Budget } from '../budget.ts';
import type { ActivationModel, SwitchingCurve } from './model.ts';
import type { CurveEvaluator } from './rows/curve-evaluation.ts';
import { improveCurve } from './rows/curve-improvement.ts';
import { optimalitySpan, roundingUnit } from './rows/optimality-span.ts';

/** The best curve found, its cost, and what is proved about it. */
export interface IterationOutcome {
  readonly curve: SwitchingCurve;
  readonly cost: number;
  /** No policy costs less. */
  readonly bound: number;
  readonly iterations: number;
}

/** More than ever seen. */
const maxIterations = 500;
/** Costs that differ by less than this share are the same to rounding. */
const sameCost = 1e-12;
/** A gap this small is proved well enough to stop looking for better decisions in transient states. */
const provedGap = 1e-10;
/**
 * Without progress for this many iterations the bound is sharpened to see whether that is so, then ever more rarely.
 */
const firstDoubt = 4;
const patience = 150;
/** A cost that falls by more than this factor in one step is evaluated again, for its own rounding to count. */
const collapse = 1e-3;
/** The allowance must exceed the rounding it pays for, and what it moves itself. */
const allowanceFactor = 8 * roundingUnit;
/** Gaps below this are not worth another evaluation, as a rule. */
const sharpGap = 1e-11;

/** What to improve, and when to be content. */
interface IterationTask {
  readonly evaluator: CurveEvaluator;
  /** Non-increasing, R[0] ≥ 1. */
  readonly start: SwitchingCurve;
  /** About what `start` costs. */
  readonly startCost: number;
  /** Whether the bound need not be sharp where the curve wants every crawler: more of them are given next. */
  readonly growing: boolean;
}

/**
 * Optimises a curve. Leaves the relative values of the last evaluation in the evaluator.
 *
 * @throws NothingToReturn when the budget ends
 */
export function iteratePolicies(task: IterationTask, budget: Budget): IterationOutcome {
  const { evaluator, start, startCost, growing } = task;
  const { model, values } = evaluator;
  const refine = (known: number): number => {
    if (relativeGap(cost, known) <= sharpGap) return known;
    const allowance = allowanceFor(model, values, cost, budget);
    const refined = evaluator.costOf(best, cost, budget, allowance);
    return Math.max(known, optimalitySpan(model, values, refined, { budget }));
  };
  let best = start.slice();
  let cost = Number.POSITIVE_INFINITY;
  let bound = 0;
  let iterations = 0;
  const curve = start.slice();
  let present = startCost;
  let withoutProgress = 0;
  while (iterations < maxIterations) {
    let shift = present;
    present = evaluator.costOf(curve, shift, budget);
    for (let again = 0; again < 6 && Math.abs(present) <= collapse * Math.abs(shift); again++) {
      shift = present;
      present = evaluator.costOf(curve, shift, budget);
    }
    iterations++;
    withoutProgress = present < cost - sameCost * Math.abs(present) ? 0 : withoutProgress + 1;
    // Of two curves of the same cost the later one is better in its transient states, which the bound needs.
    if (present <= cost + sameCost * Math.abs(present)) {
      best = curve.slice();
      cost = present;
    }
    bound = Math.max(bound, optimalitySpan(model, values, present, { budget }));
    budget.report({ incumbent: cost, bound });
    if (cost <= bound) break;
    if (!improveCurve(model, values, curve) || withoutProgress > patience) break;
    // Iterations may improve only transient states for a while, and rounding may wander among ties for ever.
    if (withoutProgress >= firstDoubt && Number.isInteger(Math.log2(withoutProgress))) {
      bound = refine(bound);
      if (relativeGap(cost, bound) <= provedGap) break;
    }
  }
  if (relativeGap(cost, bound) > sharpGap && (!growing || best[0] < model.crawlers)) {
    bound = refine(bound);
  }
  return { curve: best, cost, bound, iterations };
}

/**
 * What sharpens the bound of a curve. Its values are found again for costs from which each state has been given a small
 * allowance. That is a multiple of the rounding its residual can suffer. The average cost falls only by the mean
 * allowance over the visited states, where the values are small. But every residual of the true costs becomes positive,
 * so even a cost of 1e−15 gets a bound of nearly full relative precision.
 *
 * @param values this curve's or nearly: good enough for the size of the rounding
 */
function allowanceFor(model: ActivationModel, values: Float64Array, cost: number, budget: Budget): Float64Array {
  const allowance = new Float64Array(values.length);
  optimalitySpan(model, values, cost, { budget, sizes: allowance });
  for (let i = 0; i < allowance.length; i++) allowance[i] *= allowanceFactor;
  return allowance;
}
