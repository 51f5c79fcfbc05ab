/**
 * A phase-type law of service times from three moments, or from a sample.
 *
 * Model and method:
 * - squared coefficient of variation (scv) above 1, three moments: hyperexponential of two branches. With n_i = m_i/i!,
 *   s = (n₃ − n₁n₂)/(n₂ − n₁²), q = s·n₁ − n₂, the branch means are the roots of x² − sx + q, and the larger has
 *   probability (n₁ − x₂)/(x₁ − x₂). Feasible iff scv > 1, q > 0, s² > 4q and m₃m₁ > 1.5·m₂².
 * - scv ≤ 1: mixture of Erlang laws of k − 1 and k stages of one rate, 1/k ≤ scv ≤ 1/(k − 1), on two moments (Tijms).
 * - a sample whose three moments no two branches have: two branches on its mean and variance, with balanced means.
 * Complexity: O(n) for the moments of a sample.
 * Source: Whitt 1982 (H2 from moments); Tijms 1986, section 5; Avrachenkov et al. 2012, section 7, whose printed
 * figures are those of a rounded fit. Limits: at most 100 Erlang stages, so an scv below 0.01 is not reached (a warning
 * says so).
 */
import type { Warning } from '../../answer.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { Distribution } from '../../laws/index.ts';
import type { ServiceTimeProblem } from '../problem.ts';

export interface Moments {
  readonly mean: number;
  readonly variance: number;
  /** Squared coefficient of variation, variance/mean². */
  readonly scv: number;
  /** The first three moments about 0. */
  readonly moments: readonly [number, number, number];
}

/** Which inequality three moments violate, with its two sides. */
export interface MomentConflict {
  readonly detail: string;
  readonly inequality: string;
  readonly left: number;
  readonly right: number;
}

type MomentFit =
  | { readonly kind: 'fitted'; readonly distribution: Distribution; readonly note: MomentNote }
  | { readonly kind: 'impossible'; readonly conflict: MomentConflict };

/** How much of the moments the law reproduces: all three, the first two, or only the mean. */
export type MomentNote = 'exact' | 'two-moments' | 'mean-only';

/** Exponential stages of a fitted law at most: the smallest squared coefficient of variation is 1/100. */
const maxStages = 100;

export function momentsOf(m1: number, m2: number, m3: number): Moments {
  const variance = m2 - m1 * m1;
  return { mean: m1, variance, scv: variance / (m1 * m1), moments: [m1, m2, m3] };
}

/**
 * The first three moments of a sample of positive values. The variance is the mean squared deviation, by a second pass.
 */
export function sampleMoments(sample: ArrayLike<number>): Moments {
  const n = sample.length;
  let m1 = 0;
  let m2 = 0;
  let m3 = 0;
  for (let k = 0; k < n; k++) {
    const x = sample[k];
    m1 += x / n;
    m2 += (x * x) / n;
    m3 += (x * x * x) / n;
  }
  let variance = 0;
  for (let k = 0; k < n; k++) variance += (sample[k] - m1) ** 2 / n;
  return { mean: m1, variance, scv: variance / (m1 * m1), moments: [m1, m2, m3] };
}

