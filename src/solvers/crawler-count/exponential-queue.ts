/** The M/M/1/K queue in closed form, and the load at which it costs least. */
import { findRoot } from '../numerics/search/root.ts';
import { exactProduct } from '../numerics/special/exact-product.ts';
import type { CountCosts, QueueMeasures } from './problem.ts';

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
function logLoad(crawlers: number, crawlerRate: number, serviceRate: number): number {
  const { product, error } = exactProduct(crawlers, crawlerRate);
  const excess = (product - serviceRate + error) / serviceRate;
  return Math.abs(excess) < 0.5 ? Math.log1p(excess) : Math.log(product / serviceRate);
}

/** (1 − e^x)/(1 − e^(nx)), any real x; 1/n at 0. */
function emptyProbability(x: number, n: number): number {
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
function centredMean(y: number): number {
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

/**
 * The load that minimises the cost of an M/M/1/K queue when the number of crawlers may be any real number.
 *
 * With loss = λN − μ(1 − P(empty)) the cost is C = (γ + ℓμ)·P(empty) + (ℓλ + c)·N − ℓμ. Dividing by κ = ℓ + c/λ gives
 * the same problem without crawler cost, with ℓ = 1 and γ' = (γ + ℓμ)/κ − μ = (γλ − cμ)/(ℓλ + c). P(empty) is convex in
 * ρ (docs/crawler-count.md), so for γ' ≤ 0, where the slope −γ' at ρ = 0 is not negative, the minimiser is ρ = 0.
 *
 * Otherwise, with n = K + 1, y = n·ln ρ, σ the logistic function and ψ(y) = 1/(1 − e^(−y)) − 1/y = ½ + v(y), the
 * derivative vanishes where
 *   σ(y − ln(γ'/μ)) + ψ(y/n)/n − ψ(y) = 0.
 * Equation (1.7) of the paper has ρ = 1 as a spurious double root; this form has one root only. It is bracketed by
 * doubling and closed by Brent's method to the last bit. For |y| > 2 the terms 1/y, which cancel, are taken out by
 * hand. O(log K) evaluations.
 *
 * @param ratio γ'/μ, > 0
 * @param n K + 1 > 1; need not be an integer
 * @returns ln ρ*
 */
export function optimalLogLoad(ratio: number, n: number): number {
  const target = Math.log(ratio);
  const slope = (y: number): number => {
    if (y < -2) return logistic(y - target) + 1 / Math.expm1(-y) - 1 / (n * Math.expm1(-y / n));
    if (y > 2) return 1 / (-n * Math.expm1(-y / n)) - 1 / Math.expm1(y) - logistic(target - y);
    return logistic(y - target) + (0.5 + centredMean(y / n)) / n - 0.5 - centredMean(y);
  };
  let low = -1;
  while (slope(low) > 0) low *= 2;
  let high = 1;
  while (slope(high) < 0) high *= 2;
  return findRoot(slope, low, high) / n;
}

/**
 * γ' = (γλ − cμ)/(ℓλ + c): the starvation cost of the problem with ℓ = 1 and no crawler cost that has the
 * same minimiser. It is ≤ 0 where one crawler is already too many.
 */
export function reducedCost(
  { loss, starvation, crawler }: CountCosts,
  crawlerRate: number,
  serviceRate: number,
): number {
  return (starvation * crawlerRate - crawler * serviceRate) / (loss * crawlerRate + crawler);
}

/**
 * The starvation cost γ at which the optimal load ρ* is 1: there γ' = μ(K + 2)/K, and γ' is γ itself where
 * ℓ = 1 and crawlers cost nothing (Lemma 1 of the paper).
 */
export function criticalCost(
  capacity: number,
  { loss, crawler }: Omit<CountCosts, 'starvation'>,
  crawlerRate: number,
  serviceRate: number,
): number {
  const reducedStarvation = (serviceRate * (capacity + 2)) / capacity;
  return loss * reducedStarvation + (crawler / crawlerRate) * (reducedStarvation + serviceRate);
}

/**
 * The paper's approximation (1.12) for large K: ⌈μ/λ⌉ or ⌊μ/λ⌋, whichever costs less in the limit
 * K → ∞. In that limit a load ρ ≤ 1 costs γ'(1 − ρ) and a load ρ ≥ 1 costs μ(ρ − 1).
 *
 * @returns a count of crawlers, at least 1
 */
export function largeCapacityCount(reducedStarvation: number, crawlerRate: number, serviceRate: number): number {
  const floorCount = Math.floor(serviceRate / crawlerRate);
  const ceilingCount = Math.ceil(serviceRate / crawlerRate);
  const overloadCost = crawlerRate * ceilingCount - serviceRate;
  const underloadCost = (reducedStarvation * (serviceRate - crawlerRate * floorCount)) / serviceRate;
  return Math.max(1, overloadCost <= underloadCost ? ceilingCount : floorCount);
}

function logistic(z: number): number {
  return z < 0 ? Math.exp(z) / (1 + Math.exp(z)) : 1 / (1 + Math.exp(-z));
}
