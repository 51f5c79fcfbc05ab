import { exactProduct } from '../numerics/special/exact-product.ts';
import type { QueueMeasures } from './problem.ts';

/**
 * The M/M/1/K queue in closed form, without ever forming ρ^K: with x = ln ρ and n = K + 1,
 *   P(empty) = expm1(x)/expm1(nx), P(full) = expm1(−x)/expm1(−nx),
 *   L = K/2 + n·v(nx) − v(x), v(y) = ½·coth(y/2) − 1/y (odd, y/12 near 0),
 * each accurate in the relative sense at every ρ > 0 and K from 1 to 1e9. Only K·x matters, so x is formed from ρ − 1
 * with the product λN taken exactly. O(1).
 *
 * Source: Liu and Nain (2006), (1.3)–(1.4); Kleinrock (1975). Checked against 60-digit arithmetic in the tests.
 */
export function exponentialQueue(
  crawlers: number,
  crawlerRate: number,
  serviceRate: number,
  capacity: number,
): QueueMeasures {
  const arrivalRate = crawlers * crawlerRate;
  const x = logLoad(crawlers, crawlerRate, serviceRate);
  const starvationProbability = emptyProbability(x, capacity + 1);
  const lossProbability = emptyProbability(-x, capacity + 1);
  return {
    offeredLoad: arrivalRate / serviceRate,
    starvationProbability,
    lossRate: arrivalRate * lossProbability,
    lossProbability,
    // of the two expressions of the throughput, the one that does not cancel
    throughput: x < 0 ? arrivalRate * (1 - lossProbability) : serviceRate * (1 - starvationProbability),
    meanQueueLength: meanNumber(x, capacity),
  };
}

/** ln(Nλ/μ), accurate also when the load is within rounding of 1. */
export function logLoad(crawlers: number, crawlerRate: number, serviceRate: number): number {
  const { product, error } = exactProduct(crawlers, crawlerRate);
  const excess = (product - serviceRate + error) / serviceRate;
  return Math.abs(excess) < 0.5 ? Math.log1p(excess) : Math.log(product / serviceRate);
}

/** (1 − e^x)/(1 − e^(nx)), any real x; 1/n at 0. */
export function emptyProbability(x: number, n: number): number {
  if (x === 0) return 1 / n;
  if (x < 0) return Math.expm1(x) / Math.expm1(n * x);
  // e^(−nx)·expm1(x)/(1 − e^(−nx)), with the powers joined so that neither overflows
  return (-Math.expm1(-x) * Math.exp((1 - n) * x)) / -Math.expm1(-n * x);
}

/** Mean of the geometric law ρ^i on 0..K. */
function meanNumber(x: number, capacity: number): number {
  if (x > 0) return capacity - meanNumber(-x, capacity);
  const n = capacity + 1;
  if (n * x < -2) return 1 / Math.expm1(-x) - n / Math.expm1(-n * x);
  return capacity / 2 + n * centredMean(n * x) - centredMean(x);
}

/** v(y) = ½·coth(y/2) − 1/y: how far the mean of the density e^(yu) on [0, 1] is from ½. Odd. */
export function centredMean(y: number): number {
  if (Math.abs(y) > 1) return y > 0 ? 0.5 + 1 / Math.expm1(y) - 1 / y : -(0.5 + 1 / Math.expm1(-y) + 1 / y);
  const s = y * y;
  // Bernoulli numbers: Σ B_{2k} y^{2k−1}/(2k)!
  let sum = 0;
  for (let k = centredCoefficients.length - 1; k >= 0; k--) sum = sum * s + centredCoefficients[k];
  return sum * y;
}

const centredCoefficients = [
  1 / 12,
  -1 / 720,
  1 / 30240,
  -1 / 1209600,
  1 / 47900160,
  -691 / 1307674368000,
  1 / 74724249600,
  -3617 / 10670622842880000,
  43867 / 5109094217170944000,
  -174611 / 802857662698291200000,
];
