import { standardGamma } from '../../numerics/random/random-variates.ts';
import { logExcess, lowerGamma, poissonTerm, upperGamma } from '../../numerics/special/incomplete-gamma.ts';
import type { LawWithLogLaplace, LogLaplace } from '../law.ts';

/** The sum of `shape` (an integer ≥ 1) exponential stages of rate `rate` each; mean shape/rate. */
export interface Erlang {
  readonly type: 'erlang';
  readonly shape: number;
  readonly rate: number;
}

/** Density rate^shape·t^(shape−1)·e^(−rate·t)/Γ(shape), shape > 0, rate > 0; mean shape/rate. */
export interface Gamma {
  readonly type: 'gamma';
  readonly shape: number;
  readonly rate: number;
}

/**
 * The gamma law, and Erlang's, which is the gamma law of integer shape. With x = rate·t, P and Q the regularised
 * incomplete gamma functions: E min(X, t) = t·Q(k, x) + (k/rate)·P(k + 1, x), E min(X, t)² = t²·Q(k, x) + k(k +
 * 1)/rate²·P(k + 2, x).
 */
export function gammaLaw({ shape, rate }: Gamma | Erlang): LawWithLogLaplace {
  const mean = shape / rate;
  const secondMoment = (mean * (shape + 1)) / rate;
  return {
    mean,
    secondMoment,
    survival: (t) => upperGamma(shape, rate * t),
    density: (t) => (shape / t) * poissonTerm(shape, rate * t),
    laplace: (s) => Math.exp(-shape * Math.log1p(s / rate)),
    laplaceComplement: (s) => -Math.expm1(-shape * Math.log1p(s / rate)),
    truncatedMean: (t) => {
      if (rate * t === Infinity) return mean;
      return t * upperGamma(shape, rate * t) + mean * lowerGamma(shape + 1, rate * t);
    },
    truncatedSecondMoment: (t) => {
      if (rate * t === Infinity) return secondMoment;
      return t * t * upperGamma(shape, rate * t) + secondMoment * lowerGamma(shape + 2, rate * t);
    },
    sample: (random) => standardGamma(random, shape) / rate,
    phaseType: () => {
      if (!Number.isInteger(shape)) return null;
      const phases = Array.from({ length: shape }, (_, i) => i);
      return {
        initial: phases.map((i) => (i === 0 ? 1 : 0)),
        generator: phases.map((i) => phases.map((j) => (j === i ? -rate : j === i + 1 ? rate : 0))),
      };
    },
    logLaplace: gammaLogLaplace(shape, rate),
  };
}

/** The log transform of a gamma law, L = k·ln(1 + s/rate). */
export function gammaLogLaplace(shape: number, rate: number): LogLaplace {
  return {
    load: (s) => shape * Math.log1p(s / rate),
    excess: (s) => shape * logExcess(s / rate),
    expensive: false,
  };
}
