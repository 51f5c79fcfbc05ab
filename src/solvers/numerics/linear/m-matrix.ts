/**
 * Linear systems with a row diagonally dominant M-matrix A = diag(excess + row sums of `off`) − off, off ≥ 0, excess ≥
 * 0: sI − T for a sub-generator T. Elimination without any subtraction: every pivot is formed as excess + the remaining
 * row of `off`. So each entry of the solution for a nonnegative right side has a relative error of a few n·ulp,
 * whatever the condition number.
 *
 * O(n³/3) to factor, O(n²) a solve. Source: see state-reduction.ts.
 */
import type { Poll } from '../../budget.ts';
import { eliminateState } from './state-reduction.ts';

interface MMatrixFactors {
  readonly n: number;
  /** Row-major n×n: above the diagonal what is left of `off`, below it the multipliers. */
  readonly factors: Float64Array;
  readonly pivots: Float64Array;
}

/**
 * @param off row-major n×n, entries ≥ 0, the diagonal ignored; not changed
 * @param excess row sums of A, n entries ≥ 0; not changed
 * @param poll told of every state that is taken out
 * @returns the factors, or null if A is singular (some set of rows has no excess and no way out)
 */
export function factorMMatrix(off: Float64Array, excess: Float64Array, poll?: Poll): MMatrixFactors | null {
  const n = excess.length;
  const a = Float64Array.from(off);
  const left = Float64Array.from(excess);
  const pivots = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const pivot = eliminateState(a, n, 0, k, k + 1, n - 1, left[k]);
    if (!(pivot > 0)) return null;
    pivots[k] = pivot;
    for (let i = k + 1; i < n; i++) {
      a[i * n + k] /= pivot;
      left[i] += a[i * n + k] * left[k];
    }
    poll?.((n - k) ** 2);
  }
  return { n, factors: a, pivots };
}

/** x with A·x = b, b ≥ 0. */
export function solveMMatrix({ n, factors, pivots }: MMatrixFactors, b: Float64Array): Float64Array {
  const x = Float64Array.from(b);
  for (let i = 1; i < n; i++) for (let k = 0; k < i; k++) x[i] += factors[i * n + k] * x[k];
  for (let k = n - 1; k >= 0; k--) {
    let sum = x[k];
    for (let j = k + 1; j < n; j++) sum += factors[k * n + j] * x[j];
    x[k] = sum / pivots[k];
  }
  return x;
}
