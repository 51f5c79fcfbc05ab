/**
 * The change rate of a page from its checks and its signals together.
 *
 * Model: signals come at rate λρ/p, whether the copy is fresh or not. A copy of age a with n signals since its fetch is
 * unchanged with probability e^{−(1−ρ)λa − jn}, j = −ln(1 − p). With a gamma prior (shape, rate; its density taken in
 * ln λ) the log-posterior is, up to a constant,
 *
 *     A ln λ − Bλ + Σ_changed w ln(1 − e^{−(1−ρ)λa − jn}),
 *
 * A = shape + number of signals, B = rate + ρ/p·(time watched for signals) + (1 − ρ)·(total age of unchanged copies), w
 * the weights of the checks, which fade with their age. The sum over changed checks adds between 0 and Σ_changed w to
 * the slope, so that the root lies between A/B and (A + Σ_changed w)/B. Method: Brent's in ln λ. O(checks) a step.
 */
import { unchangedOutcome } from '../../estimation/changes/check-history.ts';
import { findRoot } from '../../numerics/search/root.ts';
import { normal95 } from '../../numerics/special/normal-quantile.ts';
import type { SignalQuality } from './signal-cycle.ts';

/** The checks of one page: positions from..to − 1 in lists by check. Times in seconds. */
export interface SignalledChecks {
  readonly elapsed: Float64Array;
  readonly outcome: Uint8Array;
  /** Number of signals between the previous check and this one. */
  readonly signals: Float64Array;
  readonly weight: Float64Array;
  readonly from: number;
  readonly to: number;
  /** Time since the last check, and number of signals in it. */
  readonly timeSinceCheck: number;
  readonly signalsSinceCheck: number;
}

export interface GammaLaw {
  readonly shape: number;
  readonly rate: number;
}

/** A hypothetical check after all others. */
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

/** Absolute tolerance of ln λ. */
const tolerance = 1e-9;

/**
 * The rate of largest posterior density in changes a second, with the 95% interval of the normal approximation in ln λ.
 *
 * @param next a check to be added, at an age, with the signals since the last check
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
  { elapsed, outcome, signals, weight, from, to, timeSinceCheck, signalsSinceCheck }: SignalledChecks,
  { precision, recall }: SignalQuality,
  prior: GammaLaw,
  next: NextCheck | null,
): Terms {
  const missedShare = 1 - recall;
  let a = prior.shape + signalsSinceCheck;
  let watchedTime = next === null ? timeSinceCheck : next.age;
  let unchangedTime = 0;
  let changes = 0;
  const add = (gap: number, result: number, checkWeight: number): void => {
    if (result === unchangedOutcome) unchangedTime += checkWeight * gap;
    else changes += checkWeight;
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

/** The derivative of the log-posterior in ln λ at a rate, and minus the second derivative (observed information). */
function score(
  { elapsed, outcome, signals, weight, from, to, signalsSinceCheck }: SignalledChecks,
  { precision, recall }: SignalQuality,
  next: NextCheck | null,
  { a, b }: Terms,
  rate: number,
): readonly [slope: number, information: number] {
  const jump = -Math.log1p(-precision);
  const missedShare = 1 - recall;
  let slope = a - b * rate;
  let information = b * rate;
  const add = (gap: number, count: number, checkWeight: number): void => {
    const u = missedShare * rate * gap;
    const odds = Math.expm1(count > 0 ? u + jump * count : u);
    if (!(odds > 0 && odds < Number.POSITIVE_INFINITY)) return;
    slope += (checkWeight * u) / odds;
    information -= checkWeight * (u / odds) * (1 - u * (1 + 1 / odds));
  };
  for (let k = from; k < to; k++) {
    if (outcome[k] !== unchangedOutcome) add(elapsed[k], signals[k], weight[k]);
  }
  if (next !== null && next.outcome !== unchangedOutcome) add(next.age, signalsSinceCheck, 1);
  return [slope, information];
}
