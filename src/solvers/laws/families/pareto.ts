import { standardExponential } from '../../numerics/random/random-variates.ts';
import { exponentialIntegral, scaledExponentialIntegral } from '../../numerics/special/exponential-integral.ts';
import { exponentialIntegralTo } from '../../numerics/special/exponential-sums.ts';
import { staleChanges } from '../../numerics/special/stale-changes.ts';
import type { Law, LawWithLogLaplace } from '../law.ts';
import { logLaplaceOf } from '../log-laplace.ts';

/** Pareto of type I: P(X > t) = (scale/t)^shape for t ≥ scale, else 1. The mean is finite for shape > 1. */
export interface Pareto {
  readonly type: 'pareto';
  readonly shape: number;
  readonly scale: number;
}

/**
 * The Pareto law of type I. With L = ln(t/scale) and G(c) = ∫₀ᴸ e^(−cy) dy: E min(X, t) = scale·(1 + G(shape − 1)) and
 * E min(X, t)² = scale²·(1 + 2G(shape − 2)) beyond the scale. E e^(−sX) = shape·E_{shape+1}(x), x = s·scale, and, by
 * the recurrence of the exponential integrals, 1 − E e^(−sX) = (1 − e^(−x)) + x·E_shape(x): both terms positive.
 */
export function paretoLaw({ shape, scale }: Pareto): LawWithLogLaplace {
  const mean = shape > 1 ? (scale * shape) / (shape - 1) : Infinity;
  const secondMoment = shape > 2 ? (scale * scale * shape) / (shape - 2) : Infinity;
  const law: Law = {
    mean,
    secondMoment,
    survival: (t) => (t <= scale ? 1 : (scale / t) ** shape),
    density: (t) => (t < scale ? 0 : (shape / t) * (scale / t) ** shape),
    laplace: (s) => (s === 0 ? 1 : s === Infinity ? 0 : shape * exponentialIntegral(shape + 1, s * scale)),
    laplaceComplement: (s) => {
      if (s === 0 || s === Infinity) return s === 0 ? 0 : 1;
      const x = s * scale;
      return -Math.expm1(-x) + x * exponentialIntegral(shape, x);
    },
    truncatedMean: (t) => {
      if (t <= scale) return t;
      return scale * (1 + exponentialIntegralTo(shape - 1, Math.log(t / scale)));
    },
    truncatedSecondMoment: (t) => {
      if (t <= scale) return t * t;
      return scale * scale * (1 + 2 * exponentialIntegralTo(shape - 2, Math.log(t / scale)));
    },
    sample: (random) => scale * Math.exp(standardExponential(random) / shape),
    phaseType: () => null,
  };
  return {
    ...law,
    logLaplace: logLaplaceOf(
      law,
      (s) => secondOrder(shape, s * scale),
      (s) => heavyLoad(shape, s * scale),
    ),
  };
}

/**
 * E[e^(−sX) − 1 + sX] for a Pareto law at x = s·scale, by the recurrence (a − 1)E_a = e^(−x) − x·E_{a−1}. Orders below
 * 1/2 have relative error 1e−13, which is enough here.
 */
function secondOrder(shape: number, x: number): number {
  return staleChanges(x) + (x * (-Math.expm1(-x) + x * exponentialIntegral(shape - 1, x))) / (shape - 1);
}

/** −ln E e^(−sX) for a Pareto law at x = s·scale, where the transform itself underflows. */
function heavyLoad(shape: number, x: number): number {
  return x - Math.log(shape * scaledExponentialIntegral(shape + 1, x));
}
