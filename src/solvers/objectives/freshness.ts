/** Is the copy current? c(a) = 1 − e^{−λa}, the chance that the page has changed; V(a) = (1 − e^{−λa}(1 + λa))/λ. */
import { freshnessGain, freshnessRoot, inverseFreshnessGain } from './freshness-gain.ts';
import type { StalenessCost } from './staleness-cost.ts';

export const freshness: StalenessCost = {
  name: 'freshness',
  beginsWithPower: 2,
  cost: (rate, age) => -Math.expm1(-rate * age),
  integral: staleTime,
  growth: (rate, age) => rate * Math.exp(-rate * age),
  beyond: (rate, age, more) => (Math.exp(-rate * age) * staleChanges(rate * more)) / rate,
  worth: (rate, weight, age) => (weight * (age === Number.POSITIVE_INFINITY ? 1 : freshnessGain(rate * age))) / rate,
  intervalAt: (rate, weight, price) => {
    const q = (price * rate) / weight;
    if (q <= 0) return 0;
    return q < 1 ? inverseFreshnessGain(q) / rate : Number.POSITIVE_INFINITY;
  },
  byChanges: {
    reach: 1,
    changesBetween(ratio, price) {
      if (ratio <= price) return Infinity;
      const q = price / ratio;
      return freshnessRoot(q < 0.5 ? -Math.log1p(-q) : -Math.log((ratio - price) / ratio));
    },
    marginal: (y) => -Math.expm1(-y),
    // y²e^(−y)/V; 2 at y = 0
    elasticity: (y) => (y < 1 ? 2 : (y * y * Math.exp(-y)) / (1 - (1 + y) * Math.exp(-y))),
    turn: [2.148, 2.15],
  },
};

/** y − 1 + e^{−y} = ∫₀^y (1 − e^{−u}) du. */
export function staleChanges(y: number): number {
  if (y > 1) return y + Math.expm1(-y);
  let sum = 0;
  for (let n = coefficients.length - 1; n >= 0; n--) sum = sum * y + coefficients[n];
  return sum * y * y;
}

/** (−1)^n/(n + 2)!. */
const coefficients = new Float64Array(17);
for (let n = 0, each = 0.5; n < coefficients.length; n++, each /= -(n + 2)) coefficients[n] = each;

/** ∫₀ᵃ (1 − e^{−λt}) dt, by its series where terms would cancel. */
export function staleTime(rate: number, age: number): number {
  const y = rate * age;
  return y < 1e-3 ? age * y * (0.5 - y / 6 + (y * y) / 24) : age + Math.expm1(-y) / rate;
}
