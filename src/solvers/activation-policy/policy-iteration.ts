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

/** Iterations at most: more than ever seen. */
const maxIterations = 500;
/** Relative difference below which two costs are equal to rounding. */
const sameCost = 1e-12;
/** Relative gap at which the search for better decisions in transient states ends. */
const provedGap = 1e-10;
/** After this many iterations without a lower cost the bound is refined; then after 8, 16, … */
const refineAfter = 4;
/** Iterations without a lower cost after which the search ends: rounding may wander among ties for ever. */
const maxStalls = 150;
/** A cost that falls below this share of the shift is evaluated again with itself as shift: its digits cancelled. */
const shiftRatio = 1e-3;
/** Evaluations with a new shift at most. */
const maxReshifts = 6;
/** Allowance of a state, in units of the size of its residual: more than its rounding, and than what it moves itself. */
const allowanceFactor = 8 * roundingUnit;
/** Relative gap below which the bound is not refined. */
const refinedGap = 1e-11;

/** A curve to improve. */
interface IterationTask {
  readonly evaluator: CurveEvaluator;
  /** Non-increasing, R[0] ≥ 1. */
  readonly start: SwitchingCurve;
  /** About what `start` costs. */
  readonly startCost: number;
  /** The number of crawlers is being raised: no refined bound is needed where the curve wants every crawler. */
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
    if (relativeGap(cost, known) <= refinedGap) return known;
    const allowance = allowanceFor(model, values, cost, budget);
    const refined = evaluator.costOf(best, cost, budget, allowance);
    return Math.max(known, optimalitySpan(model, values, refined, { budget }));
  };
  let best = start.slice();
  let cost = Number.POSITIVE_INFINITY;
  let bound = 0;
  let iterations = 0;
  const curve = start.slice();
  let current = startCost;
  let stalls = 0;
  while (iterations < maxIterations) {
    let shift = current;
    current = evaluator.costOf(curve, shift, budget);
    for (let again = 0; again < maxReshifts && Math.abs(current) <= shiftRatio * Math.abs(shift); again++) {
      shift = current;
      current = evaluator.costOf(curve, shift, budget);
    }
    iterations++;
    stalls = current < cost - sameCost * Math.abs(current) ? 0 : stalls + 1;
    // Of two curves of the same cost the later one is better in its transient states, which the bound needs.
    if (current <= cost + sameCost * Math.abs(current)) {
      best = curve.slice();
      cost = current;
    }
    bound = Math.max(bound, optimalitySpan(model, values, current, { budget }));
    budget.report({ incumbent: cost, bound });
    if (cost <= bound) break;
    if (!improveCurve(model, values, curve) || stalls > maxStalls) break;
    // Iterations may improve only transient states for a while, and rounding may wander among ties for ever.
    if (stalls >= refineAfter && Number.isInteger(Math.log2(stalls))) {
      bound = refine(bound);
      if (relativeGap(cost, bound) <= provedGap) break;
    }
  }
  if (relativeGap(cost, bound) > refinedGap && (!growing || best[0] < model.crawlers)) {
    bound = refine(bound);
  }
  return { curve: best, cost, bound, iterations };
}

/**
 * What refines the bound of a curve: its values are found again for costs less a small allowance in each state. That is a multiple of the rounding its residual can suffer. The average cost falls only by the mean
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
