import { truncatedSquare } from '../../numerics/special/exponential-sums.ts';
import type { LawWithLogLaplace } from '../law.ts';
import { gammaLogLaplace } from './gamma.ts';

/** P(X > t) = e^(−rate·t), rate > 0. */
export interface Exponential {
  readonly type: 'exponential';
  readonly rate: number;
}

/** The exponential law. E min(X,t)² = 2(1 − e^(−x)(1 + x))/rate² with x = rate·t. */
export function exponentialLaw({ rate }: Exponential): LawWithLogLaplace {
  const mean = 1 / rate;
  return {
    mean,
    secondMoment: 2 * mean * mean,
    survival: (t) => Math.exp(-rate * t),
    density: (t) => rate * Math.exp(-rate * t),
    laplace: (s) => (s === Infinity ? 0 : rate / (rate + s)),
    laplaceComplement: (s) => (s === Infinity ? 1 : s / (rate + s)),
    truncatedMean: (t) => -Math.expm1(-rate * t) * mean,
    truncatedSecondMoment: (t) => truncatedSquare(rate * t) * mean * mean,
    sample: (random) => -Math.log1p(-random()) * mean,
    phaseType: () => ({ initial: [1], generator: [[-rate]] }),
    logLaplace: gammaLogLaplace(1, rate),
  };
}
