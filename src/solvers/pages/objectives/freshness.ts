/** Is the copy current? c(a) = 1 − e^{−λa}, the probability of a change since; V(a) = (1 − e^{−λa}(1 + λa))/λ. */
import { changesAtGain, freshnessGain, staleChanges } from './freshness-kernel.ts';
import { addFirstMoment, changedTime, changedWithin, firstMoment } from './gamma-moments.ts';
import type { StalenessCost } from './staleness-cost.ts';

export const freshness = {
  name: 'freshness',
  measured: { measure: 'staleness', unit: 'weight × share of the time' },
  cost: (rate, age) => -Math.expm1(-rate * age),
  integral: staleTime,
  growth: (rate, age) => rate * Math.exp(-rate * age),
  excessCost: (rate, age, duration) => (Math.exp(-rate * age) * staleChanges(rate * duration)) / rate,
  worth: (rate, weight, age) => (weight * (age === Number.POSITIVE_INFINITY ? 1 : freshnessGain(rate * age))) / rate,
  intervalAt: (rate, weight, price) => {
    const q = (price * rate) / weight;
    if (q <= 0) return 0;
    return q < 1 ? changesAtGain(q, (weight - price * rate) / weight) / rate : Number.POSITIVE_INFINITY;
  },
  beliefCost: {
    cost: (shape, scale, age) => changedWithin(shape, age / scale),
    integral: (shape, scale, age) => scale * changedTime(shape, age / scale),
    worth: (shape, scale, age) => scale * firstMoment(shape, age / scale),
    addDerivatives: (shape, scale, age, share, sums) => addFirstMoment(shape, age / scale, share * scale, sums),
  },
} satisfies StalenessCost;

/** Expected stale time of a copy up to an age: ∫₀ᵃ (1 − e^{−λt}) dt, in the unit of the age. */
export function staleTime(rate: number, age: number): number {
  return staleChanges(rate * age) / rate;
}
