/**
 * The normal law that a posterior of a few unknowns is near its top: Laplace's approximation.
 *
 * The logarithm of the posterior is climbed by Newton's method on central differences; where its curvature is not that
 * of a top, or leads further than differences tell of, as much is added to its diagonal as mends that. At the top the
 * law has the inverse of the curvature for its covariance. The second differences of a pair of unknowns are symmetric
 * about the point: one-sided ones, with half the evaluations, have errors of first order, and may make a hollow of a
 * narrow ridge.
 * Complexity: 1 + 2n + n(n − 1) evaluations a step for n unknowns, and a few on the way to the next.
 * Source: Tierney & Kadane 1986, section 2; Nocedal & Wright 2006, section 3.4.
 */
import { factorise, inverseFactorised, solveFactorised } from '../linear/cholesky.ts';

export interface NormalLaw {
  readonly mean: Float64Array;
  readonly deviation: Float64Array;
}

const mostSteps = 16;
/** To the diagonal, of its largest: what is tried first beside nothing, and at most. */
const leastAdded = 0.01;
const mostAdded = 1e6;
/** No step moves an unknown further: differences tell of what is near. */
const longestStep = 1;
/** A step that moves every unknown by less of its deviation leads to the top. */
const closeEnough = 0.2;
/** Of a step: where no larger share leads upwards, nothing does. */
const leastShare = 1 / 64;

/**
 * @param height ln of the posterior, up to a constant
 * @param start near the top
 * @param widest of the differences, by unknown: where the curvature tells of a smaller deviation, the others known, the
 * next differences are as wide as that
 * @returns null where no top is found near the start
 */
export function laplaceApproximation(
  height: (x: Float64Array) => number,
  start: Float64Array,
  widest: Float64Array,
): NormalLaw | null {
  const n = start.length;
  let x = start;
  let here = height(x);
  let apart = widest;
  for (let step = 0; step < mostSteps; step++) {
    const { slope, information } = differences(height, x, here, apart);
    const damped = dampedMove(information, slope);
    if (damped === null) return null;
    const { move, deviation } = damped;
    if (deviation !== null && move.every((each, k) => Math.abs(each) < closeEnough * deviation[k])) {
      return { mean: x.map((each, k) => each + move[k]), deviation };
    }
    let next = x;
    let there = Number.NEGATIVE_INFINITY;
    for (let share = 1; there < here && share >= leastShare; share /= 2) {
      const taken = share;
      next = x.map((each, k) => each + taken * move[k]);
      there = height(next);
    }
    if (!(there >= here)) return null;
    x = next;
    here = there;
    apart = widest.map((each, k) => Math.min(each, 1 / Math.sqrt(Math.max(0, information[k * n + k]))));
  }
  return null;
}

/**
 * Newton's move, with as little added to the diagonal as makes the matrix positive definite and the move short; the
 * deviations where nothing need be added. Null where nothing helps.
 */
function dampedMove(information: Float64Array, slope: Float64Array) {
  const n = slope.length;
  let largest = 0;
  for (let k = 0; k < n; k++) largest = Math.max(largest, Math.abs(information[k * n + k]));
  for (let added = 0; added <= mostAdded; added = Math.max(leastAdded, 4 * added)) {
    const factor = information.slice();
    for (let k = 0; k < n; k++) factor[k * n + k] += added * largest;
    factorise(factor, n);
    if (factor.some(Number.isNaN)) continue;
    const move = slope.slice();
    solveFactorised(factor, n, move);
    if (move.some((each) => Math.abs(each) > longestStep)) continue;
    if (added > 0) return { move, deviation: null };
    const covariance = inverseFactorised(factor, n);
    return { move, deviation: Float64Array.from(move, (_, k) => Math.sqrt(covariance[k * n + k])) };
  }
  return null;
}

/** The slope of a function and the negative of its second derivatives (lower triangle, row-major), by differences. */
function differences(height: (x: Float64Array) => number, x: Float64Array, here: number, apart: Float64Array) {
  const n = x.length;
  const moved = (k: number, byK: number, l: number, byL: number): number => {
    const there = x.slice();
    there[k] += byK * apart[k];
    there[l] += byL * apart[l];
    return height(there);
  };
  const ahead = Float64Array.from(x, (_, k) => moved(k, 1, k, 0));
  const behind = Float64Array.from(x, (_, k) => moved(k, -1, k, 0));
  const slope = ahead.map((each, k) => (each - behind[k]) / (2 * apart[k]));
  const information = new Float64Array(n * n);
  for (let k = 0; k < n; k++) {
    information[k * n + k] = (2 * here - ahead[k] - behind[k]) / apart[k] ** 2;
    for (let l = 0; l < k; l++) {
      const alone = ahead[k] + behind[k] + ahead[l] + behind[l];
      const both = moved(k, 1, l, 1) + moved(k, -1, l, -1);
      information[k * n + l] = (alone - 2 * here - both) / (2 * apart[k] * apart[l]);
    }
  }
  return { slope, information };
}
