import type { Random } from '../numerics/random/random.ts';

/** A phase-type representation: probabilities of the starting phase, and the sub-generator, one array a row. */
export interface PhaseTypeForm {
  readonly initial: readonly number[];
  readonly generator: readonly (readonly number[])[];
}

/**
 * A law of a nonnegative time X with its moments and transforms. Each is computed from positive terms or from
 * functions that do not cancel. So it is accurate in the relative sense from t = 1e−14 to 1e+14 means and for every s ≥
 * 0. The folder test/solvers/laws states the precision reached against independent quadrature.
 */
export interface Law {
  /** E X; `Infinity` for Pareto and Lomax laws of shape ≤ 1. */
  readonly mean: number;
  /** E X²; may be `Infinity`. */
  readonly secondMoment: number;
  /** P(X > t), t ≥ 0. */
  survival(t: number): number;
  /** Density at t > 0, or null where the law has atoms (deterministic, empirical). */
  readonly density: ((t: number) => number) | null;
  /** E e^(−sX), s ≥ 0. */
  laplace(s: number): number;
  /** 1 − E e^(−sX), s ≥ 0, without the subtraction: accurate however small s is. */
  laplaceComplement(s: number): number;
  /** E min(X, t) = ∫₀ᵗ P(X > u) du; also at t = Infinity. */
  truncatedMean(t: number): number;
  /** E min(X, t)² = 2∫₀ᵗ u P(X > u) du; also at t = Infinity. */
  truncatedSecondMoment(t: number): number;
  /** One draw. */
  sample(random: Random): number;
  /**
   * A phase-type representation where the law has one: exponential, Erlang, gamma of integer shape, hyperexponential
   * and phase-type. Null for the others. Dense: an Erlang law of shape k takes k² numbers.
   */
  phaseType(): PhaseTypeForm | null;
}

/**
 * The logarithm of the transform of a law, for a time during which pages change at Poisson rate s: without
 * cancellation from s·E X = 1e−300 up. It does not underflow with E e^(−sX) where the law allows a closed form.
 */
export interface LogLaplace {
  /** L(s) = −ln E e^(−sX), s > 0. */
  load(s: number): number;
  /** s·E X − L(s) ≥ 0 (Jensen). */
  excess(s: number): number;
  /** Whether a call costs microseconds rather than nanoseconds. */
  readonly expensive: boolean;
}

/** A law that can be written in a request. */
export interface LawWithLogLaplace extends Law {
  readonly logLaplace: LogLaplace;
}
