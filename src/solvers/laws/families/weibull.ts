import { standardExponential } from '../../numerics/random/random-variates.ts';
import { gammaFunction } from '../../numerics/special/gamma-function.ts';
import { kummerSeries, upperGamma } from '../../numerics/special/incomplete-gamma.ts';
import type { LawWithLogLaplace } from '../law.ts';
import { logScaleTransforms } from '../log-laplace.ts';

/** P(X > t) = exp(−(t/scale)^shape), shape > 0, scale > 0. */
export interface Weibull {
  readonly type: 'weibull';
  readonly shape: number;
  readonly scale: number;
}

/**
 * The Weibull law. With x = (t/scale)^shape and a = n/shape, E min(X, t)^n = scale^n·Γ(1 + a)·P(a, x), which for x < a
 * + 1 is t^n·e^(−x)·(1 + x/(a+1) + …): no gamma function and nothing that overflows.
 */
export function weibullLaw({ shape, scale }: Weibull): LawWithLogLaplace {
  const mean = scale * gammaFunction(1 + 1 / shape);
  const secondMoment = scale * scale * gammaFunction(1 + 2 / shape);
  const power = (t: number): number => (t / scale) ** shape;
  const truncatedMoment = (n: number, t: number, whole: number): number => {
    const x = power(t);
    const a = n / shape;
    return x < a + 1 ? t ** n * Math.exp(-x) * kummerSeries(a, x) : whole * (1 - upperGamma(a, x));
  };
  return {
    mean,
    secondMoment,
    survival: (t) => Math.exp(-power(t)),
    density: (t) => (shape / t) * power(t) * Math.exp(-power(t)),
    truncatedMean: (t) => truncatedMoment(1, t, mean),
    truncatedSecondMoment: (t) => truncatedMoment(2, t, secondMoment),
    sample: (random) => scale * standardExponential(random) ** (1 / shape),
    phaseType: () => null,
    // (X/scale)^shape is exponential of mean 1
    ...logScaleTransforms(mean, Math.log(scale), 1 / shape, (w) => w - Math.exp(w)),
  };
}
