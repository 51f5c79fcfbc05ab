/**
 * The kernel (page-gain.ts) of Poisson updates: S(v) = e^(−v), unit σ = m = 1/rate.
 *
 *   χ(d) = d − 1 + e^(−d),  G(s) = 1 − (1 + s)e^(−s) = s² − (1 + s)χ(s),  I(b, d) = e^(−b)·χ(d),  F_e(s) = 1 − e^(−s).
 *
 * Below 1/2, where the closed forms cancel, χ is d² times a Chebyshev polynomial of degree 9 (truncation 4e−18), and G
 * and 1 − e^(−s) follow from it with a loss of one bit. Relative error ≤ 2e−15 everywhere.
 * Cost: at most one exponential an integral. Source: Wolf et al. (2002), (10)–(14).
 */

/** χ(d) = d − 1 + e^(−d). */
function poissonStretch(d: number): number {
  if (d >= 0.5) return d - 1 + Math.exp(-d);
  const d2 = d * d;
  const d4 = d2 * d2;
  const low = 0.5 - 0.16666666666666538 * d + d2 * (0.04166666666658177 - 0.008333333331155702 * d);
  const middle =
    0.0013888888604959757 - 0.00019841248546681166 * d + d2 * (2.4800612832459925e-5 - 2.7529613436538965e-6 * d);
  return d2 * (low + d4 * (middle + d4 * (2.7077661631340097e-7 - 2.0367831165025622e-8 * d)));
}

/** G(s) = 1 − (1 + s)e^(−s). */
export function poissonPartial(s: number): number {
  if (s >= 0.5) return 1 - (1 + s) * Math.exp(-s);
  return s * s - (1 + s) * poissonStretch(s);
}

/** I(b, d) for Poisson updates. */
export function poissonTriangle(b: number, d: number): number {
  return Math.exp(-b) * poissonStretch(d);
}

/** δ·G(b) + n₁·I(b, d), in units of 1/rate. */
export function poissonGain(b: number, d: number, n1: number, delta: number): number {
  return delta * poissonPartial(b) + n1 * Math.exp(-b) * poissonStretch(d);
}

/** M(Y, 0, 1): the first crawl of a page never crawled. */
export function poissonFirstGain(total: number): number {
  return -Math.expm1(-total);
}

/** F_e(s): the chance that a page crawled s mean gaps ago is stale. */
export function poissonEquilibrium(s: number): number {
  return -Math.expm1(-s);
}

/**
 * All about n ≥ 1 equal gaps a, in units of 1/rate, into `report`: [0] what one gap more saves, [1] what one gap less
 * would cost (n ≥ 2; else 0), [2] stale time in one gap. One exponential a gap at most.
 */
export function poissonReport(a: number, n: number, report: Float64Array): void {
  const stale = poissonStretch(a);
  // 1 − a + χ(a) = e^(−a)
  const fresh = a < 0.5 ? 1 - a + stale : Math.exp(-a);
  const partial = a < 0.5 ? a * a - (1 + a) * stale : 1 - (1 + a) * fresh;
  const b = (a * n) / (n + 1);
  const staleShorter = poissonStretch(b);
  const freshShorter = b < 0.5 ? 1 - b + staleShorter : Math.exp(-b);
  const partialShorter = b < 0.5 ? b * b - (1 + b) * staleShorter : 1 - (1 + b) * freshShorter;
  report[0] = partialShorter + n * freshShorter * poissonStretch(b / n);
  report[1] = n > 1 ? partial + (n - 1) * fresh * poissonStretch(a / (n - 1)) : 0;
  report[2] = stale;
}
