/**
 * The load of one access on a page that changes at Poisson rate s: L(s) = −ln E e^(−sX), X the access time, and its
 * excess s·E X − L(s) ≥ 0 (Jensen), which is what randomness of the access time alone makes stale. Both without
 * cancellation, from s·E X = 1e−300 up, and without underflow of E e^(−sX) for large loads where the law allows a
 * closed form.
 *
 * With g = 1 − E e^(−sX) and A = s·E X − g = E[e^(−sX) − 1 + sX] ≥ 0: L = −ln(1 − g), excess = A − (−ln(1 − g) − g).
 * A has a positive form for every law (beside each below); deterministic, gamma, uniform and empirical have L and the
 * excess themselves. Source of the model: Coffman, Liu & Weber (1997), Lemma 3.1 and Theorem 3.3.
 */
import type { Distribution } from '../laws/create-law.ts';
import { mixtureOfConstants } from '../laws/families/empirical.ts';
import type { Lognormal } from '../laws/families/lognormal.ts';
import { phasesOf } from '../laws/families/phase-type.ts';
import type { Weibull } from '../laws/families/weibull.ts';
import { createLaw } from '../laws/index.ts';
import { factorMMatrix, solveMMatrix } from '../numerics/linear/m-matrix.ts';
import { integrateLogConcave } from '../numerics/quadrature/line-quadrature.ts';
import { findRoot } from '../numerics/search/root.ts';
import { exponentialIntegral, scaledExponentialIntegral } from '../numerics/special/exponential-integral.ts';
import { logExcess } from '../numerics/special/incomplete-gamma.ts';
import { staleChanges } from '../pages/objectives/index.ts';

/** An access time, seen by pages that change. */
export interface AccessTime {
  /** E X. */
  readonly mean: number;
  /** L(s) = −ln E e^(−sX) for a change rate s > 0. */
  load(s: number): number;
  /** s·E X − L(s). */
  excess(s: number): number;
  /** Whether a call costs microseconds rather than nanoseconds. */
  readonly expensive: boolean;
}

/**
 * O(1) a call; O(n) for n empirical values, O(p³) for p phases, some hundred exponentials for lognormal and Weibull.
 */
export function accessTime(distribution: Distribution): AccessTime {
  switch (distribution.type) {
    case 'deterministic':
      return { mean: distribution.value, load: (s) => s * distribution.value, excess: () => 0, expensive: false };
    case 'exponential':
      return gammaTime(1, distribution.rate);
    case 'erlang':
    case 'gamma':
      return gammaTime(distribution.shape, distribution.rate);
    case 'uniform':
      return uniformTime(distribution.min, distribution.max);
    case 'empirical':
      return empiricalTime(mixtureOfConstants(distribution));
    default:
      return transformTime(distribution);
  }
}

/** L = k·ln(1 + s/rate). */
function gammaTime(shape: number, rate: number): AccessTime {
  return {
    mean: shape / rate,
    load: (s) => shape * Math.log1p(s / rate),
    excess: (s) => shape * logExcess(s / rate),
    expensive: false,
  };
}

/** With y = s(max − min)/2 the excess is ln(sinh(y)/y). */
function uniformTime(min: number, max: number): AccessTime {
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
  return { mean, load, excess, expensive: false };
}

/** Measured from the smallest value (load) or from the mean (excess = ln(1 + E[e^(−y) − 1 + y]), y = s(X − E X)). */
function empiricalTime({ values, weights }: { values: Float64Array; weights: Float64Array }): AccessTime {
  const least = values[0];
  let beyond = 0;
  for (let i = 0; i < values.length; i++) beyond += weights[i] * (values[i] - least);
  const mean = least + beyond;
  const load = (s: number): number => {
    let complement = 0;
    for (let i = 1; i < values.length; i++) complement -= weights[i] * Math.expm1(-s * (values[i] - least));
    if (complement < 0.5) return s * least - Math.log1p(-complement);
    let transform = 0;
    for (let i = 0; i < values.length; i++) transform += weights[i] * Math.exp(-s * (values[i] - least));
    return s * least - Math.log(transform);
  };
  const excess = (s: number): number => {
    if (s * mean > 1) return Math.max(0, s * mean - load(s));
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      const y = s * (values[i] - mean);
      sum += weights[i] * (y >= 0 ? staleChanges(y) : growth(-y));
    }
    return Math.log1p(sum);
  };
  return { mean, load, excess, expensive: values.length > 8 };
}