/** A law with the first three moments of a positive time, or with as many of them as it can have. */
export function fitMoments({ mean, scv, moments }: Moments): MomentFit {
  const [m1, m2, m3] = moments;
  if (scv < -1e-12) return infeasibleFit('m2 ≥ m1²', m2, m1 * m1);
  // the conflict states both sides in the units of the request, unless they leave double precision there
  const conflict = (inequality: string, left: number, right: number, unit: number): MomentFit =>
    Number.isFinite(left * unit) && Number.isFinite(right * unit)
      ? infeasibleFit(inequality, left * unit, right * unit)
      : infeasibleFit(`${inequality}, in units of the mean`, left, right);
  if (Math.abs(scv - 1) <= 1e-9) {
    return { kind: 'fitted', distribution: { type: 'exponential', rate: 1 / mean }, note: 'two-moments' };
  }
  if (scv < 1) return fitMixedErlang(mean, Math.max(scv, 0));
  // In units of the mean, so that no product overflows
  const n2 = m2 / m1 / m1 / 2;
  const n3 = m3 / m1 / m1 / m1 / 6;
  if (!(n3 > n2 * n2)) {
    const sides = [m3 * m1, 1.5 * m2 * m2];
    if (sides.every(Number.isFinite)) return infeasibleFit('m3·m1 > 1.5·m2²', sides[0], sides[1]);
    return infeasibleFit('m3·m1 > 1.5·m2², in units of the mean', 6 * n3, 6 * n2 * n2);
  }
  const s = (n3 - n2) / (n2 - 1);
  const q = s - n2;
  if (!(q > 0)) return conflict('q = s·n1 − n2 > 0', q, 0, m1 * m1);
  if (!(s * s > 4 * q)) return conflict('s² > 4q', s * s, 4 * q, m1 * m1);
  const larger = 0.5 * (s + Math.sqrt(s * s - 4 * q));
  const smaller = q / larger;
  const p = (1 - smaller) / (larger - smaller);
  return {
    kind: 'fitted',
    distribution: {
      type: 'hyperexponential',
      probabilities: [p, (larger - 1) / (larger - smaller)],
      rates: [1 / (larger * m1), 1 / (smaller * m1)],
    },
    note: 'exact',
  };
}

function infeasibleFit(inequality: string, left: number, right: number): MomentFit {
  const detail = `no hyperexponential law has these moments: ${inequality} fails, with ${left} on the left and ${right} on the right`;
  return { kind: 'impossible', conflict: { detail, inequality, left, right } };
}

/**
 * A mixed Erlang law: k − 1 stages with probability p, else k stages, all of one rate. Mean and scv are exact where scv
 * ≥ 1/100.
 */
export function fitMixedErlang(mean: number, scv: number): MomentFit {
  const note: MomentNote = scv < 1 / maxStages ? 'mean-only' : 'two-moments';
  const c2 = Math.max(scv, 1 / maxStages);
  const k = Math.min(maxStages, Math.ceil(1 / c2 - 1e-9));
  const p = Math.max(0, (k * c2 - Math.sqrt(Math.max(0, k * (1 + c2) - k * k * c2))) / (1 + c2));
  const rate = (k - p) / mean;
  if (p < 1e-12 || k === 1) {
    return { kind: 'fitted', distribution: { type: 'erlang', shape: k, rate: k / mean }, note };
  }
  const initial = Array.from({ length: k }, (_, j) => (j === 0 ? 1 - p : j === 1 ? p : 0));
  const generator = initial.map((_, i) => initial.map((__, j) => (j === i ? -rate : j === i + 1 ? rate : 0)));
  return { kind: 'fitted', distribution: { type: 'phase-type', initial, generator }, note };
}

/**
 * A hyperexponential law of two branches with three given moments, where there is one; else with mean and scv > 1, each
 * branch carrying half of the mean ("balanced means").
 */
export function fitBranches(three: Moments | null, mean: number, scv: number) {
  const fit = three && fitMoments(three);
  if (fit?.kind === 'fitted' && fit.distribution.type === 'hyperexponential') {
    const { probabilities, rates } = fit.distribution;
    return { probability: probabilities[0], rates: [rates[0], rates[1]], balanced: false } as const;
  }
  const probability = 0.5 * (1 - Math.sqrt((scv - 1) / (scv + 1)));
  const rates = [(2 * probability) / mean, (2 * (1 - probability)) / mean] as const;
  return { probability, rates, balanced: true } as const;
}

/** A mixture of Erlang laws. */
type ErlangMixture = readonly (readonly [probability: number, stages: number, rate: number])[];

/** The first three moments of a law of this file. */
export function lawMoments(distribution: Distribution): Moments {
  const mixture = mixtureOf(distribution);
  const [m1, m2, m3] = [1, 2, 3].map((power) =>
    mixture.reduce((sum, [probability, stages, rate]) => {
      let moment = probability;
      // multiplied one factor at a time: the probability of a long branch is small, and the power alone may overflow
      for (let k = 0; k < power; k++) moment *= (stages + k) / rate;
      return sum + moment;
    }, 0),
  );
  return momentsOf(m1, m2, m3);
}

