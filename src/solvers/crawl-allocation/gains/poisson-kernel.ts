/**
 * The kernel (page-gain.ts) of Poisson updates: S(v) = e^(−v), unit σ = m = 1/rate.
 *
 *   χ(d) = d − 1 + e^(−d),  G(s) = 1 − (1 + s)e^(−s) = s² − (1 + s)χ(s),  I(b, d) = e^(−b)·χ(d),  F_e(s) = 1 − e^(−s).
 *
 * χ and G are the freshness kernel's (pages/objectives); 1 − e^(−s) follows from χ with a loss of one bit.
 * Relative error ≤ 2e−15 everywhere. Cost: at most one exponential an integral. Source: Wolf et al. (2002), (10)–(14).
 */
import { staleChanges } from '../../pages/objectives/index.ts';

/** I(b, d) = ∫ (b + d − v)·e^(−v) dv over [b, b + d], for Poisson updates. */
export function poissonTriangle(b: number, d: number): number {
  return b === 0 ? staleChanges(d) : Math.exp(-b) * staleChanges(d);
}

/** δ·G(b) + n₁·I(b, d) for Poisson updates, in units of 1/rate. */
export function poissonGain(b: number, d: number, n1: number, delta: number): number {
  // below 1/2 both G(b) and e^(−b) = 1 − b + χ(b) come from χ, without an exponential
  if (b >= 0.5) {
    const fresh = Math.exp(-b);
    return delta * (1 - (1 + b) * fresh) + n1 * fresh * staleChanges(d);
  }
  const stale = staleChanges(b);
  return delta * (b * b - (1 + b) * stale) + n1 * (1 - b + stale) * staleChanges(d);
}

/** M(Y, 0, 1) for Poisson updates: the gain of the first crawl of a page never crawled, in units of 1/rate. */
export function poissonFirstGain(total: number): number {
  return -Math.expm1(-total);
}

/** F_e(s): the chance that a page crawled s mean gaps ago is stale. */
export function poissonEquilibrium(s: number): number {
  return -Math.expm1(-s);
}
