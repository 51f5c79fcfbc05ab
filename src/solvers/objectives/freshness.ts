/** Is the copy current? c(a) = 1 − e^{−λa}, the chance that the page has changed; V(a) = (1 − e^{−λa}(1 + λa))/λ. */
import { freshnessGain, inverseFreshnessGain } from './freshness-gain.ts';
import type { StalenessCost } from './staleness-cost.ts';

export const freshness: StalenessCost = {
  name: 'freshness',
  beginsWithPower: 2,
  cost: (rate, age) => -Math.expm1(-rate * age),
  integral: staleTime,
  worth: (rate, weight, age) => (weight * (age === Number.POSITIVE_INFINITY ? 1 : freshnessGain(rate * age))) / rate,
  intervalAt: (rate, weight, price) => {
    const q = (price * rate) / weight;
    if (q <= 0) return 0;
    return q < 1 ? inverseFreshnessGain(q) / rate : Number.POSITIVE_INFINITY;
  },
};

/** ∫₀ᵃ (1 − e^{−λt}) dt, by its series where terms would cancel. */
export function staleTime(rate: number, age: number): number {
  const y = rate * age;
  return y < 1e-3 ? age * y * (0.5 - y / 6 + (y * y) / 24) : age + Math.expm1(-y) / rate;
}
