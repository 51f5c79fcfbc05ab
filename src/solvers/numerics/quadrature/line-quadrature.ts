/**
 * ∫ e^g(z) dz over the whole line for a concave, analytic g, by the trapezoidal rule around its maximum.
 *
 * For an integrand analytic in a strip the rule converges geometrically in 1/step, so halving the step squares the
 * error. Halving stops when two sums agree to 1e−11, which leaves the last one a good margin. It also stops when they
 * agree to what rounding of g (some ulp of its value at the maximum) allows. The sum walks outward from the maximum
 * until terms fall below e^(−44) of it; concavity makes what is left out negligible. Source: L. N. Trefethen and J. A.
 * C. Weideman, The exponentially convergent trapezoidal rule, SIAM Review 56 (2014).
 *
 * Bounded by construction: the rule may need more than some 10⁴ values, where a maximum is far narrower than its
 * flanks. Then the integral is taken by Gauss–Legendre on panels that are halved where they disagree, at most {@link
 * maxPanels} of them. So a call costs at most some 10⁵ values of g, usually one to three hundred.
 */
import { gaussLegendre, integrateBy } from './gauss-legendre.ts';

const negligible = -44;
/** Terms on one side of the maximum at the first step, beyond which the width given is of no use. */
const maxTerms = 400;
/** Halvings of the step. */
const maxHalvings = 6;
const maxPanels = 2000;
const coarse = gaussLegendre(8);
const fine = gaussLegendre(16);

/** Natural logarithm of the integral, which itself may under- or overflow. */
interface LogIntegral {
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
  const term = (z: number): number => {
    const fall = logIntegrand(z) - logPeak;
    return fall > negligible ? Math.exp(fall) : 0;
  };
  // what rounding of g leaves of the agreement of two sums
  const agreement = Math.max(1e-11, 16 * Number.EPSILON * Math.abs(logPeak));
  const relative = trapezoidal(term, mode, width, agreement) ?? onPanels(term, mode, agreement);
  return { logPeak, relative };
}

/** The trapezoidal sum, or null where it would take too many terms. */
function trapezoidal(term: (z: number) => number, mode: number, width: number, agreement: number): number | null {
  // a step that does not move z, or a maximum that is none
  if (!(width > 64 * Number.EPSILON * Math.abs(mode) && width < Infinity)) return null;
  let most = maxTerms;
  const side = (first: number, step: number): number => {
    let sum = 0;
    let z = first;
    for (let count = 0; count < most; count++, z += step) {
      const value = term(z);
      if (value === 0) return sum;
      sum += value;
    }
    return Number.NaN;
  };
  let step = width / 2;
  let points = 1 + side(mode + step, step) + side(mode - step, -step);
  for (let halvings = 0; halvings < maxHalvings; halvings++) {
    const half = step / 2;
    const between = side(mode + half, step) + side(mode - half, -step);
    if (Number.isNaN(points + between)) return null;
    const converged = Math.abs(between - points) < agreement * points;
    points += between;
    step = half;
    most *= 2;
    if (converged) return points * step;
  }
  return null;
}

/** Adaptive Gauss–Legendre over the stretch where terms count. */
function onPanels(term: (z: number) => number, mode: number, agreement: number): number {
  const low = mode - reach(term, mode, -1);
  const high = mode + reach(term, mode, 1);
  const panels: [number, number][] = [
    [low, mode],
    [mode, high],
  ];
  const scale = (high - low) * 1e-16;
  let sum = 0;
  for (let taken = 0; panels.length > 0; taken++) {
    const [from, to] = panels.pop() ?? [0, 0];
    const better = integrateBy(fine, term, from, to);
    const converged = Math.abs(better - integrateBy(coarse, term, from, to)) <= agreement * better + scale;
    const middle = from + (to - from) / 2;
    if (converged || taken >= maxPanels || !(middle > from && middle < to)) sum += better;
    else panels.push([middle, to], [from, middle]);
  }
  return sum;
}

/** How far from the mode terms count: found by doubling and halving, to a per cent. */
function reach(term: (z: number) => number, mode: number, direction: 1 | -1): number {
  const counts = (distance: number): boolean => term(mode + direction * distance) > 0;
  let high = Math.max(Math.abs(mode) * 1e-15, 1e-300);
  while (high < 1e300 && counts(high)) high *= 16;
  let low = high / 16;
  while (high > 1.01 * low) {
    const middle = Math.sqrt(low) * Math.sqrt(high);
    if (!(middle > low && middle < high)) break;
    if (counts(middle)) low = middle;
    else high = middle;
  }
  return high;
}
