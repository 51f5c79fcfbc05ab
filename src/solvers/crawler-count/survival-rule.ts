import type { Distribution } from '../distributions/distribution.ts';
import type { Law } from '../distributions/law.ts';
import { gaussLegendre } from '../numerics/gauss-legendre.ts';

const RULE = gaussLegendre(16);
/** Below this the Poisson kernel and every survival function are constant to rounding. */
const SMALLEST = 1e-18;

/** Points v (increasing) and weights so that Σ w·g(v) = ∫₀^upper g(v)·P(X > v/Λ) dv for g like a Poisson probability e^(−v)v^j/j!. */
export interface SurvivalRule {
  readonly points: Float64Array;
  readonly weights: Float64Array;
}

/**
 * Gauss–Legendre panels of 16 points: one for [0, 1e−18], then of ratio 4 in v up to 1/4, then of width 1 in √v, where the Poisson kernel is a
 * bell of standard deviation ½ whatever j is. Panels are cut where the survival function has a kink and halved until its own integral over each
 * is settled to 1e−14 and the rounding of
 * the survival function itself. Where it has underflowed to 0 there are no points.
 *
 * @param rate Λ > 0, arrivals per time unit
 * @param upper the largest v wanted
 */
export function survivalRule(law: Law, distribution: Distribution, rate: number, upper: number): SurvivalRule {
  const points: number[] = [];
  const weights: number[] = [];
  const integral = (low: number, high: number): number => {
    let sum = 0;
    for (let i = 0; i < 16; i++)
      sum += RULE.weights[i] * law.survival((low + (high - low) * (RULE.nodes[i] + 1) * 0.5) / rate);
    return sum * ((high - low) / 2);
  };
  const panel = (low: number, high: number, whole: number, depth: number): void => {
    if (law.survival(low / rate) === 0) return;
    const middle = (low + high) / 2;
    const left = integral(low, middle);
    const right = integral(middle, high);
    const tolerance = 1e-14 + 4e-16 * (sensitivity(law, low / rate) + sensitivity(law, high / rate));
    if (depth < 40 && Math.abs(left + right - whole) > tolerance * (left + right)) {
      panel(low, middle, left, depth + 1);
      panel(middle, high, right, depth + 1);
      return;
    }
    for (let i = 0; i < 16; i++) {
      const v = low + (high - low) * (RULE.nodes[i] + 1) * 0.5;
      const survival = law.survival(v / rate);
      if (survival === 0) continue;
      points.push(v);
      weights.push(((high - low) / 2) * RULE.weights[i] * survival);
    }
  };
  const cuts = kinks(distribution)
    .map((t) => t * rate)
    .filter((v) => v > 0 && v < upper);
  let low = 0;
  while (low < upper) {
    let high = low === 0 ? SMALLEST : low < 0.25 ? 4 * low : (Math.sqrt(low) + 1) ** 2;
    for (const cut of cuts) if (cut > low && cut < high) high = cut;
    high = Math.min(high, upper);
    panel(low, high, integral(low, high), 0);
    low = high;
  }
  return { points: Float64Array.from(points), weights: Float64Array.from(weights) };
}

/** Where the survival function is not smooth. */
function kinks(distribution: Distribution): number[] {
  if (distribution.type === 'pareto') return [distribution.scale];
  if (distribution.type === 'uniform') return [distribution.min, distribution.max];
  return [];
}

/** E(X − t)^+ = ∫_t^∞ P(X > u) du of the laws that go through {@link survivalRule}; relative accuracy. */
export function excessBeyond(law: Law, distribution: Distribution, t: number): number {
  switch (distribution.type) {
    case 'pareto':
      if (t > distribution.scale) return (law.survival(t) * t) / (distribution.shape - 1);
      return law.mean - t;
    case 'lomax':
      return (law.survival(t) * (distribution.scale + t)) / (distribution.shape - 1);
    case 'uniform': {
      const { min, max } = distribution;
      if (t <= min) return law.mean - t;
      return t >= max ? 0 : ((max - t) / (max - min)) * ((max - t) / 2);
    }
    default: {
      // tails lighter than any power: panels of ratio 2, halved where needed, until nothing is added
      let sum = 0;
      const add = (low: number, high: number, depth: number): number => {
        const whole = average(law, low, high) * (high - low);
        const middle = (low + high) / 2;
        const halves = (average(law, low, middle) + average(law, middle, high)) * (middle - low);
        const tolerance = 1e-14 + 4e-16 * (sensitivity(law, low) + sensitivity(law, high));
        if (depth >= 40 || Math.abs(halves - whole) <= tolerance * halves) return halves;
        return add(low, middle, depth + 1) + add(middle, high, depth + 1);
      };
      for (let low = t; law.survival(low) > 0; low *= 2) {
        const part = add(low, 2 * low, 0);
        sum += part;
        if (part <= 1e-18 * sum) break;
      }
      return sum;
    }
  }
}

/** Mean of the survival function over [low, high]. */
function average(law: Law, low: number, high: number): number {
  let sum = 0;
  for (let i = 0; i < 16; i++) sum += RULE.weights[i] * law.survival(low + (high - low) * (RULE.nodes[i] + 1) * 0.5);
  return sum / 2;
}

/** How many ulp of the survival function one ulp of its argument or of its exponent makes. */
function sensitivity(law: Law, t: number): number {
  const survival = law.survival(t);
  if (survival <= 0 || t <= 0) return 0;
  return (t * (law.density?.(t) ?? 0)) / survival - Math.log(survival);
}
