import { standardNormal } from '../../numerics/random/random-variates.ts';
import { normalDistribution } from '../../numerics/special/error-function.ts';
import type { LawWithLogLaplace } from '../law.ts';
import { logScaleTransforms } from '../log-laplace.ts';

/** ln X is normal with mean `mu` and standard deviation `sigma` > 0. */
export interface Lognormal {
  readonly type: 'lognormal';
  readonly mu: number;
  readonly sigma: number;
}

const logSqrtTwoPi = 0.9189385332046728;

/**
 * The lognormal law. E min(X, t) = t·Φ(−z) + m1·Φ(z − σ) and E min(X, t)² = t²·Φ(−z) + m2·Φ(z − 2σ) with z = (ln t −
 * μ)/σ. The transform has no closed form.
 */
export function lognormalLaw({ mu, sigma }: Lognormal): LawWithLogLaplace {
  const mean = Math.exp(mu + (sigma * sigma) / 2);
  const secondMoment = Math.exp(2 * mu + 2 * sigma * sigma);
  const standard = (t: number): number => (Math.log(t) - mu) / sigma;
  return {
    mean,
    secondMoment,
    survival: (t) => (t <= 0 ? 1 : normalDistribution(-standard(t))),
    density: (t) => Math.exp(-(standard(t) ** 2) / 2 - logSqrtTwoPi) / (sigma * t),
    truncatedMean: (t) => {
      if (t <= 0) return 0;
      if (t === Infinity) return mean;
      const z = standard(t);
      return t * normalDistribution(-z) + Math.exp(mu + (sigma * sigma) / 2) * normalDistribution(z - sigma);
    },
    truncatedSecondMoment: (t) => {
      if (t <= 0) return 0;
      if (t === Infinity) return secondMoment;
      const z = standard(t);
      return t * t * normalDistribution(-z) + secondMoment * normalDistribution(z - 2 * sigma);
    },
    sample: (random) => Math.exp(mu + sigma * standardNormal(random)),
    phaseType: () => null,
    ...logScaleTransforms(mean, mu, sigma, (z) => -(z * z) / 2 - logSqrtTwoPi),
  };
}
