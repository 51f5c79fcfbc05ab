/**
 * ∫ e^g(z) dz over the whole line for a concave, analytic g, by the trapezoidal rule around its maximum.
 *
 * For an integrand analytic in a strip the rule converges geometrically in 1/step, so halving the step squares the
 * error. Halving stops when two sums agree to 1e−11, which leaves the last one a good margin. It also stops when they
 * agree to within the rounding of g (some ulp of its value at the maximum). The sum runs outward from the maximum until
 * terms fall below e^(−44) of the largest; by concavity the terms left out are negligible. One to three hundred values
 * of g usually; some 10⁵ where a flank is a thousand times steeper than the other. Source: L. N. Trefethen and J. A. C.
 * Weideman, The exponentially convergent trapezoidal rule, SIAM Review 56 (2014).
 */

/** Logarithm of the smallest term of the sum that counts, relative to the largest. */
const minLogTerm = -44;
/** Halvings of the step at most; never reached by a concave g. */
const maxHalvings = 8;
/** Steps of the search for the maximum at most; enough for a maximum 1e300 away. */
const maxSteps = 5000;
/** Largest fall of g from the starting point of the sum to its first term on either side. */
const maxFirstFall = 2;

/** Natural logarithm of the integral, which itself may under- or overflow. */
interface LogIntegral {
  /** g near the maximum. */
  readonly logPeak: number;
  /** ∫ e^(g − logPeak) dz. */
  readonly relative: number;
}

/**
 * ∫ e^g dz over the real line, g concave.
 *
 * @param start a point where g is finite; the search for the maximum begins there
 */
export function integrateLogConcave(g: (z: number) => number, start: number): LogIntegral {
  const { at, width, logPeak } = findPeak(g, start);
  // tolerance for two sums to agree: rounding of g moves each of them
  const agreement = Math.max(1e-11, 16 * Number.EPSILON * Math.abs(logPeak));
  const side = (first: number, step: number): number => {
    let sum = 0;
    for (let z = first; ; z += step) {
      const fall = g(z) - logPeak;
      if (!(fall > minLogTerm)) return sum;
      sum += Math.exp(fall);
    }
  };
  let step = width / 2;
  let points = 1 + side(at + step, step) + side(at - step, -step);
  for (let halvings = 0; halvings < maxHalvings; halvings++) {
    const half = step / 2;
    const midpoints = side(at + half, step) + side(at - half, -step);
    const hasConverged = Math.abs(midpoints - points) < agreement * points;
    points += midpoints;
    step = half;
    if (hasConverged) break;
  }
  return { logPeak, relative: points * step };
}

/**
 * A point near the maximum of g: its value is the largest of three that are `width` apart, and falls little to the
 * other two.
 */
function findPeak(g: (z: number) => number, start: number): { at: number; width: number; logPeak: number } {
  let [at, width, logPeak, hasHalved] = [start, 1, g(start), false];
  for (let steps = 0; steps < maxSteps; steps++) {
    const [left, right] = [g(at - width), g(at + width)];
    if (left > logPeak || right > logPeak) {
      [at, logPeak] = left > right ? [at - width, left] : [at + width, right];
      width *= 2;
    } else if (logPeak - Math.min(left, right) > maxFirstFall) [width, hasHalved] = [width / 2, true];
    else if (!hasHalved && logPeak - Math.min(left, right) < maxFirstFall / 8) width *= 2;
    else break;
  }
  return { at, width, logPeak };
}
