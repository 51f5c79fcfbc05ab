/**
 * Elementary functions of e^(−x) that lose all digits when written as differences. Each is a power series with terms of
 * falling size where the closed form cancels, else the closed form; relative error under 4 ulp.
 */

/** 1 − E e^(−xU) = 1 − (1 − e^(−x))/x, U uniform on [0, 1], x ≥ 0; about x/2 for small x. */
export function uniformLaplaceComplement(x: number): number {
  if (x > 1.5) return (x - 1 + Math.exp(-x)) / x;
  // the series x/2 − x²/6 + x³/24 − …
  let term = x / 2;
  let sum = term;
  for (let n = 3; Math.abs(term) > 1e-18 * sum; n++) {
    term *= -x / n;
    sum += term;
  }
  return sum;
}

/** 2(1 − e^(−x)(1 + x)) for x ≥ 0: E min(X, x)² of an exponential law of rate 1; x² for small x. */
export function truncatedSquare(x: number): number {
  if (x > 1.5) return x === Infinity ? 2 : 2 * (1 - Math.exp(-x) * (1 + x));
  // the series 2e^(−x)(x²/2! + x³/3! + …), all terms positive
  let term = (x * x) / 2;
  let sum = term;
  for (let n = 3; term > 1e-18 * sum; n++) {
    term *= x / n;
    sum += term;
  }
  return 2 * Math.exp(-x) * sum;
}

/** ∫₀ᴸ e^(−cy) dy = (1 − e^(−cL))/c, and L at c = 0; any real c, L ≥ 0 (L = Infinity allowed). */
export function exponentialIntegralTo(c: number, upper: number): number {
  if (upper === Infinity) return c > 0 ? 1 / c : Infinity;
  return c === 0 ? upper : -Math.expm1(-c * upper) / c;
}
