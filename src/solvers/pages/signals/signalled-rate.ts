/**
 * The change rate of a page from its checks and its signals together.
 *
 * Model: signals come at rate λρ/p whatever the page is found to be. A copy of age a with n signals since its fetch is
 * unchanged with chance e^{−(1−ρ)λa − jn}, j = −ln(1 − p). With a gamma prior (shape, rate; its density taken in ln λ)
 * the logarithm of the likelihood is, but for a constant,
 *
 *     A ln λ − Bλ + Σ_changed w ln(1 − e^{−(1−ρ)λa − jn}),
 *
 * A = shape + the number of signals, B = rate + ρ/p·(time watched for signals) + (1 − ρ)·(time seen without a change),
 * w the weights of fading checks. Method: Newton in ln λ, Brent where it does not settle. O(checks) a step.
 */
import { unchangedOutcome } from '../../estimation/changes/check-history.ts';
import { findRoot } from '../../numerics/search/root.ts';
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import type { SignalQuality } from './signal-cycle.ts';

/** What was seen of one page: its checks, from one position to another in lists by check. */
export interface SignalledChecks {
  readonly elapsed: Float64Array;
  readonly outcome: Uint8Array;
  /** Signals between a check and the one before it. */
  readonly signals: Float64Array;
  readonly weight: Float64Array;
  readonly from: number;
  readonly to: number;
  /** Since the last check: time, and signals. */
  readonly timeSince: number;
  readonly sinceSignals: number;
}

export interface GammaLaw {
  readonly shape: number;
  readonly rate: number;
}

/** A hypothetical check after the others. */
interface NextCheck {
  readonly age: number;
  readonly outcome: number;
  /** The rate before it, where the search for the new one starts. */
  readonly rateBefore: number;
}

/** A, B, and the rate to start from. */
interface Terms {
  readonly a: number;
  readonly b: number;
  readonly start: number;
}

/**
 * The likeliest rate, and the 95% interval of the normal law of ln λ about it.
 *
 * @param next a check to be added, at an age, with the signals there are since the last
 */
export function signalledRate(
  checks: SignalledChecks,
  quality: SignalQuality,
  prior: GammaLaw,
  next: NextCheck | null = null,
): { rate: number; low: number; high: number } {
  const { a, b, start } = termsOf(checks, quality, prior, next);
  let at = Math.log(next?.rateBefore ?? start);
  let converged = false;
  let information = 0;
  for (let round = 0; round < 25 && !converged; round++) {
    const [slope, curvature] = score(checks, quality, next, { a, b, start: Math.exp(at) });
    information = curvature;
    const step = curvature > 0 ? slope / curvature : Math.sign(slope);
    at += Math.max(-2, Math.min(2, step));
    // the next step would be about its square
    converged = Math.abs(step) < 1e-6;
  }
  if (!converged) {
    const slopeAt = (x: number): number => score(checks, quality, next, { a, b, start: Math.exp(x) })[0];
    at = findRoot(slopeAt, Math.log(a / b) - 1, Math.log(start) + 5, 1e-12);
    information = score(checks, quality, next, { a, b, start: Math.exp(at) })[1];
  }
  const rate = Math.exp(at);
  const spread = Math.exp(normal95 / Math.sqrt(information > 0 ? information : a));
  return { rate, low: rate / spread, high: rate * spread };
}

function termsOf(
  { elapsed, outcome, signals, weight, from, to, timeSince, sinceSignals }: SignalledChecks,
  { precision, recall }: SignalQuality,
  prior: GammaLaw,
  next: NextCheck | null,
): Terms {
  const missedShare = 1 - recall;
  let a = prior.shape + sinceSignals;
  let watchedTime = next === null ? timeSince : next.age;
  let unchangedTime = 0;
  let changes = 0;
  let changedTime = 0;
  const add = (gap: number, result: number, by: number): void => {
    if (result === unchangedOutcome) unchangedTime += by * gap;
    else {
      changes += by;
      changedTime += by * gap;
    }
  };
  for (let k = from; k < to; k++) {
    a += weight[k] * signals[k];
    watchedTime += weight[k] * elapsed[k];
    add(elapsed[k], outcome[k], weight[k]);
  }
  if (next !== null) add(next.age, next.outcome, 1);
  const b = prior.rate + (recall / precision) * watchedTime + missedShare * unchangedTime;
  return { a, b, start: (a + changes) / (b + missedShare * changedTime) };
}

/** The slope of the logarithm in ln λ, and minus its own slope, at the rate `start`. */
function score(
  { elapsed, outcome, signals, weight, from, to, sinceSignals }: SignalledChecks,
  { precision, recall }: SignalQuality,
  next: NextCheck | null,
  { a, b, start: rate }: Terms,
): readonly [slope: number, information: number] {
  const jump = -Math.log1p(-precision);
  const missedShare = 1 - recall;
  let slope = a - b * rate;
  let information = b * rate;
  const add = (gap: number, count: number, by: number): void => {
    const u = missedShare * rate * gap;
    const rest = Math.expm1(count > 0 ? u + jump * count : u);
    if (!(rest > 0 && rest < Number.POSITIVE_INFINITY)) return;
    slope += (by * u) / rest;
    information -= by * (u / rest) * (1 - u * (1 + 1 / rest));
  };
  for (let k = from; k < to; k++) {
    if (outcome[k] !== unchangedOutcome) add(elapsed[k], signals[k], weight[k]);
  }
  if (next !== null && next.outcome !== unchangedOutcome) add(next.age, sinceSignals, 1);
  return [slope, information];
}
