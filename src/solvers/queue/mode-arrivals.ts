/**
 * The arrivals of each mode by themselves: rates of pages and of batches, and how the gaps between batches vary and
 * follow each other.
 *
 * With D = ΣD_k, θD = 0, λ_g = θ(D − D_0)e the gaps start in φ = θ(D − D_0)/λ_g and P = (−D_0)⁻¹(D − D_0) leads from
 * one to the next: E X² = 2φ(−D_0)⁻²e, E X_0X_k = φ(−D_0)⁻¹P^k(−D_0)⁻¹e. Source: Avrachenkov et al. (2012), section 2.
 */
import { solveByStateReduction } from '../numerics/linear/state-reduction.ts';
import { batchRates, phaseLawOf } from './arrival-checks.ts';
import type { Mode } from './queue.ts';

/** The arrivals of a mode that is always on: gaps are those between batches. */
export interface ModeArrivals {
  readonly crawlers: number;
  /** λ: pages per time unit. */
  readonly arrivalRate: number;
  /** λ_g: batches per time unit. */
  readonly batchRate: number;
  /** Variance of the gap between batches; null where no batch ever comes. */
  readonly gapVariance: number | null;
  /** Correlations of gaps that are 1, 2, … apart; null where no batch ever comes. */
  readonly gapCorrelations: readonly number[] | null;
}

/** The largest distance of two gaps whose correlation is computed. */
const maxLag = 5;

export function modeArrivals({ crawlers, matrices, arrivalRate }: Mode): ModeArrivals {
  const n = Math.round(Math.sqrt(matrices[0].length));
  const batches = batchRates(matrices);
  if (!batches.some((rate) => rate > 0)) {
    return { crawlers, arrivalRate, batchRate: 0, gapVariance: null, gapCorrelations: null };
  }
  const multiply = (row: ArrayLike<number>): Float64Array => {
    const out = new Float64Array(n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[j] += row[i] * batches[i * n + j];
    return out;
  };
  const exit = Float64Array.from({ length: n }, (_, i) =>
    batches.subarray(i * n, (i + 1) * n).reduce((a, b) => a + b, 0),
  );
  /** (−D_0)⁻¹x. */
  const solve = (x: Float64Array): Float64Array => {
    const solution = x.slice();
    solveByStateReduction(matrices[0].slice(), exit.slice(), solution, n, 1);
    return solution;
  };
  const flow = multiply(phaseLawOf(matrices));
  const batchRate = flow.reduce((sum, rate) => sum + rate, 0);
  const inner = (x: Float64Array): number => x.reduce((sum, value, i) => sum + (flow[i] / batchRate) * value, 0);
  const gaps = solve(new Float64Array(n).fill(1));
  const mean = 1 / batchRate;
  const gapVariance = 2 * inner(solve(gaps)) - mean ** 2;
  const gapCorrelations: number[] = [];
  let next = gaps;
  for (let lag = 1; lag <= maxLag; lag++) {
    const weightedGaps = new Float64Array(n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) weightedGaps[i] += batches[i * n + j] * next[j];
    next = solve(weightedGaps);
    gapCorrelations.push((inner(solve(next)) - mean ** 2) / gapVariance);
  }
  return { crawlers, arrivalRate, batchRate, gapVariance, gapCorrelations };
}
