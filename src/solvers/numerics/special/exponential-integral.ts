import { logGammaOnePlus } from './gamma-function.ts';

/**
 * The generalised exponential integral E_p(x) = ∫₁^∞ e^(−xy) y^(−p) dy, real p ≥ 1/2, x > 0.
 *
 * x ≥ 1, or p ≥ 100: the continued fraction (Abramowitz & Stegun 5.1.22) by Lentz's method. All its convergents' terms
 * have one sign pattern, and it keeps relative accuracy. For x < 1, with p₀ = p − m in [1/2, 3/2), a = 1 − p₀,
 * Gautschi's form
 *   E_{p₀} = x^(−a)·(Γ(1 + a) − x^a)/a − Σ_{n≥1} (−x)^n/((a + n)·n!),
 * is used. Its quotient is taken as (expm1(ln Γ(1 + a)) − expm1(a·ln x))/a, so that a → 0 is harmless. Then m steps
 * follow of E_{p+1} = (e^(−x) − x·E_p)/p, which is stable for x < 1. Relative error under 5e−15.
 *
 * Source: W. Gautschi, A computational procedure for incomplete gamma functions, ACM TOMS 5 (1979).
 */
export function exponentialIntegral(p: number, x: number): number {
  return x >= 1 || p >= 100 ? Math.exp(-x) * scaledByContinuedFraction(p, x) : sumSeries(p, x);
}

/** e^x·E_p(x), which neither underflows nor overflows; about 1/(x + p) for large x. */
export function scaledExponentialIntegral(p: number, x: number): number {
  return x >= 1 || p >= 100 ? scaledByContinuedFraction(p, x) : Math.exp(x) * sumSeries(p, x);
}

function scaledByContinuedFraction(p: number, x: number): number {
  if (x === Infinity) return 0;
  let b = x + p;
  let c = Infinity;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < 100_000; n++) {
    const a = -n * (p - 1 + n);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 2e-16) break;
  }
  return value;
}

function sumSeries(p: number, x: number): number {
  const steps = Math.max(0, Math.floor(p - 0.5));
  const start = p - steps;
  const a = 1 - start;
  const logX = Math.log(x);
  const quotient =
    a === 0
      ? -0.5772156649015329 - logX
      : ((Math.expm1(logGammaOnePlus(a)) - Math.expm1(a * logX)) / a) * Math.exp(-a * logX);
  let sum = 0;
  let power = 1;
  for (let n = 1; n < 60; n++) {
    power *= -x / n;
    sum += power / (a + n);
    if (Math.abs(power) < 1e-19) break;
  }
  let value = quotient - sum;
  const decay = Math.exp(-x);
  for (let i = 0; i < steps; i++) value = (decay - x * value) / (start + i);
  return value;
}
