/**
 * How old is what is shown? c(a) = a − (1 − e^{−λa})/λ, the expected time since the first change that the copy lacks.
 *
 * With y = λa: C = (y²/2 − y + 1 − e^{−y})/λ², V = (y²/2 − 1 + e^{−y}(1 + y))/λ² = h(y)/λ², h(y) = ∫₀^y u(1 − e^{−u}) du.
 * Small y by their series, in which no terms cancel.
 * Source: the age of Cho & Garcia-Molina 2003, section 2.
 */

import { staleTime } from './freshness.ts';
import { freshnessGain } from './freshness-gain.ts';
import type { StalenessCost } from './staleness-cost.ts';

/** Below it the series are used. */
const small = 1;
const tiny = 1e-60;

export const age: StalenessCost = {
  name: 'age',
  beginsWithPower: 3,
  cost: staleTime,
  integral: (rate, old) => {
    const y = rate * old;
    return (y < small ? alternating(y, () => 1) : 0.5 * y * y - y - Math.expm1(-y)) / rate / rate;
  },
  worth: (rate, weight, old) => (weight * ageGain(rate * old)) / rate / rate,
  intervalAt: (rate, weight, price) => {
    const q = (price / weight) * rate * rate;
    // V = λa³/3 for young copies
    if (q < tiny) return Math.cbrt((3 * price) / weight / rate);
    return q < Number.POSITIVE_INFINITY ? inverseAgeGain(q) / rate : q;
  },
  byChanges: {
    reach: 0,
    changesBetween: (ratio, price) => inverseAgeGain(price / ratio),
    marginal,
    elasticity: () => 3,
    turn: null,
  },
};

/** h(y) = y²/2 − 1 + e^{−y}(1 + y). */
function ageGain(y: number): number {
  if (y < small) return alternating(y, (k) => k - 1);
  return y < Number.POSITIVE_INFINITY ? 0.5 * y * y - freshnessGain(y) : y;
}

/** Σ_{k≥3} (−1)^{k+1} n_k y^k/k!. */
function alternating(y: number, numerator: (k: number) => number): number {
  let term = (y * y * y) / 6;
  let sum = numerator(3) * term;
  for (let k = 4; k < 30 && Math.abs(term) > 1e-18 * sum; k++) {
    term *= -y / k;
    sum += numerator(k) * term;
  }
  return sum;
}

/** The y with h(y) = q by Newton's method: h is convex, and h ≤ y³/3, h ≤ y²/2 give a start below the root. */
function inverseAgeGain(q: number): number {
  let y = Math.max(Math.cbrt(3 * q), Math.sqrt(2 * q));
  for (let iteration = 0; iteration < 50; iteration++) {
    const step = (ageGain(y) - q) / (y * -Math.expm1(-y));
    y -= step;
    if (Math.abs(step) <= 1e-14 * y) break;
  }
  return y;
}

/** y − 1 + e^{−y}. */
function marginal(y: number): number {
  if (y > 1) return y + Math.expm1(-y);
  let term = -y;
  let sum = 0;
  for (let n = 2; n < 20; n++) {
    term *= -y / n;
    sum += term;
  }
  return sum;
}
