/**
 * One page's likelihood with its change rate integrated out, and the means that its slopes need.
 *
 * Symbols: λ change rate of the page, θ = ln λ, normal with mean m and deviation s over the pages; p precision, ρ
 * recall, j = −ln(1 − p). N signals in the time A watched, U of it without a change. With ℓ as in likelihood.ts,
 *
 *     h(θ) = ℓ(e^θ) + ln φ((θ − m)/s)/s,   h′ = N − e^θ·((1 − ρ)U + ρA/p) + Σ_changed u/(e^(u + jn) − 1) − (θ − m)/s²,
 *
 * where u = (1 − ρ)·e^θ·a for a check after a with n signals. A page of N signals knows its θ to 1/√N, one without
 * knows little more than s: so every page has points of its own. They lie at θ̂ + w·sinh t around the mode θ̂, t
 * equally spaced, w the smaller of 1 and the deviation at the mode. They are dense there and on the side where e^(−λ)
 * cuts off, sparse in the tail of the normal law. The trapezoidal rule in t converges geometrically; at the spacing of
 * 0.125 it is right to 1e−6. Complexity: O(different changed checks) for each of some 40 to 100 points. Source: L. N.
 * Trefethen and J. A. C. Weideman, The exponentially convergent trapezoidal rule, SIAM Review 56 (2014). Known limits:
 * the mode is found by slopes. A second one would take a page with thousands of signals and rates spread over many
 * orders of magnitude. It is seen only where no valley of e^−40 parts it from the first.
 */
import type { PageEvidence } from './page-evidence.ts';

/** Step of the trapezoidal rule, in t. */
const spacing = 0.125;
/** Logarithm of the density relative to its peak below which the rule ends. */
const cutOff = -40;
/** Newton steps of the search for the mode at most. */
const maxSteps = 100;
/** Longest Newton step, in ln λ. */
const maxStep = 2;
const logRootTwoPi = 0.5 * Math.log(2 * Math.PI);

/** Point at which the likelihood is evaluated. */
export interface SignalPoint {
  readonly precision: number;
  readonly recall: number;
  /** Mean and standard deviation of ln λ over the pages. */
  readonly mean: number;
  readonly deviation: number;
}

/** A page's likelihood, and means under the posterior of its rate. */
interface PageIntegral {
  /** ln ∫ e^h dθ. */
  readonly logLikelihood: number;
  /** Mean of dℓ/d logit p and dℓ/d logit ρ. */
  readonly byPrecision: number;
  readonly byRecall: number;
  /** Mean of (θ − m)/s and of its square. */
  readonly offset: number;
  readonly square: number;
  /** The most likely ln λ. */
  readonly mode: number;
}

export function integratePage(page: PageEvidence, point: SignalPoint): PageIntegral {
  const { precision: p, recall, mean, deviation } = point;
  const { mode, width, logPeak } = findMode(page, point);
  let mass = 0;
  let byPrecision = 0;
  let byRecall = 0;
  let offsets = 0;
  let squares = 0;
  const term = (t: number): boolean => {
    const theta = mode + width * Math.sinh(t);
    const { log, expectedSignals, unsignalledChanges, odds, signalOdds } = densityAt(page, point, theta);
    const fall = log - logPeak;
    if (!(fall > cutOff)) return false;
    const share = Math.exp(fall) * Math.cosh(t);
    const offset = (theta - mean) / deviation;
    mass += share;
    // dj/d logit p = p, dp/d logit p = p(1 − p); d(1 − ρ)/d logit ρ = −ρ(1 − ρ)
    byPrecision += share * ((1 - p) * (expectedSignals - page.signals) + p * (signalOdds - page.unchangedSignals));
    byRecall += share * ((1 - recall) * (page.signals - expectedSignals) - recall * (odds - unsignalledChanges));
    offsets += share * offset;
    squares += share * offset * offset;
    return true;
  };
  term(0);
  for (const side of [spacing, -spacing]) for (let k = 1; term(k * side); k++);
  return {
    logLikelihood: logPeak + Math.log(mass * spacing * width),
    byPrecision: byPrecision / mass,
    byRecall: byRecall / mass,
    offset: offsets / mass,
    square: squares / mass,
    mode,
  };
}

