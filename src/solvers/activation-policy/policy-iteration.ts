/**
 * Policy iteration on the switching curve, with a proved lower bound.
 *
 * Model: model.ts. Method (Howard 1960): evaluate the curve exactly (curve-evaluation.ts), improve it,
 *   until it stands still; 3 to 9 iterations from a straight line of about the right slope
 *   (optimum.ts). Every iteration also yields a lower bound over all policies, kept when
 *   it is the best so far.
 * Stopping rule: the curve no longer changes, or its cost has not fallen in the last few iterations.
 * Complexity: an iteration costs about 12·Σ_r c_r(K − c_r) + K³ + O(N·K) flops.
 * Known limits: searches among non-increasing curves; when the bound does not meet the cost, the optimum is no such
 *   curve and general-chain.ts takes over.
 */
import { relativeGap } from '../answer.ts';
import { type Budget, NothingToReturn } from '../budget.ts';
import type { CurveEvaluator } from './curve-evaluation.ts';
import type { ActivationModel, SwitchingCurve } from './model.ts';

/** The best curve found, its cost, and what is proved about it. */
export interface IterationOutcome {
  readonly curve: SwitchingCurve;
  readonly cost: number;
  /** No policy costs less. */
  readonly bound: number;
  readonly iterations: number;
}

/** Relative difference below which two costs are equal to rounding. */
const costTolerance = 1e-12;
/** Iterations without a lower cost after which the search ends: rounding may wander among ties for ever. */
const maxStalls = 4;
/** A cost that falls below this share of the shift is evaluated again with itself as shift: its digits cancelled. */
const shiftRatio = 1e-3;
/** Evaluations with a new shift at most. */
const maxReshifts = 6;
/** Rounding of one residual, in units of the sum of its terms' magnitudes: at most 8 operations on the longest path. */
const roundingUnit = 8 * 2 ** -53;
/** Allowance of a state, in units of the size of its residual: above its rounding and the shift that it causes. */
const allowanceFactor = 8 * roundingUnit;
/** Relative gap below which the bound is not refined. */
const minRefinedGap = 1e-11;

/**
 * Optimises a curve.
 *
 * @param start non-increasing, R[0] ≥ 1
 * @param startCost about what it costs
 * @throws NothingToReturn when the budget ends
 */
export function iteratePolicies(
  evaluator: CurveEvaluator,
  start: SwitchingCurve,
  startCost: number,
  budget: Budget,
): IterationOutcome {
  const { model, values } = evaluator;
  const curve = start.slice();
  let best = curve;
  let [cost, bound, iterations, stalls] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  let current = startCost;
  for (let hasChanged = true; hasChanged && stalls <= maxStalls; ) {
    if (budget.stopRequested()) throw new NothingToReturn('the policy had not been evaluated');
    let [shift, reshifts] = [current, 0];
    current = evaluator.costOf(curve, shift);
    for (; reshifts < maxReshifts && Math.abs(current) <= shiftRatio * Math.abs(shift); reshifts++) {
      shift = current;
      current = evaluator.costOf(curve, shift);
    }
    iterations++;
    stalls = current < cost - costTolerance * Math.abs(current) ? 0 : stalls + 1;
    // Of two curves of the same cost the later one is better in its transient states, which the bound needs.
    if (current <= cost + costTolerance * Math.abs(current)) [best, cost] = [curve.slice(), current];
    bound = Math.max(bound, optimalitySpan(evaluator, current));
    budget.report({ incumbent: cost, bound });
    hasChanged = cost > bound && improveCurve(model, values, curve);
  }
  if (relativeGap(cost, bound) > minRefinedGap) bound = Math.max(bound, refinedBound(evaluator, best, cost));
  return { curve: best, cost, bound, iterations };
}

/**
 * The bound of a curve, refined: its values are found again for costs less a small allowance in each state. That is a
 * multiple of the rounding its residual can suffer. The average cost falls only by the mean allowance over the visited
 * states, where the values are small. But every residual of the true costs becomes positive, so even a cost of 1e−15
 * gets a bound of nearly full relative precision. The evaluator's values, for the size of the rounding, are this
 * curve's or nearly.
 */
