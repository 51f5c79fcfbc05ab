/**
 * The kernel (page-gain.ts) of any other renewal process, from its law's truncated moments, in the unit σ = m.
 *
 *   G(s) = E[min(X, sm)²]/(2m²),  F_e(s) = E[min(X, sm)]/m,
 *   I(b, d) = (b + d)·(F_e(b + d) − F_e(b)) − (G(b + d) − G(b)),  0 ≤ I(b, d) ≤ ½d²·S(b).
 *
 * The differences in I lose about n digits' worth of ulps when [b, b + d] is a narrow gap of n. As I enters a gain with
 * weight 1/n beside G, this is harmless up to n = 64. For narrower gaps I is integrated directly from the survival
 * function by Gauss–Legendre between the law's kinks (exact for constant pieces).
 *
 * Cost: two to six truncated moments a call; a law that many pages share answers by interpolation (law-interpolant.ts).
 * Source: Wolf et al. (2002), section 2.3.2, equation (3).
 */
import type { Poll } from '../../budget.ts';
import type { Distribution } from '../../laws/create-law.ts';
import { createLaw, kinksOf, type Law } from '../../laws/index.ts';
import { gaussLegendre } from '../../numerics/quadrature/gauss-legendre.ts';
import {
  interpolatedEquilibrium,
  interpolatedPartial,
  interpolatedSurvival,
  type LawInterpolant,
  lawInterpolant,
  maxInterpolated,
  minInterpolated,
} from './law-interpolant.ts';

/** A law of gaps, with its mean, kinks and interpolant as the kernel uses them. */
export interface GapLaw {
  readonly law: Law;
  readonly mean: number;
  /** Points (in units of the mean, increasing) where the survival function jumps or bends. */
  readonly kinks: Float64Array;
  /** Interpolant of a law that many pages share; null where the law itself is evaluated. */
  readonly interpolant: LawInterpolant | null;
  /** Elementary steps of a call of a phase-type law; undefined for other laws, whose calls take few steps. */
  readonly stepsPerCall: number | undefined;
}

/** Width of a gap, as a share of its start, below which I is integrated directly. */
const narrowGap = 1 / 64;
const rule = gaussLegendre(8);

/** Prepares a law; its conditions (and that its mean is finite and positive) must have been checked. */
export function prepareGapLaw(distribution: Distribution): GapLaw {
  const law = createLaw(distribution);
  const mean = law.mean;
  const kinks = kinksOf(distribution).map((t) => t / mean);
  const isPhaseType = distribution.type === 'phase-type';
  const stepsPerCall = isPhaseType ? passesPerCall * distribution.initial.length ** 2 : undefined;
  return { law, mean, kinks, interpolant: null, stepsPerCall };
}

/** Passes over all pairs of phases in a call of a phase-type law: three for each binary digit of the time. */
const passesPerCall = 100;

/** A copy of a law that reports the steps of its calls to the poll; the law itself where calls take few steps. */
export function withPoll(gaps: GapLaw, poll: Poll): GapLaw {
  const { law, stepsPerCall } = gaps;
  if (stepsPerCall === undefined) return gaps;
  const countSteps =
    (evaluate: (t: number) => number): ((t: number) => number) =>
    (t) => {
      poll(stepsPerCall);
      return evaluate(t);
    };
  return {
    ...gaps,
    law: {
      ...law,
      survival: countSteps(law.survival),
      truncatedMean: countSteps(law.truncatedMean),
      truncatedSecondMoment: countSteps(law.truncatedSecondMoment),
      density: law.density && countSteps(law.density),
    },
  };
}

/** A copy of a smooth law that is evaluated by interpolation; a law with kinks as it is. Takes milliseconds. */
export function withInterpolant(gaps: GapLaw): GapLaw {
  return gaps.kinks.length > 0 ? gaps : { ...gaps, interpolant: lawInterpolant(gaps.law, gaps.mean) };
}

/** G(s) of a law; s in mean gaps. */
function renewalPartial({ law, mean, interpolant }: GapLaw, s: number): number {
  if (interpolant !== null && s > minInterpolated && s < maxInterpolated) return interpolatedPartial(interpolant, s);
  return law.truncatedSecondMoment(s * mean) / (2 * mean * mean);
}

/** F_e(s) of a law: the chance that a page crawled s mean gaps ago is stale. */
export function renewalEquilibrium({ law, mean, interpolant }: GapLaw, s: number): number {
  if (interpolant !== null && s > minInterpolated && s < maxInterpolated) {
    return Math.min(1, interpolatedEquilibrium(interpolant, s));
  }
  return Math.min(1, law.truncatedMean(s * mean) / mean);
}

/** S(v) of a law: the chance that a gap exceeds v mean gaps. */
function renewalSurvival({ law, mean, interpolant }: GapLaw, v: number): number {
  if (interpolant !== null && v > minInterpolated && v < maxInterpolated) return interpolatedSurvival(interpolant, v);
  return law.survival(v * mean);
}

/** I(b, d) = ∫ (b + d − v)·S(v) dv over [b, b + d], of a law. */
export function renewalTriangle(gaps: GapLaw, b: number, d: number): number {
  if (d === 0) return 0;
  if (b === 0) return d * renewalEquilibrium(gaps, d) - renewalPartial(gaps, d);
  const upperBound = (d * d * renewalSurvival(gaps, b)) / 2;
  if (d < narrowGap * b) return Math.min(upperBound, integrateTriangle(gaps, b, d));
  const end = b + d;
  const difference =
    end * (renewalEquilibrium(gaps, end) - renewalEquilibrium(gaps, b)) -
    (renewalPartial(gaps, end) - renewalPartial(gaps, b));
  return Math.max(0, Math.min(upperBound, difference));
}

/** I(b, d) by Gauss–Legendre on each piece between kinks of the survival function. */
function integrateTriangle(gaps: GapLaw, b: number, d: number): number {
  const end = b + d;
  const { kinks } = gaps;
  let next = firstAbove(kinks, b);
  let low = b;
  let sum = 0;
  for (;;) {
    const high = next < kinks.length && kinks[next] < end ? kinks[next++] : end;
    const half = (high - low) / 2;
    const middle = low + half;
    let piece = 0;
    for (let i = 0; i < rule.nodes.length; i++) {
      const v = middle + half * rule.nodes[i];
      piece += rule.weights[i] * (end - v) * renewalSurvival(gaps, v);
    }
    sum += piece * half;
    if (high === end) return sum;
    low = high;
  }
}

function firstAbove(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** δ·G(b) + n₁·I(b, d) of a law, in units of its mean m. */
export function renewalGain(gaps: GapLaw, b: number, d: number, n1: number, delta: number): number {
  return delta * renewalPartial(gaps, b) + n1 * renewalTriangle(gaps, b, d);
}

/** M(Y, 0, 1) of a law: the gain of the first crawl of a page never crawled, in units of its mean m. */
export function renewalFirstGain(gaps: GapLaw, total: number): number {
  return total * (1 - renewalEquilibrium(gaps, total)) + renewalPartial(gaps, total);
}
