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
 * w the weights of fading checks. The sum adds to the slope between 0 and Σ_changed w, so that the
 * root lies between A/B and (A + Σ_changed w)/B. Method: Brent's in ln λ. O(checks) a step.
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
}

/** A, B, and Σ_changed w. */
interface Terms {
  readonly a: number;
  readonly b: number;
  readonly changes: number;
}

/** Tolerance of ln λ. */
const tolerance = 1e-9;

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
  const terms = termsOf(checks, quality, prior, next);
  const { a, b, changes } = terms;
  const slopeAt = (logRate: number): number => score(checks, quality, next, terms, Math.exp(logRate))[0];
  const rate = Math.exp(findRoot(slopeAt, Math.log(a / b), Math.log((a + changes) / b), tolerance));
  const information = score(checks, quality, next, terms, rate)[1];
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
  const add = (gap: number, result: number, by: number): void => {
    if (result === unchangedOutcome) unchangedTime += by * gap;
    else changes += by;
  };
  for (let k = from; k < to; k++) {
    a += weight[k] * signals[k];
    watchedTime += weight[k] * elapsed[k];
    add(elapsed[k], outcome[k], weight[k]);
  }
  if (next !== null) add(next.age, next.outcome, 1);
  const b = prior.rate + (recall / precision) * watchedTime + missedShare * unchangedTime;
  return { a, b, changes };
}

/** The slope of the logarithm in ln λ, and minus its own slope, at a rate. */
function score(
  { elapsed, outcome, signals, weight, from, to, sinceSignals }: SignalledChecks,
  { precision, recall }: SignalQuality,
  next: NextCheck | null,
  { a, b }: Terms,
  rate: number,
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