/** e^y − 1 − y for 0 ≤ y ≤ 1, as its series. */
function growth(y: number): number {
  let sum = 0;
  for (let n = 18; n > 2; n--) sum = (1 + sum) * (y / n);
  return (1 + sum) * ((y * y) / 2);
}

type Transformed = Exclude<
  Distribution,
  { type: 'deterministic' | 'exponential' | 'erlang' | 'gamma' | 'uniform' | 'empirical' }
>;

/** The laws that are known by g and A. */
function transformTime(distribution: Transformed): AccessTime {
  const law = createLaw(distribution);
  const secondOrder = secondOrderOf(distribution);
  const load = (s: number): number => {
    const g = law.laplaceComplement(s);
    if (g < 0.5) return -Math.log1p(-g);
    const h = law.laplace(s);
    return h > 1e-290 ? -Math.log(h) : heavyLoad(distribution, s);
  };
  const excess = (s: number): number => {
    const g = law.laplaceComplement(s);
    return g < 0.5 ? Math.max(0, secondOrder(s) - logExcess(-g)) : Math.max(0, s * law.mean - load(s));
  };
  return { mean: law.mean, load, excess, expensive: true };
}

/** A(s) = E[e^(−sX) − 1 + sX]. */
function secondOrderOf(distribution: Transformed): (s: number) => number {
  switch (distribution.type) {
    case 'hyperexponential': {
      // v²/(1 + v) a branch, v = s/rate
      const { probabilities, rates } = distribution;
      const total = probabilities.reduce((sum, p) => sum + p, 0);
      return (s) => rates.reduce((sum, rate, i) => sum + (probabilities[i] / total) * (s / rate) * (s / (rate + s)), 0);
    }
    case 'lognormal':
      return (s) => lognormalSecondOrder(distribution, Math.log(s));
    case 'weibull':
      return (s) => weibullSecondOrder(distribution, Math.log(s));
    case 'pareto': {
      // by the recurrence (a − 1)E_a = e^(−x) − x·E_{a−1}; orders below 1/2 are good to 1e−13, enough here
      const { shape, scale } = distribution;
      return (s) => {
        const x = s * scale;
        return staleChanges(x) + (x * (-Math.expm1(-x) + x * exponentialIntegral(shape - 1, x))) / (shape - 1);
      };
    }
    case 'lomax': {
      const { shape, scale } = distribution;
      return (s) => {
        const x = s * scale;
        return (x * x * scaledExponentialIntegral(shape - 1, x)) / (shape - 1);
      };
    }
    case 'phase-type': {
      // A = s²·α(−T)⁻¹(sI − T)⁻¹1
      const { n, initial, off, exit } = phasesOf(distribution);
      const ones = new Float64Array(n).fill(1);
      const solve = (s: number, b: Float64Array): Float64Array => {
        const factors = factorMMatrix(
          off,
          exit.map((rate) => rate + s),
        );
        return factors === null ? b.map(() => Infinity) : solveMMatrix(factors, b);
      };
      return (s) => {
        const x = solve(0, solve(s, ones));
        return s * s * x.reduce((sum, value, i) => sum + initial[i] * value, 0);
      };
    }
  }
}

const logSqrtTwoPi = 0.9189385332046728;

