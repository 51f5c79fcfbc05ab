import type { Distribution } from '../laws/create-law.ts';
import type { Phases } from '../laws/families/phase-type.ts';
import { countingForm, createLaw, type Law } from '../laws/index.ts';
import { solveByStateReduction } from '../numerics/linear/state-reduction.ts';
import { lowerGamma, poissonTerm } from '../numerics/special/incomplete-gamma.ts';
import { meanExcess, survivalQuadrature } from './survival-quadrature.ts';

/**
 * How many pages A arrive (Poisson, rate Λ) while one is indexed, for m = 0..K−1:
 * `tail[m]` = P(A > m), `excess[m]` = E(A − m)^+ = Σ_{j≥m} P(A > j). All computed from nonnegative terms, so that
 * each is accurate in the relative sense however small.
 */
export interface ServiceArrivals {
  /** P(A = 0) = E e^(−ΛX). */
  readonly zeroProbability: number;
  readonly tail: Float64Array;
  readonly excess: Float64Array;
}

/**
 * Counts arrivals during one service at rate Λ (pages per time unit). The parts of a law that do not depend on Λ are
 * computed once, when the counter is made.
 */
export type ArrivalCounter = (rate: number) => ServiceArrivals;

/**
 * The counter of a law, for m = 0..K−1, K = `count`. With v = Λt, P(A > m) = ∫ e^(−v)(v^m/m!)·P(X > v/Λ) dv.
 *
 * - Phase-type laws: P(A > m) = β·U^(m+1)·1 and E(A − m)^+ = β·U^m·Λ(−T)^(−1)·1 with
 *   U = Λ(ΛI − T)^(−1) ≥ 0: O(K·p²) for p phases.
 * - Deterministic and empirical: mixtures of n Poisson laws, O(K·n).
 * - All others: the integral by Gauss–Legendre panels (survival-quadrature.ts), a mixture of some 16·√K Poisson laws.
 */
export function arrivalCounter(distribution: Distribution, count: number): ArrivalCounter {
  const law = createLaw(distribution);
  const form = countingForm(distribution);
  switch (form.of) {
    case 'phases':
      return phaseTypeCounter(form.phases, count);
    case 'constants':
      return mixtureCounter(form, law, count);
    case 'density':
      return (rate) => countBySurvival(law, distribution, rate, count);
  }
}

/** Fills `excess` from its last entry down: E(A − m)^+ = E(A − m − 1)^+ + P(A > m). */
function sumBackward(tail: Float64Array, excess: Float64Array): void {
  for (let m = excess.length - 2; m >= 0; m--) excess[m] = excess[m + 1] + tail[m];
}

function phaseTypeCounter({ n, initial, offDiagonal, exit }: Phases, count: number): ArrivalCounter {
  const meanFrom = new Float64Array(n).fill(1);
  solveByStateReduction(offDiagonal.slice(), exit.slice(), meanFrom, n, 1);
  return (rate) => {
    // The matrix U and, as its last column, the probabilities of no arrival: (ΛI − T)⁻¹·(ΛI, exit).
    const columns = n + 1;
    const u = new Float64Array(n * columns);
    for (let i = 0; i < n; i++) {
      u[i * columns + i] = rate;
      u[i * columns + n] = exit[i];
    }
    const exitRates = exit.map((value) => value + rate);
    solveByStateReduction(offDiagonal.slice(), exitRates, u, n, columns);
    const tail = new Float64Array(count);
    const excess = new Float64Array(count);
    let row = Float64Array.from(initial);
    let next = new Float64Array(n);
    for (let m = 0; m < count; m++) {
      next.fill(0);
      for (let i = 0; i < n; i++) {
        const x = row[i];
        excess[m] += x * rate * meanFrom[i];
        if (x > 0) for (let j = 0; j < n; j++) next[j] += x * u[i * columns + j];
      }
      [row, next] = [next, row];
      for (let i = 0; i < n; i++) tail[m] += row[i];
    }
    let zeroProbability = 0;
    for (let i = 0; i < n; i++) zeroProbability += initial[i] * u[i * columns + n];
    return { zeroProbability, tail, excess };
  };
}

function mixtureCounter(
  { values, weights }: { readonly values: Float64Array; readonly weights: Float64Array },
  law: Law,
  count: number,
): ArrivalCounter {
  return (rate) => {
    const points = values.map((value) => value * rate);
    const probabilities = poissonMixture(points, weights, count);
    const tail = new Float64Array(count);
    const excess = new Float64Array(count);
    const last = count - 1;
    // From the longest service time down: the terms of shorter times soon fall below rounding.
    for (let k = points.length - 1; k >= 0; k--) {
      const overflow = weights[k] * poissonExcess(points[k], last);
      tail[last] += weights[k] * lowerGamma(count, points[k]);
      excess[last] += overflow;
      if (points[k] < last && overflow <= 1e-24 * excess[last]) break;
    }
    for (let j = last - 1; j >= 0; j--) tail[j] = tail[j + 1] + probabilities[j + 1];
    sumBackward(tail, excess);
    return { zeroProbability: law.laplace(rate), tail, excess };
  };
}

/** E(A − m)^+ of a Poisson law of mean v, from positive terms on either side of m. */
function poissonExcess(v: number, m: number): number {
  if (v > m) return (v - m) * lowerGamma(m + 1, v) + v * poissonTerm(m, v);
  let [share, sum] = [1, 0];
  for (let j = m + 1; ; j++) {
    share *= v / j;
    sum += share * (j - m);
    if (share * (j - m) <= 1e-18 * sum) return poissonTerm(m, v) * sum;
  }
}

function countBySurvival(law: Law, distribution: Distribution, rate: number, count: number): ServiceArrivals {
  const last = count - 1;
  // beyond `upper`, P(Poisson(v) > last) is 1 to rounding
  const upper = count + 13 * Math.sqrt(count) + 60;
  const { points, weights } = survivalQuadrature(law, distribution, rate, upper);
  const tail = poissonMixture(points, weights, count);
  const excess = new Float64Array(count);
  if (last === 0) excess[0] = rate * law.mean;
  else {
    let sum = rate * meanExcess(law, distribution, upper / rate);
    for (let k = points.length - 1; k >= 0; k--) {
      sum += weights[k] * lowerGamma(last, points[k]);
    }
    excess[last] = sum;
  }
  sumBackward(tail, excess);
  return { zeroProbability: law.laplace(rate), tail, excess };
}

/**
 * Σ_k w_k·e^(−v_k)·v_k^j/j! for j = 0..count−1: mixed Poisson probabilities, with relative accuracy in every entry,
 * however small: each term is started at the mode of its Poisson law and continued upward and downward by the ratio of
 * neighbours. All terms are nonnegative. O(count) a point.
 *
 * @param points v_k ≥ 0
 * @param weights w_k ≥ 0
 */
function poissonMixture(points: Float64Array, weights: Float64Array, count: number): Float64Array {
  const sum = new Float64Array(count);
  for (const [k, v] of points.entries()) {
    const mode = Math.min(Math.floor(v), count - 1);
    const largest = weights[k] * poissonTerm(mode, v);
    sum[mode] += largest;
    let term = largest;
    for (let j = mode + 1; j < count && term > 0; j++) {
      term *= v / j;
      sum[j] += term;
    }
    term = largest;
    for (let j = mode; j > 0 && term > 0; j--) {
      term *= j / v;
      sum[j - 1] += term;
    }
  }
  return sum;
}
