import { uniformLaplace, uniformLaplaceComplement } from '../../numerics/special/exponential-sums.ts';
import type { Law } from '../law.ts';

/** Uniform on [min, max], 0 ≤ min < max. */
export interface Uniform {
  readonly type: 'uniform';
  readonly min: number;
  readonly max: number;
}

/** The uniform law on [min, max]. */
export function uniformLaw({ min, max }: Uniform): Law {
  const width = max - min;
  return {
    mean: min + width / 2,
    secondMoment: (min * min + min * max + max * max) / 3,
    survival: (t) => (t <= min ? 1 : t >= max ? 0 : (max - t) / width),
    density: (t) => (t < min || t > max ? 0 : 1 / width),
    laplace: (s) => (s === Infinity ? 0 : Math.exp(-s * min) * uniformLaplace(s * width)),
    // 1 − AB = (1 − A) + A(1 − B), both terms positive
    laplaceComplement: (s) =>
      s === Infinity ? 1 : -Math.expm1(-s * min) + Math.exp(-s * min) * uniformLaplaceComplement(s * width),
    truncatedMean: (t) => {
      if (t <= min) return t;
      if (t >= max) return min + width / 2;
      return t - ((t - min) / width) * ((t - min) / 2);
    },
    truncatedSecondMoment: (t) => {
      if (t <= min) return t * t;
      if (t >= max) return (min * min + min * max + max * max) / 3;
      return ((t - min) / width) * ((t * t + t * min + min * min) / 3) + t * t * ((max - t) / width);
    },
    sample: (random) => min + width * random(),
    phaseType: () => null,
  };
}
