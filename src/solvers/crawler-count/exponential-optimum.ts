import { findRoot } from '../numerics/search/root.ts';
import { centredMean } from './exponential-queue.ts';
import type { CountCosts } from './problem.ts';

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
 * γ' = (γλ − cμ)/(ℓλ + c), of the problem without crawler cost and ℓ = 1 that has the same minimiser; ≤ 0 where one
 * crawler is already too many.
 */
export function reducedCost(
  { loss, starvation, crawler }: CountCosts,
  crawlerRate: number,
  serviceRate: number,
): number {
  return (starvation * crawlerRate - crawler * serviceRate) / (loss * crawlerRate + crawler);
}

/** The γ at which ρ* = 1: γ' = μ(K + 2)/K, which without crawler cost is γ itself (Lemma 1 of the paper). */
export function criticalCost(
  capacity: number,
  { loss, crawler }: Omit<CountCosts, 'starvation'>,
  crawlerRate: number,
  serviceRate: number,
): number {
  const reduced = (serviceRate * (capacity + 2)) / capacity;
  return loss * reduced + (crawler / crawlerRate) * (reduced + serviceRate);
}

/**
 * The paper's approximation (1.12) for large K: ⌈μ/λ⌉ or ⌊μ/λ⌋, whichever costs less in the limit K → ∞. There a load
 * ρ ≤ 1 costs γ'(1 − ρ) and a load ρ ≥ 1 costs μ(ρ − 1). At least 1.
 */
export function largeCapacityCount(reduced: number, crawlerRate: number, serviceRate: number): number {
  const below = Math.floor(serviceRate / crawlerRate);
  const above = Math.ceil(serviceRate / crawlerRate);
  const over = crawlerRate * above - serviceRate;
  const under = (reduced * (serviceRate - crawlerRate * below)) / serviceRate;
  return Math.max(1, over <= under ? above : below);
}

function logistic(z: number): number {
  return z < 0 ? Math.exp(z) / (1 + Math.exp(z)) : 1 / (1 + Math.exp(-z));
}
