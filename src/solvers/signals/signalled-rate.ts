/**
 * The change rate of a page from its checks and its signals together.
 *
 * Model: signals come at rate λρ/p whatever the page is found to be; a copy of age a with n signals since its fetch is unchanged
 * with chance e^{−(1−ρ)λa − jn}, j = −ln(1 − p). With a gamma prior (shape, rate; its density taken in ln λ) the logarithm of the
 * likelihood is, but for a constant,
 *
 *     A ln λ − Bλ + Σ_changed w ln(1 − e^{−(1−ρ)λa − jn}),
 *
 * A = shape + the number of signals, B = rate + ρ/p·(time watched for signals) + (1 − ρ)·(time seen without a change), w the
 * weights of fading checks. Method: Newton in ln λ, Brent where it does not settle. O(checks) a step.
 */
import { unchanged } from '../estimation/changes/check-history.ts';
import { findRoot } from '../numerics/search/root.ts';
import type { SignalQuality } from './signal-cycle.ts';

/** What was seen of one page, lists by check. */
export interface SignalledChecks {
  readonly elapsed: Float64Array;
  readonly outcome: Uint8Array;
  /** Signals between a check and the one before it. */
  readonly signals: Float64Array;
  readonly weight: Float64Array;
  /** Since the last check: time, and signals. */
  readonly since: number;
  readonly sinceSignals: number;
}

export interface GammaLaw {
  readonly shape: number;
  readonly rate: number;
}

/** The likeliest rate, and the 95% interval of the normal law of ln λ about it. */
export function signalledRate(
  { elapsed, outcome, signals, weight, since, sinceSignals }: SignalledChecks,
  { precision, recall }: SignalQuality,
  prior: GammaLaw,
): { rate: number; low: number; high: number } {
  const jump = -Math.log1p(-precision);
  const missed = 1 - recall;
  let a = prior.shape + sinceSignals;
  let watched = since;
  let without = 0;
  let changes = 0;
  let changedTime = 0;
  for (const [k, gap] of elapsed.entries()) {
    a += weight[k] * signals[k];
    watched += weight[k] * gap;
    if (outcome[k] === unchanged) without += weight[k] * gap;
    else {
      changes += weight[k];
      changedTime += weight[k] * gap;
    }
  }
  const b = prior.rate + (recall / precision) * watched + missed * without;
  const proof = (k: number): number => (signals[k] > 0 ? jump * signals[k] : 0);
  /** The slope of the logarithm in ln λ, and minus its own slope. */
  const score = (rate: number): readonly [slope: number, information: number] => {
    let slope = a - b * rate;
    let information = b * rate;
    for (const [k, gap] of elapsed.entries()) {
      if (outcome[k] === unchanged) continue;
      const u = missed * rate * gap;
      const rest = Math.expm1(u + proof(k));
      if (!(rest > 0 && rest < Number.POSITIVE_INFINITY)) continue;
      slope += (weight[k] * u) / rest;
      information -= weight[k] * (u / rest) * (1 - u * (1 + 1 / rest));
    }
    return [slope, information];
  };
  let at = Math.log((a + changes) / (b + missed * changedTime));
  let settled = false;
  for (let round = 0; round < 25 && !settled; round++) {
    const [slope, information] = score(Math.exp(at));
    const step = information > 0 ? slope / information : Math.sign(slope);
    at += Math.max(-2, Math.min(2, step));
    settled = Math.abs(step) < 1e-12;
  }
  if (!settled)
    at = findRoot((x) => score(Math.exp(x))[0], Math.log(a / b) - 1, Math.log((a + changes) / b) + 1, 1e-12);
  const rate = Math.exp(at);
  const [, information] = score(rate);
  const spread = Math.exp(1.959963984540054 / Math.sqrt(information > 0 ? information : a));
  return { rate, low: rate / spread, high: rate * spread };
}
