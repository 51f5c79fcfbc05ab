/**
 * How old is what is shown? c(a) = a − (1 − e^{−λa})/λ, the expected time since the first change that the copy lacks.
 *
 * With y = λa: C = (y²/2 − y + 1 − e^{−y})/λ², V = (y²/2 − 1 + e^{−y}(1 + y))/λ² = h(y)/λ², h(y) = ∫₀^y u(1 − e^{−u})
 * du. Small y by their series, in which no terms cancel.
 * Source: the age of Cho & Garcia-Molina 2003, section 2.
 */

import { staleTime } from './freshness.ts';
import { freshnessGain, staleChanges } from './freshness-kernel.ts';
import { changedWithin, firstMoment, secondMoment } from './gamma-moments.ts';
import type { StalenessCost } from './staleness-cost.ts';

/** Below it the series are used. */
const small = 1;
const tiny = 1e-60;
const integralSeries = alternating(() => 1);
const gainSeries = alternating((k) => k - 1);

export const age: StalenessCost = {
  name: 'age',
  measured: { measure: 'age of what is shown', unit: 'weight × time, in the mean' },
  cost: staleTime,
  integral: (rate, old) => ageIntegral(rate * old) / rate / rate,
  growth: (rate, old) => -Math.expm1(-rate * old),
  // c′(a + u) = 1 − e^{−λ(a + u)} = (1 − e^{−λu}) + (1 − e^{−λa})e^{−λu}
  beyond: (rate, old, more) => {
    const d = rate * more;
    return (ageIntegral(d) - Math.expm1(-rate * old) * staleChanges(d)) / rate / rate;
  },
  worth: (rate, weight, old) => (weight * ageGain(rate * old)) / rate / rate,
  intervalAt: (rate, weight, price) => {
    const q = (price / weight) * rate * rate;
    // V = λa³/3 for young copies
    if (q < tiny) return Math.cbrt((3 * price) / weight / rate);
    return q < Number.POSITIVE_INFINITY ? inverseAgeGain(q) / rate : q;
  },
  // with F, M₁ and M₂ of gamma-moments.ts: c = xF − M₁, V = (x²F − M₂)/2, C = xc − V
  believed: {
    cost: (shape, scale, old) => ageMoments(shape, old / scale).cost * scale,
    integral: (shape, scale, old) => ageMoments(shape, old / scale).integral * scale * scale,
    worth: (shape, scale, old) =>
      old < Number.POSITIVE_INFINITY ? ageMoments(shape, old / scale).worth * scale * scale : old,
    // V′ = x·c′, c′ = F
    rise(shape, scale, old, share, sums) {
      const u = old / scale;
      const { changed, worth } = ageMoments(shape, u);
      const square = share * old * old;
      sums[0] += share * worth * scale * scale;
      sums[1] += square * changed;
      sums[2] += square * (2 * changed + (shape * (1 - changed) * u) / (1 + u));
    },
  },
  definition: {
    over: (rate, gap) => gap * gap * meanAge(rate * gap),
    saving: (y) =>
      y < 1e-2 ? y ** 3 / 3 - y ** 4 / 8 + y ** 5 / 30 - y ** 6 / 144 : (y * y) / 2 + Math.expm1(-y) + y * Math.exp(-y),
  },
  byChanges: {
    reach: 0,
    changesBetween: (ratio, price) => inverseAgeGain(price / ratio),
    marginal: staleChanges,
    elasticity: () => 3,
    turn: null,
  },
};

/** Of the definition: ½ − 1/y + (1 − e^{−y})/y²; the series Σ_{k≥1} (−1)^{k+1} y^k/(k + 2)! where terms cancel. */
function meanAge(y: number): number {
  if (y > 1) return 0.5 - (1 + Math.expm1(-y) / y) / y;
  let term = -0.5;
  let sum = 0;
  for (let k = 1; k < 20; k++) {
    term *= -y / (k + 2);
    sum += term;
  }
  return sum;
}

/** Under a believed rate, in units of the scale. */
function ageMoments(shape: number, u: number) {
  const changed = changedWithin(shape, u);
  const first = firstMoment(shape, u);
  const worth = 0.5 * (u * u * changed - secondMoment(shape, u));
  const cost = u * changed - first;
  return { changed, cost, worth, integral: u * cost - worth };
}

/** y²/2 − y + 1 − e^{−y}. */
function ageIntegral(y: number): number {
  return y < small ? series(integralSeries, y) : 0.5 * y * y - y - Math.expm1(-y);
}

/** h(y) = y²/2 − 1 + e^{−y}(1 + y). */
function ageGain(y: number): number {
  if (y < small) return series(gainSeries, y);
  return y < Number.POSITIVE_INFINITY ? 0.5 * y * y - freshnessGain(y) : y;
}

/** Coefficients of y³, y⁴, … in Σ_{k≥3} (−1)^{k+1} n_k y^k/k!: enough of them for y below 1. */
function alternating(numerator: (k: number) => number): Float64Array {
  const coefficients = new Float64Array(16);
  let inverseFactorial = 1 / 6;
  for (let n = 0; n < coefficients.length; n++) {
    coefficients[n] = (n % 2 === 0 ? 1 : -1) * numerator(n + 3) * inverseFactorial;
    inverseFactorial /= n + 4;
  }
  return coefficients;
}

function series(coefficients: Float64Array, y: number): number {
  let sum = 0;
  for (let n = coefficients.length - 1; n >= 0; n--) sum = sum * y + coefficients[n];
  return sum * y * y * y;
}

/** The y with h(y) = q by Newton's method, which doubles the digits in a step; for small q from the reverted series. */
function inverseAgeGain(q: number): number {
  const s = Math.cbrt(3 * q);
  const reverted = s * (1 + s * (1 / 8 + s * (13 / 960 + s * (13 / 23040 - (s * 599) / 3225600))));
  let y = q < 1.4 ? reverted : Math.sqrt(2 * q + 2);
  for (let iteration = 0; iteration < 50; iteration++) {
    const step = (ageGain(y) - q) / (y * -Math.expm1(-y));
    y -= step;
    if (Math.abs(step) <= 1e-8 * y) break;
  }
  return y;
}
