import type { Distribution } from '../laws/create-law.ts';
import type { Law } from '../laws/law.ts';
import { closedFormMeanExcess, kinksOf } from '../laws/traits.ts';
import { gaussLegendre, integrateBy } from '../numerics/quadrature/gauss-legendre.ts';

const quadratureRule = gaussLegendre(16);
/** End of the first panel, in v = Λt: up to it the Poisson kernel and survival functions are constant to rounding. */
const minValue = 1e-18;

/**
 * Gauss–Legendre panels of 16 points: one for [0, 1e−18], then of ratio 4 in v up to 1/4, then of width 1 in √v. There
 * the Poisson kernel is a bell of standard deviation ½ whatever j is. Panels are cut where the survival function has a
 * kink and halved until its own integral over each has converged ({@link refinePanels}). Where it has underflowed to
 * 0 there are no points.
 *
 * @param rate Λ > 0, arrivals per time unit
 * @param upper the largest v wanted
 * @returns points v (increasing) and weights so that Σ w·g(v) = ∫₀^upper g(v)·P(X > v/Λ) dv for g like a
 * Poisson probability e^(−v)v^j/j!
 */
export function survivalQuadrature(law: Law, distribution: Distribution, rate: number, upper: number) {
  const points: number[] = [];
  const weights: number[] = [];
  const addPanel = (low: number, high: number): void => {
    for (let i = 0; i < 16; i++) {
      const t = low + (high - low) * (quadratureRule.nodes[i] + 1) * 0.5;
      const survival = law.survival(t);
      if (survival === 0) continue;
      points.push(t * rate);
      weights.push(((high - low) / 2) * rate * quadratureRule.weights[i] * survival);
    }
  };
  const cuts = Array.from(kinksOf(distribution))
    .map((t) => t * rate)
    .filter((v) => v > 0 && v < upper);
  let low = 0;
  while (low < upper) {
    let high = low === 0 ? minValue : low < 0.25 ? 4 * low : (Math.sqrt(low) + 1) ** 2;
    for (const cut of cuts) if (cut > low && cut < high) high = cut;
    high = Math.min(high, upper);
    refinePanels(law, low / rate, high / rate, addPanel);
    low = high;
  }
  return { points: Float64Array.from(points), weights: Float64Array.from(weights) };
}

/** E(X − t)^+ = ∫_t^∞ P(X > u) du of the laws that go through {@link survivalQuadrature}; relative accuracy. */
export function meanExcess(law: Law, distribution: Distribution, t: number): number {
  const excessAt = closedFormMeanExcess(distribution, law.survival);
  if (excessAt !== null) return excessAt(t);
  // Tails lighter than any power: panels [t, 2t], [2t, 4t], … until a panel adds nothing.
  let sum = 0;
  for (let low = t; law.survival(low) > 0; low *= 2) {
    let part = 0;
    refinePanels(law, low, 2 * low, (from, to) => {
      part += average(law, from, to) * (to - from);
    });
    sum += part;
    if (part <= 1e-18 * sum) break;
  }
  return sum;
}

/**
 * Cuts [low, high] into panels over which 16 points integrate the survival function to 1e−14 or to its own rounding,
 * and passes them to `visitPanel` in ascending order. A panel is halved while the integral over its halves differs from
 * that over the whole, unless the difference is rounding: small, and more than a quarter of its parent's.
 */
function refinePanels(law: Law, low: number, high: number, visitPanel: (low: number, high: number) => void): void {
  const halvePanel = (from: number, to: number, whole: number, parent: number, depth: number): void => {
    if (law.survival(from) === 0) return;
    const middle = (from + to) / 2;
    const left = average(law, from, middle);
    const right = average(law, middle, to);
    const deviation = Math.abs((left + right) / 2 - whole) / ((left + right) / 2);
    const isRounding = deviation < 1e-7 && deviation > parent / 4;
    if (!(deviation > 1e-14) || isRounding || depth === 40) {
      visitPanel(from, to);
      return;
    }
    halvePanel(from, middle, left, deviation, depth + 1);
    halvePanel(middle, to, right, deviation, depth + 1);
  };
  halvePanel(low, high, average(law, low, high), Infinity, 0);
}

/** Mean of the survival function over [low, high]. */
function average(law: Law, low: number, high: number): number {
  return integrateBy(quadratureRule, law.survival, low, high) / (high - low);
}