function refinedBound(evaluator: CurveEvaluator, curve: SwitchingCurve, cost: number): number {
  const sizes = new Float64Array(evaluator.values.length);
  optimalitySpan(evaluator, cost, sizes);
  const allowance = sizes.map((size) => allowanceFactor * size);
  return optimalitySpan(evaluator, evaluator.costOf(curve, cost, allowance));
}

/**
 * Policy improvement among switching curves. For every queue length q (after the event) the level R[q] walks from where
 * it is. It goes up while one more crawler lowers the relative value, down while it raises it. O(K + steps walked).
 *
 * Improves `curve` in place for `values` and keeps it non-increasing with R[0] ≥ 1; answers whether it changed.
 */
function improveCurve(model: ActivationModel, values: Float64Array, curve: SwitchingCurve): boolean {
  const { capacity: K, crawlers: N } = model;
  const n = K + 1;
  let hasChanged = false;
  for (let q = 0; q <= K; q++) {
    const previousLevel = curve[q];
    const minLevel = q === 0 ? 1 : 0;
    let level = previousLevel;
    // gain(b) = h(q, b) − h(q, b + 1): positive when activating at b is better.
    while (level < N && values[level * n + q] > values[(level + 1) * n + q]) level++;
    if (level === previousLevel)
      while (level > minLevel && values[(level - 1) * n + q] < values[level * n + q]) level--;
    if (q > 0 && level > curve[q - 1]) level = curve[q - 1];
    curve[q] = level;
    if (level !== previousLevel) hasChanged = true;
  }
  return hasChanged;
}

/**
 * The proof: a bound on the optimal average cost from any function h on the states (Odoni 1969; Puterman 1994, §8.5.5).
 *
 *   min_x (Th − h)(x) ≤ g*,
 *   (Th − h)(q,r) = f(q,r) + λr·[min_a h(min(q+1,K), r−1+a) − h(q,r)] + μ·1(q>0)·[min_a h(q−1, min(r+a,N)) − h(q,r)],
 *
 * over every state and both actions (in (1, 0) the departure must activate), so it holds whether or not the optimum is
 * a switching curve. The bound also subtracts what rounding can have added to each residual. So it is a proof in
 * exact arithmetic for the h at hand, the evaluator's values. O(N·K).
 *
 * @param shift the best guess of the cost
 * @param sizes filled with the sum of each residual's magnitudes (entry (0, 0) is 0)
 * @throws NothingToReturn when the budget ends
 */
function optimalitySpan({ model, values: h, poll }: CurveEvaluator, shift: number, sizes?: Float64Array): number {
  const { capacity: K, crawlers: N, crawlerRate, indexingRate: mu, weights } = model;
  const n = K + 1;
  let lower = Number.POSITIVE_INFINITY;
  for (let r = 0; r <= N; r++) {
    poll(20 * n);
    const a = crawlerRate * r;
    const rowStart = r * n;
    const down = r > 0 ? rowStart - n : rowStart;
    const up = r < N ? rowStart + n : rowStart;
    const rowCost = weights.crawler * r - shift;
    const rowCostSize = weights.crawler * r + Math.abs(shift);
    for (let q = r === 0 ? 1 : 0; q <= K; q++) {
      const t = q < K ? q + 1 : K;
      const value = h[rowStart + q];
      const arrival = Math.min(h[rowStart + t], h[down + t]);
      const cost = weights.queue * q + (q === 0 ? weights.starvation : q === K ? weights.loss * a : 0);
      let residual = a * (arrival - value) + rowCost + cost;
      let size = a * (Math.abs(arrival) + Math.abs(value)) + rowCostSize + cost;
      if (q > 0) {
        const departure = q === 1 && r === 0 ? h[up] : Math.min(h[rowStart + q - 1], h[up + q - 1]);
        residual += mu * (departure - value);
        size += mu * (Math.abs(departure) + Math.abs(value));
      }
      if (residual - roundingUnit * size < lower) lower = residual - roundingUnit * size;
      if (sizes) sizes[rowStart + q] = size;
    }
  }
  return shift + lower;
}
