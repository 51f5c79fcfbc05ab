import type { Random } from '../numerics/random/random.ts';
import { deterministicLaw } from './deterministic.ts';
import type { Distribution } from './distribution.ts';
import { empiricalLaw } from './empirical.ts';
import { exponentialLaw } from './exponential.ts';
import { gammaLaw } from './gamma.ts';
import { hyperexponentialLaw } from './hyperexponential.ts';
import { lognormalLaw } from './lognormal.ts';
import { lomaxLaw } from './lomax.ts';
import { paretoLaw } from './pareto.ts';
import { phaseTypeLaw } from './phase-type.ts';
import { uniformLaw } from './uniform.ts';
import { weibullLaw } from './weibull.ts';

/** A phase-type representation: probabilities of the starting phase, and the sub-generator, one array a row. */
export interface PhaseTypeForm {
  readonly initial: readonly number[];
  readonly generator: readonly (readonly number[])[];
}

/**
 * A law of a nonnegative time X that can be asked questions. Every answer is computed from positive terms or from
 * functions that do not cancel, so it is accurate in the relative sense from t = 1e−14 to 1e+14 means and for every s ≥ 0;
 * test/solvers/distributions states the precision reached against independent quadrature.
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
 * The law a distribution stands for. Its conditions (distribution.ts) must have been checked.
 *
 * Cost: O(1) to build and to ask, except empirical (O(n log n) to build, O(n) a transform, else O(log n)) and phase-type
 * with p phases (O(p³) once, O(p³) a transform, O(p²) a survival or truncated moment after up to ~100 products of p³).
 */
export function createLaw(distribution: Distribution): Law {
  switch (distribution.type) {
    case 'deterministic':
      return deterministicLaw(distribution);
    case 'exponential':
      return exponentialLaw(distribution);
    case 'erlang':
    case 'gamma':
      return gammaLaw(distribution);
    case 'hyperexponential':
      return hyperexponentialLaw(distribution);
    case 'uniform':
      return uniformLaw(distribution);
    case 'lognormal':
      return lognormalLaw(distribution);
    case 'weibull':
      return weibullLaw(distribution);
    case 'pareto':
      return paretoLaw(distribution);
    case 'lomax':
      return lomaxLaw(distribution);
    case 'phase-type':
      return phaseTypeLaw(distribution);
    case 'empirical':
      return empiricalLaw(distribution);
  }
}
