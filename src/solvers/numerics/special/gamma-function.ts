/**
 * Γ and ln Γ for positive arguments.
 *
 * Near 1: ln Γ(1 + a) = −ln(1 + a) + (1 − γ)a + Σ_{k≥2} (−1)^k (ζ(k) − 1) a^k / k, |a| ≤ 1/2 (Abramowitz & Stegun
 * 6.1.33), which keeps full relative accuracy as a → 0. Arguments up to 15 are reduced to these by recurrence; above 15
 * Stirling's series is used. Relative error of Γ under 2e−15; absolute error of ln Γ under 1e−15·max(1, |ln Γ|),
 * relative near its zeros 1 and 2.
 */

const eulerGamma = 0.5772156649015329;
const halfLogTwoPi = 0.9189385332046728;
const sqrtTwoPi = 2.5066282746310002;

/** ζ(k) − 1 for k = 0..59 (0 and 1 unused), by Euler–Maclaurin from n = 40. */
const zetaTable = zetaMinusOne();

function zetaMinusOne(): Float64Array {
  const from = 40;
  const table = new Float64Array(60);
  for (let k = 2; k < table.length; k++) {
    const power = from ** -k;
    // the tail Σ_{n≥from} n^−k: integral, half term, and three Bernoulli corrections
    let sum = (power * from) / (k - 1) + power / 2 + (power * k) / (12 * from);
    sum -= (power * k * (k + 1) * (k + 2)) / (720 * from ** 3);
    sum += (power * k * (k + 1) * (k + 2) * (k + 3) * (k + 4)) / (30240 * from ** 5);
    sum -= (power * k * (k + 1) * (k + 2) * (k + 3) * (k + 4) * (k + 5) * (k + 6)) / (1209600 * from ** 7);
    for (let n = from - 1; n >= 2; n--) sum += n ** -k;
    table[k] = sum;
  }
  return table;
}

/** ln Γ(1 + a) for |a| ≤ 1/2, to full relative accuracy. */
export function logGammaOnePlus(a: number): number {
  let sum = 0;
  let power = a * a;
  for (let k = 2; k < zetaTable.length; k++) {
    const term = (zetaTable[k] * power) / k;
    sum += k % 2 === 0 ? term : -term;
    power *= a;
    if (Math.abs(term) <= 1e-18 * Math.abs(a)) break;
  }
  return -Math.log1p(a) + a * (1 - eulerGamma) + sum;
}

/** The remainder of Stirling's formula, ln Γ(x) − [(x − ½)·ln x − x + ½·ln 2π], for x ≥ 15, by its series. */
export function stirlingCorrection(x: number): number {
  const r = 1 / (x * x);
  return (1 / 12 - r * (1 / 360 - r * (1 / 1260 - r * (1 / 1680 - r * (1 / 1188 - (r * 691) / 360360))))) / x;
}

/** Γ(x), x > 0; Infinity from 171.63 on. */
export function gammaFunction(x: number): number {
  if (x < 0.5) return Math.exp(logGammaOnePlus(x)) / x;
  if (x > 171.7) return Infinity;
  if (x >= 15) {
    // x^(x−½) in two halves, so that it overflows only when Γ does
    const half = x ** (x / 2 - 0.25);
    return half * Math.exp(-x) * (sqrtTwoPi * Math.exp(stirlingCorrection(x))) * half;
  }
  let product = 1;
  let argument = x;
  while (argument > 1.5) {
    argument -= 1;
    product *= argument;
  }
  return product * Math.exp(logGammaOnePlus(argument - 1));
}

/** ln Γ(x), x > 0. */
export function logGamma(x: number): number {
  if (x < 0.5) return logGammaOnePlus(x) - Math.log(x);
  if (x <= 1.5) return logGammaOnePlus(x - 1);
  if (x <= 2.5) return logGammaOnePlus(x - 2) + Math.log1p(x - 2);
  if (x < 15) return Math.log(gammaFunction(x));
  return (x - 0.5) * Math.log(x) - x + halfLogTwoPi + stirlingCorrection(x);
}