function mixtureOf(distribution: Distribution): ErlangMixture {
  switch (distribution.type) {
    case 'exponential':
      return [[1, 1, distribution.rate]];
    case 'erlang':
      return [[1, distribution.shape, distribution.rate]];
    case 'hyperexponential':
      return distribution.probabilities.map((p, b) => [p, 1, distribution.rates[b]]);
    case 'phase-type': {
      // the mixed Erlang law: k − 1 stages with probability p = initial[1], else k
      const { initial, generator } = distribution;
      const rate = -generator[0][0];
      return [
        [1 - initial[1], initial.length, rate],
        [initial[1], initial.length - 1, rate],
      ];
    }
    default:
      throw new Error(`no fit gives the law ${distribution.type}`);
  }
}

/**
 * Fits a phase-type law to the moments of a service time.
 *
 * @throws ConditionNotMet where the moments overflow or underflow double precision
 */
export function solveServiceTime(problem: ServiceTimeProblem) {
  const observed = observedMoments(problem);
  const statistics = { solver: 'moments' };
  const fit = fitMoments(observed);
  let distribution: Distribution;
  let warnings: Warning[];
  if (fit.kind === 'fitted') {
    ({ distribution } = fit);
    warnings = warningsOf(observed, fit.note);
  } else {
    // The first two moments of a sample with scv > 1 belong to some hyperexponential law; moments given as numbers may
    // belong to no law.
    if (problem.sample === undefined || !(observed.scv > 1)) {
      return { status: 'infeasible' as const, conflict: fit.conflict, statistics };
    }
    const { probability, rates } = fitBranches(null, observed.mean, observed.scv);
    distribution = { type: 'hyperexponential', probabilities: [probability, 1 - probability], rates };
    const detail = `${fit.conflict.detail}: fitted on mean and variance, with balanced means`;
    warnings = [{ code: 'third-moment-left', detail }];
  }
  return {
    status: 'evaluated' as const,
    solution: { distribution, observed, fitted: lawMoments(distribution) },
    warnings,
    statistics,
  };
}

/**
 * The moments to be reproduced, of the sample or as given. O(sample).
 *
 * @throws ConditionNotMet where they overflow or underflow double precision
 */
export function observedMoments(problem: ServiceTimeProblem): Moments {
  const { sample, scale } = problem;
  const observed =
    sample === undefined ? scaledMoments(problem) : sampleMoments(Float64Array.from(sample, (x) => x / scale));
  requireDoublePrecision(observed, sample === undefined ? 'moments' : 'sample');
  return observed;
}

function scaledMoments({ moments: [m1, m2, m3] = [], scale }: ServiceTimeProblem): Moments {
  return momentsOf(m1 / scale, m2 / scale / scale, m3 / scale / scale / scale);
}

/**
 * Refuses moments that overflow or underflow double precision, and shapes (moments of the value over its mean) so far
 * from those of any law that their products would.
 */
function requireDoublePrecision({ moments }: Moments, place: 'sample' | 'moments'): void {
  const largest = 1e290;
  const largestShape = 1e100;
  const [m1, m2, m3] = moments;
  const shape = [m2 / m1 / m1, m3 / m1 / m1 / m1];
  const inRange = [...moments, m1 * m1].every((m) => m > 1 / largest && m < largest);
  if (inRange && shape.every((m) => m > 1 / largestShape && m < largestShape)) return;
  const detail =
    `divided by scale, the moments are ${m1}, ${m2} and ${m3}: they must lie between ${1 / largest} and ${largest}, and ` +
    `m2/m1² and m3/m1³ between ${1 / largestShape} and ${largestShape}; choose a scale near the mean`;
  throw new ConditionNotMet([place], 'beyond-double-precision', detail);
}

function warningsOf({ scv }: Moments, note: MomentNote): Warning[] {
  if (note === 'exact') return [];
  const detail =
    note === 'two-moments'
      ? `scv ${scv} is at most 1: a mixture of Erlang laws on mean and variance; the third moment is not reproduced`
      : `scv ${scv} is below 0.01: an Erlang law of 100 stages on the mean; variance and third moment are not reproduced`;
  return [{ code: 'two-moments', detail }];
}
