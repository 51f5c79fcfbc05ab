import { truncatedSquare } from '../../numerics/special/exponential-sums.ts';
import type { Law, LawWithLogLaplace } from '../law.ts';
import { logLaplaceOf } from '../log-laplace.ts';

/** Exponential of rate rates[i] with probability probabilities[i]; probabilities sum to 1. */
export interface Hyperexponential {
  readonly type: 'hyperexponential';
  readonly probabilities: readonly number[];
  readonly rates: readonly number[];
}

/** Mixture of exponential laws: every quantity is the mixture of theirs, all terms positive. */
export function hyperexponentialLaw({ probabilities, rates }: Hyperexponential): LawWithLogLaplace {
  const total = probabilities.reduce((sum, p) => sum + p, 0);
  const p = Float64Array.from(probabilities, (value) => value / total);
  const r = Float64Array.from(rates);
  const mix = (f: (rate: number) => number): number => {
    let sum = 0;
    for (let i = 0; i < p.length; i++) if (p[i] > 0) sum += p[i] * f(r[i]);
    return sum;
  };
  const law: Law = {
    mean: mix((rate) => 1 / rate),
    secondMoment: mix((rate) => 2 / rate / rate),
    survival: (t) => mix((rate) => Math.exp(-rate * t)),
    density: (t) => mix((rate) => rate * Math.exp(-rate * t)),
    laplace: (s) => (s === Infinity ? 0 : mix((rate) => rate / (rate + s))),
    laplaceComplement: (s) => (s === Infinity ? 1 : mix((rate) => s / (rate + s))),
    truncatedMean: (t) => mix((rate) => -Math.expm1(-rate * t) / rate),
    truncatedSecondMoment: (t) => mix((rate) => truncatedSquare(rate * t) / rate / rate),
    sample: (random) => {
      let u = random();
      let branch = 0;
      while (branch < p.length - 1 && u >= p[branch]) u -= p[branch++];
      return -Math.log1p(-random()) / r[branch];
    },
    phaseType: () => ({
      initial: Array.from(p),
      generator: Array.from(r, (rate, i) => Array.from(r, (_, j) => (i === j ? -rate : 0))),
    }),
  };
  return { ...law, logLaplace: logLaplaceOf(law, (s) => mix((rate) => (s / rate) * (s / (rate + s)))) };
}
