/**
 * ∫ e^g(z) dz over the whole line for a concave, analytic g, by the trapezoidal rule around its maximum.
 *
 * For an integrand analytic in a strip the rule converges geometrically in 1/step, so halving the step squares the error:
 * halving stops when two sums agree to 1e−11, which leaves the last one a good margin. The sum walks outward from the maximum until
 * terms fall below e^(−44) of it; concavity makes what is left out negligible. Source: L. N. Trefethen and J. A. C. Weideman,
 * The exponentially convergent trapezoidal rule, SIAM Review 56 (2014).
 */
const NEGLIGIBLE = -44;

/** Natural logarithm of the integral, which itself may under- or overflow. */
export interface LogIntegral {
  /** g at the maximum. */
  readonly logPeak: number;
  /** ∫ e^(g − logPeak) dz. */
  readonly relative: number;
}

/**
 * @param logIntegrand the concave g
 * @param mode where g is largest (need not be exact)
 * @param width a length on which g falls by about 1 from its maximum; the first step is half of it
 */
export function integrateLogConcave(logIntegrand: (z: number) => number, mode: number, width: number): LogIntegral {
  const logPeak = logIntegrand(mode);
  const side = (first: number, step: number): number => {
    let sum = 0;
    for (let z = first; ; z += step) {
      const fall = logIntegrand(z) - logPeak;
      if (!(fall > NEGLIGIBLE)) return sum;
      sum += Math.exp(fall);
    }
  };
  let step = width / 2;
  let points = 1 + side(mode + step, step) + side(mode - step, -step);
  for (let level = 0; level < 14; level++) {
    const half = step / 2;
    const between = side(mode + half, step) + side(mode - half, -step);
    const settled = Math.abs(between - points) < 1e-11 * points;
    points += between;
    step = half;
    if (settled) break;
  }
  return { logPeak, relative: points * step };
}