/** ln(e^(−y) − 1 + y) at y = e^logY: concave in logY, of slope 2 for small y and 1 for large. */
function logStaleLoad(logY: number): number {
  // e^logY − 1 is e^logY to the last bit, and may overflow
  if (logY > 40) return logY;
  return logY < -20 ? 2 * logY - Math.LN2 - Math.exp(logY) / 3 : Math.log(staleChanges(Math.exp(logY)));
}

/** Slope of {@link logStaleLoad}. */
function logStaleSlope(logY: number): number {
  if (logY < -20) return 2;
  const y = Math.exp(logY);
  return y > 700 ? 1 + 1 / y : (-y * Math.expm1(-y)) / staleChanges(y);
}

/** The integral over the normal variable z of a log-concave function, around its maximum between σ and 2σ. */
function lognormalSecondOrder({ mu, sigma }: Lognormal, logS: number): number {
  const shift = logS + mu;
  const mode = findRoot((z) => sigma * logStaleSlope(shift + sigma * z) - z, sigma, 2 * sigma, 1e-9 * sigma);
  const log = (z: number): number => -(z * z) / 2 + logStaleLoad(shift + sigma * z);
  const { logPeak, relative } = integrateLogConcave(log, mode, 1 / Math.sqrt(1 + sigma * sigma));
  return relative * Math.exp(logPeak - logSqrtTwoPi);
}

/** The same with e^u = (X/scale)^shape, of density e^(u − e^u) in u. */
function weibullSecondOrder({ shape, scale }: Weibull, logS: number): number {
  const shift = logS + Math.log(scale);
  const slope = (u: number): number => 1 - Math.exp(u) + logStaleSlope(shift + u / shape) / shape;
  const mode = findRoot(slope, Math.log1p(0.99 / shape), Math.log1p(2.01 / shape), 1e-9);
  const log = (u: number): number => u - Math.exp(u) + logStaleLoad(shift + u / shape);
  const { logPeak, relative } = integrateLogConcave(log, mode, 1 / Math.sqrt(1 + 2 / shape + 1 / (shape * shape)));
  return relative * Math.exp(logPeak);
}

/** L(s) where E e^(−sX) underflows: only lognormal, Weibull, Pareto and chains of many phases get there. */
function heavyLoad(distribution: Transformed, s: number): number {
  if (distribution.type === 'lognormal') {
    const { mu, sigma } = distribution;
    const shift = Math.log(s) + mu;
    // −z²/2 − e^(shift + σz) is largest at z = −w/σ, w + ln w = ln σ² + shift
    const target = shift + 2 * Math.log(sigma);
    const w = findRoot((x) => x + Math.log(x) - target, Math.exp(Math.min(target, 0) - 1), Math.max(2, target + 1));
    const log = (z: number): number => -(z * z) / 2 - Math.exp(shift + sigma * z);
    const { logPeak, relative } = integrateLogConcave(log, -w / sigma, 1 / Math.sqrt(1 + w));
    return logSqrtTwoPi - logPeak - Math.log(relative);
  }
  if (distribution.type === 'weibull') {
    const { shape, scale } = distribution;
    const shift = Math.log(s) + Math.log(scale);
    const slope = (u: number): number => 1 - Math.exp(u) - Math.exp(shift + u / shape) / shape;
    const high = Math.min(0, shape * (Math.log(shape) - shift));
    const mode = findRoot(slope, high - Math.max(1, shape) * Math.LN2, high, 1e-9);
    const curvature = Math.exp(mode) + Math.exp(shift + mode / shape) / (shape * shape);
    const log = (u: number): number => u - Math.exp(u) - Math.exp(shift + u / shape);
    const { logPeak, relative } = integrateLogConcave(log, mode, 1 / Math.sqrt(curvature));
    return -logPeak - Math.log(relative);
  }
  if (distribution.type === 'pareto') {
    const x = s * distribution.scale;
    return x - Math.log(distribution.shape * scaledExponentialIntegral(distribution.shape + 1, x));
  }
  // below e^(−667) the transform is zero for every purpose here
  return 668;
}
