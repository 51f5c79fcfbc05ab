/** Is the copy current? c(a) = 1 − e^{−λa}, the chance that the page has changed; V(a) = (1 − e^{−λa}(1 + λa))/λ. */
import { changesAtGain, freshnessGain, staleChanges } from './freshness-kernel.ts';
import { addFirstMoment, changedTime, changedWithin, firstMoment } from './gamma-moments.ts';
import type { StalenessCost } from './staleness-cost.ts';

export const freshness: StalenessCost = {
  name: 'freshness',
  measured: { measure: 'staleness', unit: 'weight × share of the time' },
  cost: (rate, age) => -Math.expm1(-rate * age),
  integral: staleTime,
  growth: (rate, age) => rate * Math.exp(-rate * age),
  beyond: (rate, age, more) => (Math.exp(-rate * age) * staleChanges(rate * more)) / rate,
  worth: (rate, weight, age) => (weight * (age === Number.POSITIVE_INFINITY ? 1 : freshnessGain(rate * age))) / rate,
  intervalAt: (rate, weight, price) => {
    const q = (price * rate) / weight;
    if (q <= 0) return 0;
    return q < 1 ? changesAtGain(q) / rate : Number.POSITIVE_INFINITY;
  },
  believed: {
    cost: (shape, scale, old) => changedWithin(shape, old / scale),
    integral: (shape, scale, old) => scale * changedTime(shape, old / scale),
    worth: (shape, scale, old) => scale * firstMoment(shape, old / scale),
    rise: (shape, scale, old, share, sums) => addFirstMoment(shape, old / scale, share * scale, sums),
  },
  byChanges: {
    reach: 1,
    changesBetween(ratio, price) {
      if (ratio <= price) return Infinity;
      return changesAtGain(price / ratio, (ratio - price) / ratio);
    },
    marginal: (y) => -Math.expm1(-y),
    // y²e^(−y)/V; 2 at y = 0
    elasticity: (y) => (y < 1 ? 2 : (y * y * Math.exp(-y)) / freshnessGain(y)),
  },
};

/** ∫₀ᵃ (1 − e^{−λt}) dt. */
export function staleTime(rate: number, age: number): number {
  return staleChanges(rate * age) / rate;
}
