import { integrateLogConcave } from '../../numerics/quadrature/line-quadrature.ts';
import { standardNormal } from '../../numerics/random/random-variates.ts';
import { findRoot } from '../../numerics/search/root.ts';
import { normalDistribution } from '../../numerics/special/error-function.ts';
import type { Law, WrittenLaw } from '../law.ts';
import { logStaleLoad, logStaleSlope, transformLoad } from '../log-transform.ts';

/** ln X is normal with mean `mu` and standard deviation `sigma` > 0. */
export interface Lognormal {
  readonly type: 'lognormal';
  readonly mu: number;
  readonly sigma: number;
}

const logSqrtTwoPi = 0.9189385332046728;

/**
 * The lognormal law. E min(X, t) = t·Φ(−z) + m1·Φ(z − σ) and E min(X, t)² = t²·Φ(−z) + m2·Φ(z − 2σ) with z = (ln t −
 * μ)/σ. The transform has no closed form. E e^(−sX) and 1 − E e^(−sX) are each the integral over the normal variable z
 * of a log-concave function. The trapezoidal rule takes it around its maximum.
 */
export function lognormalLaw({ mu, sigma }: Lognormal): WrittenLaw {
  const mean = Math.exp(mu + (sigma * sigma) / 2);
  const secondMoment = Math.exp(2 * mu + 2 * sigma * sigma);
  const standard = (t: number): number => (Math.log(t) - mu) / sigma;
  const law: Law = {
    mean,
    secondMoment,
    survival: (t) => (t <= 0 ? 1 : normalDistribution(-standard(t))),
    density: (t) => Math.exp(-(standard(t) ** 2) / 2 - logSqrtTwoPi) / (sigma * t),
    laplace: (s) => (s === 0 ? 1 : s === Infinity ? 0 : transform(Math.log(s) + mu, sigma)),
    laplaceComplement: (s) => (s === 0 ? 0 : s === Infinity ? 1 : complement(Math.log(s) + mu, sigma)),
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
  };
  return {
    ...law,
    logTransform: transformLoad(
      law,
      (s) => secondOrder(Math.log(s) + mu, sigma),
      (s) => heavyLoad(Math.log(s) + mu, sigma),
    ),
  };
}

/** E exp(−e^(shift + σZ)), Z standard normal; near 1 from its complement, whose integrand has its mass in one place. */
function transform(shift: number, sigma: number): number {
  const rest = complement(shift, sigma);
  return rest < 0.5 ? 1 - rest : laplace(shift, sigma);
}

function laplace(shift: number, sigma: number): number {
  const { logPeak, relative } = aroundPeak(shift, sigma);
  return Math.min(1, relative * Math.exp(logPeak - logSqrtTwoPi));
}

/** −ln E exp(−e^(shift + σZ)), where that underflows too. */
function heavyLoad(shift: number, sigma: number): number {
  const { logPeak, relative } = aroundPeak(shift, sigma);
  return logSqrtTwoPi - logPeak - Math.log(relative);
}

function aroundPeak(shift: number, sigma: number) {
  // the maximum of −z²/2 − e^(shift + σz) is at z = −w/σ with w + ln w = ln(σ²) + shift
  const target = shift + 2 * Math.log(sigma);
  const w =
    target < -30
      ? Math.exp(target)
      : findRoot((x) => x + Math.log(x) - target, Math.exp(Math.min(target, 0) - 1), Math.max(2, target + 1), 1e-9);
  const log = (z: number): number => -(z * z) / 2 - Math.exp(shift + sigma * z);
  return integrateLogConcave(log, -w / sigma, 1 / Math.sqrt(1 + w));
}

/** E[1 − exp(−e^(shift + σZ))]. */
function complement(shift: number, sigma: number): number {
  const slope = (z: number): number => {
    const y = Math.exp(shift + sigma * z);
    return (y === 0 ? sigma : sigma * (y / Math.expm1(y) || 0)) - z;
  };
  const mode = findRoot(slope, 0, sigma, 1e-9 * sigma);
  const log = (z: number): number => {
    const logY = shift + sigma * z;
    return -(z * z) / 2 + (logY < -37 ? logY : Math.log(-Math.expm1(-Math.exp(logY))));
  };
  const { logPeak, relative } = integrateLogConcave(log, mode, 1 / Math.sqrt(1 + sigma * sigma));
  return Math.min(1, relative * Math.exp(logPeak - logSqrtTwoPi));
}

/** E[e^(−sX) − 1 + sX]: the integral over z of a log-concave function, around its maximum between σ and 2σ. */
function secondOrder(shift: number, sigma: number): number {
  const mode = findRoot((z) => sigma * logStaleSlope(shift + sigma * z) - z, sigma, 2 * sigma, 1e-9 * sigma);
  const log = (z: number): number => -(z * z) / 2 + logStaleLoad(shift + sigma * z);
  const { logPeak, relative } = integrateLogConcave(log, mode, 1 / Math.sqrt(1 + sigma * sigma));
  return relative * Math.exp(logPeak - logSqrtTwoPi);
}