/** The density h of θ = ln λ of one page at a point, and its terms. */
interface DensityAt {
  /** h(θ). */
  readonly log: number;
  /** Expected signals e^θ·ρA/p, and expected unsignalled changes in the time U without a change, e^θ·(1 − ρ)U. */
  readonly expectedSignals: number;
  readonly unsignalledChanges: number;
  /** Sums over the checks that found a change, with z = u + jn: Σ u/(e^z − 1), its slope in θ, and Σ n/(e^z − 1). */
  readonly odds: number;
  readonly oddsSlope: number;
  readonly signalOdds: number;
}

function densityAt(
  page: PageEvidence,
  { precision: p, recall, mean, deviation }: SignalPoint,
  theta: number,
): DensityAt {
  const { signals, watchedTime, unchangedTime, unchangedSignals, changedChecks } = page;
  const jump = -Math.log1p(-p);
  const rate = Math.exp(theta);
  const unsignalledRate = (1 - recall) * rate;
  const expectedSignals = (rate * recall * watchedTime) / p;
  const unsignalledChanges = unsignalledRate * unchangedTime;
  const offset = (theta - mean) / deviation;
  let log =
    -expectedSignals -
    unsignalledChanges -
    jump * unchangedSignals -
    0.5 * offset * offset -
    Math.log(deviation) -
    logRootTwoPi;
  if (signals > 0) log += signals * (theta + Math.log(recall / p));
  let odds = 0;
  let oddsSlope = 0;
  let signalOdds = 0;
  for (let k = 0; k < changedChecks.length; k += 3) {
    const u = unsignalledRate * changedChecks[k];
    const z = u + jump * changedChecks[k + 1];
    const stale = -Math.expm1(-z);
    const fresh = Math.exp(-z);
    // u/(e^u − 1) tends to 1 where u underflows
    const gapOdds = u > 0 ? (u * fresh) / stale : changedChecks[k + 1] > 0 ? 0 : 1;
    log += changedChecks[k + 2] * Math.log(stale);
    odds += changedChecks[k + 2] * gapOdds;
    oddsSlope += changedChecks[k + 2] * (gapOdds - gapOdds * u - gapOdds * gapOdds);
    signalOdds += changedChecks[k + 1] > 0 ? (changedChecks[k + 2] * changedChecks[k + 1] * fresh) / stale : 0;
  }
  return { log, expectedSignals, unsignalledChanges, odds, oddsSlope, signalOdds };
}

/** The mode of h by bracketed Newton steps on its slope, to a tenth of the width, and h there. */
function findMode(
  page: PageEvidence,
  point: SignalPoint,
): { readonly mode: number; readonly width: number; readonly logPeak: number } {
  const { precision: p, recall, mean, deviation } = point;
  const events = page.signals + page.changes + 0.5;
  const logRate = Math.log(events / (page.watchedTime * (1 - recall + recall / p)));
  const priorPrecision = 1 / deviation ** 2;
  let theta = (events * logRate + priorPrecision * mean) / (events + priorPrecision);
  let low = Number.NEGATIVE_INFINITY;
  let high = Number.POSITIVE_INFINITY;
  for (let step = 0; ; step++) {
    const { log, expectedSignals, unsignalledChanges, odds, oddsSlope } = densityAt(page, point, theta);
    const slope = page.signals - expectedSignals - unsignalledChanges + odds - priorPrecision * (theta - mean);
    const curvature = expectedSignals + unsignalledChanges - oddsSlope + priorPrecision;
    const width = curvature > 1 ? 1 / Math.sqrt(curvature) : 1;
    if (slope > 0) low = theta;
    else high = theta;
    let newtonStep = Math.max(-maxStep, Math.min(maxStep, curvature > 0 ? slope / curvature : Math.sign(slope)));
    if (theta + newtonStep <= low || theta + newtonStep >= high) newtonStep = (low + high) / 2 - theta;
    if (Math.abs(newtonStep) < 0.1 * width || step >= maxSteps) return { mode: theta, width, logPeak: log };
    theta += newtonStep;
  }
}
