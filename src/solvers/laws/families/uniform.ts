import { exponentialIntegralTo, uniformLaplaceComplement } from '../../numerics/special/exponential-sums.ts';
import type { LawWithLogLaplace, LogLaplace } from '../law.ts';

/** Uniform on [min, max], 0 ≤ min < max. */
export interface Uniform {
  readonly type: 'uniform';
  readonly min: number;
  readonly max: number;
}

export function uniformLaw({ min, max }: Uniform): LawWithLogLaplace {
  const width = max - min;
  return {
    mean: min + width / 2,
    secondMoment: (min * min + min * max + max * max) / 3,
    survival: (t) => (t <= min ? 1 : t >= max ? 0 : (max - t) / width),
    density: (t) => (t < min || t > max ? 0 : 1 / width),
    laplace: (s) => (s === Infinity ? 0 : Math.exp(-s * min) * exponentialIntegralTo(s * width, 1)),
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
    logLaplace: uniformLogLaplace(min, max),
  };
}

/** With y = s(max − min)/2 the excess is ln(sinh(y)/y). */
function uniformLogLaplace(min: number, max: number): LogLaplace {
  const mean = min + (max - min) / 2;
  const excess = (s: number): number => {
    const y = s * ((max - min) / 2);
    if (y > 1) return y + Math.log1p(-Math.exp(-2 * y)) - Math.log(2 * y);
    // sinh(y)/y − 1 = y²/6 + y⁴/120 + …
    const square = y * y;
    let sum = 0;
    for (let n = 18; n >= 2; n -= 2) sum = (square / (n * (n + 1))) * (1 + sum);
    return Math.log1p(sum);
  };
  const load = (s: number): number => {
    const y = s * ((max - min) / 2);
    return y > 1 ? s * min + Math.log(2 * y) - Math.log1p(-Math.exp(-2 * y)) : s * mean - excess(s);
  };
  return { load, excess, expensive: false };
}
