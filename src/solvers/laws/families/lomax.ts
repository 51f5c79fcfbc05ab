import { gaussLegendre, integrateBy } from '../../numerics/quadrature/gauss-legendre.ts';
import { standardExponential } from '../../numerics/random/random-variates.ts';
import { scaledExponentialIntegral } from '../../numerics/special/exponential-integral.ts';
import { exponentialIntegralTo } from '../../numerics/special/exponential-sums.ts';
import type { Law, LawWithLogLaplace } from '../law.ts';
import { logLaplaceOf } from '../log-laplace.ts';

/** Pareto of type II: P(X > t) = (scale/(scale + t))^shape. The mean is finite for shape > 1. */
export interface Lomax {
  readonly type: 'lomax';
  readonly shape: number;
  readonly scale: number;
}

const quadratureRule = gaussLegendre(20);

/**
 * The Lomax law (Pareto of type II). With L = ln(1 + t/scale): E min(X, t) = scale·∫₀ᴸ e^((1−shape)y) dy. With x =
 * s·scale, E e^(−sX) = shape·e^x·E_{shape+1}(x) and 1 − E e^(−sX) = x·e^x·E_shape(x).
 */
export function lomaxLaw({ shape, scale }: Lomax): LawWithLogLaplace {
  const mean = shape > 1 ? scale / (shape - 1) : Infinity;
  const secondMoment = shape > 2 ? (2 * scale * scale) / ((shape - 1) * (shape - 2)) : Infinity;
  const law: Law = {
    mean,
    secondMoment,
    survival: (t) => Math.exp(-shape * Math.log1p(t / scale)),
    density: (t) => (shape / scale) * Math.exp(-(shape + 1) * Math.log1p(t / scale)),
    laplace: (s) => (s === 0 ? 1 : s === Infinity ? 0 : shape * scaledExponentialIntegral(shape + 1, s * scale)),
    laplaceComplement: (s) => {
      if (s === 0 || s === Infinity) return s === 0 ? 0 : 1;
      return s * scale * scaledExponentialIntegral(shape, s * scale);
    },
    truncatedMean: (t) => scale * exponentialIntegralTo(shape - 1, Math.log1p(t / scale)),
    truncatedSecondMoment: (t) => 2 * scale * scale * squareIntegral(shape, Math.log1p(t / scale)),
    sample: (random) => scale * Math.expm1(standardExponential(random) / shape),
    phaseType: () => null,
  };
  return { ...law, logLaplace: logLaplaceOf(law, (s) => secondOrder(shape, s * scale)) };
}

/**
 * ∫₀ᴸ (e^y − 1)·e^((1−a)y) dy = ½·E min(X, t)² for scale 1. The closed forms are differences. Where they would cancel,
 * the integrand varies by a few powers of e only. Gauss–Legendre with 20 points is then exact to rounding.
 */
function squareIntegral(a: number, upper: number): number {
  if (upper === Infinity) return a > 2 ? 1 / ((a - 1) * (a - 2)) : Infinity;
  if (upper * Math.max(1, a) <= 3)
    return integrateBy(quadratureRule, (y) => Math.expm1(y) * Math.exp((1 - a) * y), 0, upper);
  if (a <= 3) return exponentialIntegralTo(a - 2, upper) - exponentialIntegralTo(a - 1, upper);
  const tailShare = Math.exp((1 - a) * upper + Math.log1p((a - 1) * Math.expm1(upper)));
  return (1 - tailShare) / ((a - 1) * (a - 2));
}

/** E[e^(−sX) − 1 + sX] for a Lomax law, at x = s·scale. */
function secondOrder(shape: number, x: number): number {
  return (x * x * scaledExponentialIntegral(shape - 1, x)) / (shape - 1);
}
