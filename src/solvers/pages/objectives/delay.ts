/**
 * How long does an item wait? c(a) = λa, the items that came since the fetch; V(a) = λa²/2, so that rates go with
 * √(wλ).
 */
import type { StalenessCost } from './staleness-cost.ts';

export const delay = {
  name: 'delay',
  measured: { measure: 'changes not yet seen', unit: 'weight × changes, in the mean' },
  cost: (rate, age) => rate * age,
  integral: (rate, age) => 0.5 * rate * age * age,
  growth: (rate) => rate,
  excessCost: (rate, _age, duration) => 0.5 * rate * duration * duration,
  worth: (rate, weight, age) => 0.5 * weight * rate * age * age,
  intervalAt: (rate, weight, price) => (price > 0 ? Math.sqrt((2 * price) / weight / rate) : 0),
  // c, C and V are linear in the rate: only the mean of the belief matters
  beliefCost: {
    cost: (shape, scale, age) => (shape / scale) * age,
    integral: (shape, scale, age) => 0.5 * (shape / scale) * age * age,
    worth: (shape, scale, age) => 0.5 * (shape / scale) * age * age,
    addDerivatives(shape, scale, age, share, sums) {
      const worth = 0.5 * share * (shape / scale) * age * age;
      sums[0] += worth;
      sums[1] += 2 * worth;
      sums[2] += 4 * worth;
    },
  },
} satisfies StalenessCost;
