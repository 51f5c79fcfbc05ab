import { integrateLogConcave } from '../../numerics/quadrature/line-quadrature.ts';
import { standardExponential } from '../../numerics/random/random-variates.ts';
import { findRoot } from '../../numerics/search/root.ts';
import { gammaFunction } from '../../numerics/special/gamma-function.ts';
import { kummerSeries, upperGamma } from '../../numerics/special/incomplete-gamma.ts';
import type { Law, WrittenLaw } from '../law.ts';
import { logStaleLoad, logStaleSlope, transformLoad } from '../log-transform.ts';

/** P(X > t) = exp(−(t/scale)^shape), shape > 0, scale > 0. */
export interface Weibull {
  readonly type: 'weibull';
  readonly shape: number;
  readonly scale: number;
}

/**
 * The Weibull law. With x = (t/scale)^shape and a = n/shape, E min(X, t)^n = scale^n·Γ(1 + a)·P(a, x), which for x < a
 * + 1 is t^n·e^(−x)·(1 + x/(a+1) + …): no gamma function and nothing that overflows. With e^u = (X/scale)^shape the
 * transform and its complement are integrals of log-concave functions of u over the line, taken by the trapezoidal
 * rule.
 */
export function weibullLaw({ shape, scale }: Weibull): WrittenLaw {
  const mean = scale * gammaFunction(1 + 1 / shape);
  const secondMoment = scale * scale * gammaFunction(1 + 2 / shape);
  const power = (t: number): number => (t / scale) ** shape;
  const truncated = (n: number, t: number, whole: number): number => {
    const x = power(t);
    const a = n / shape;
    return x < a + 1 ? t ** n * Math.exp(-x) * kummerSeries(a, x) : whole * (1 - upperGamma(a, x));
  };
  const law: Law = {
    mean,
    secondMoment,
    survival: (t) => Math.exp(-power(t)),
    density: (t) => (shape / t) * power(t) * Math.exp(-power(t)),
    laplace: (s) => (s === 0 ? 1 : s === Infinity ? 0 : transform(Math.log(s) + Math.log(scale), shape)),
    laplaceComplement: (s) => (s === 0 ? 0 : s === Infinity ? 1 : complement(Math.log(s) + Math.log(scale), shape)),
    truncatedMean: (t) => truncated(1, t, mean),
    truncatedSecondMoment: (t) => truncated(2, t, secondMoment),
    sample: (random) => scale * standardExponential(random) ** (1 / shape),
    phaseType: () => null,
  };
  return {
    ...law,
    logTransform: transformLoad(
      law,
      (s) => secondOrder(Math.log(s) + Math.log(scale), shape),
      (s) => heavyLoad(Math.log(s) + Math.log(scale), shape),
    ),
  };
}

/**
 * E exp(−e^shift·Y^(1/k)), Y exponential of mean 1; near 1 from its complement, whose integrand has its mass in one
 * place.
 */
function transform(shift: number, k: number): number {
  const rest = complement(shift, k);
  return rest < 0.5 ? 1 - rest : laplace(shift, k);
}

function laplace(shift: number, k: number): number {
  const { logPeak, relative } = aroundPeak(shift, k);
  return Math.min(1, relative * Math.exp(logPeak));
}

/** −ln E exp(−e^shift·Y^(1/k)), where that underflows too. */
function heavyLoad(shift: number, k: number): number {
  const { logPeak, relative } = aroundPeak(shift, k);
  return -logPeak - Math.log(relative);
}

function aroundPeak(shift: number, k: number) {
  const slope = (u: number): number => 1 - Math.exp(u) - Math.exp(shift + u / k) / k;
  // where one of the two falling terms is 1 the slope is ≤ 0; where both are at most 1/2 it is ≥ 0
  const high = Math.min(0, k * (Math.log(k) - shift));
  const mode = findRoot(slope, high - Math.max(1, k) * Math.LN2, high, 1e-9);
  const curvature = Math.exp(mode) + Math.exp(shift + mode / k) / (k * k);
  const log = (u: number): number => u - Math.exp(u) - Math.exp(shift + u / k);
  return integrateLogConcave(log, mode, 1 / Math.sqrt(curvature));
}

/** E[1 − exp(−e^shift·Y^(1/k))]. */
function complement(shift: number, k: number): number {
  const slope = (u: number): number => {
    const y = Math.exp(shift + u / k);
    return 1 - Math.exp(u) + (y === 0 ? 1 : y / Math.expm1(y) || 0) / k;
  };
  const mode = findRoot(slope, 0, Math.log1p(1 / k), 1e-9);
  const log = (u: number): number => {
    const logY = shift + u / k;
    return u - Math.exp(u) + (logY < -37 ? logY : Math.log(-Math.expm1(-Math.exp(logY))));
  };
  const { logPeak, relative } = integrateLogConcave(log, mode, 1 / Math.sqrt(1 + 1 / k + 1 / (k * k)));
  return Math.min(1, relative * Math.exp(logPeak));
}

/** E[e^(−sX) − 1 + sX], over u of density e^(u − e^u). */
function secondOrder(shift: number, shape: number): number {
  const slope = (u: number): number => 1 - Math.exp(u) + logStaleSlope(shift + u / shape) / shape;
  const mode = findRoot(slope, Math.log1p(0.99 / shape), Math.log1p(2.01 / shape), 1e-9);
  const log = (u: number): number => u - Math.exp(u) + logStaleLoad(shift + u / shape);
  const { logPeak, relative } = integrateLogConcave(log, mode, 1 / Math.sqrt(1 + 2 / shape + 1 / (shape * shape)));
  return relative * Math.exp(logPeak);
}
