/**
 * The kernel (page-gain.ts) of Poisson updates: S(v) = e^(−v), unit σ = m = 1/rate.
 *
 *   χ(d) = d − 1 + e^(−d),  G(s) = 1 − (1 + s)e^(−s) = s² − (1 + s)χ(s),  I(b, d) = e^(−b)·χ(d),  F_e(s) = 1 − e^(−s).
 *
 * χ and G are the freshness kernel's (pages/objectives); 1 − e^(−s) follows from χ with a loss of one bit.
 * Relative error ≤ 2e−15 everywhere. Cost: at most one exponential an integral. Source: Wolf et al. (2002), (10)–(14).
 */
import { freshnessGain, staleChanges } from '../../pages/objectives/index.ts';

/** I(b, d) for Poisson updates. */
export function poissonTriangle(b: number, d: number): number {
  return Math.exp(-b) * staleChanges(d);
}

/** δ·G(b) + n₁·I(b, d), in units of 1/rate. */
export function poissonGain(b: number, d: number, n1: number, delta: number): number {
  return delta * freshnessGain(b) + n1 * Math.exp(-b) * staleChanges(d);
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
 * All about n ≥ 1 equal gaps a, in units of 1/rate, into `report`. It holds [0] what one gap more saves, [1] what one
 * gap less would cost (n ≥ 2; else 0), [2] stale time in one gap. One exponential a gap at most.
 */
export function poissonReport(a: number, n: number, report: Float64Array): void {
  const stale = staleChanges(a);
  // 1 − a + χ(a) = e^(−a)
  const fresh = a < 0.5 ? 1 - a + stale : Math.exp(-a);
  const partial = a < 0.5 ? a * a - (1 + a) * stale : 1 - (1 + a) * fresh;
  const b = (a * n) / (n + 1);
  const staleShorter = staleChanges(b);
  const freshShorter = b < 0.5 ? 1 - b + staleShorter : Math.exp(-b);
  const partialShorter = b < 0.5 ? b * b - (1 + b) * staleShorter : 1 - (1 + b) * freshShorter;
  report[0] = partialShorter + n * freshShorter * staleChanges(b / n);
  report[1] = n > 1 ? partial + (n - 1) * fresh * staleChanges(a / (n - 1)) : 0;
  report[2] = stale;
}
