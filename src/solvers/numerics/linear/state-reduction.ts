/**
 * State reduction of dense chains, on flat row-major arrays.
 *
 * A state is eliminated, and the rates through it are distributed over the states that it leads to. Rates are never
 * subtracted: the pivot is the sum of the rates out of the state. So whatever is computed from positive rates keeps its
 * relative accuracy entry by entry, however stiff the chain is. The diagonal is never read.
 *
 * Source: W. K. Grassmann, M. I. Taksar, D. P. Heyman, Regenerative analysis and steady state distributions for Markov
 * chains, Oper. Res. 33 (1985); with rates of leaving the chain: A. S. Alfa, J. Xue and Q. Ye, Accurate computation of
 * the smallest eigenvalue of a diagonally dominant M-matrix, Math. Comp. 71 (2002).
 */
import type { Poll } from '../../budget.ts';

/**
 * Eliminates state x from a chain of which states 0..x remain. The rates into x are not changed: divided by the pivot
 * they are the shares in which rewards or right-hand sides of x must be passed on. x² multiply-adds.
 *
 * @param exit rate of leaving the chain from x
 * @returns the pivot: the total rate out of x
 */
function eliminateState(rates: Float64Array, n: number, x: number, exit: number): number {
  const row = x * n;
  let pivot = exit;
  for (let j = 0; j < x; j++) pivot += rates[row + j];
  for (let i = 0; i < x; i++) {
    const target = i * n;
    const entry = rates[target + x];
    if (entry === 0) continue;
    const share = entry / pivot;
    for (let j = 0; j < x; j++) rates[target + j] += share * rates[row + j];
  }
  return pivot;
}

/**
 * X := (−T)⁻¹·B in place, where T is a sub-generator whose diagonal is −(off-diagonal rates + exit rate): the diagonal
 * of `rates` is ignored, and overwritten. Destroys `rates` and `exit`. n³/3 + n²·columns steps.
 *
 * @param rates n×n, off-diagonal rates T
 * @param exit n, rate of leaving the block from each state; from every state some exit must be reachable
 * @param right n×columns, B on entry, X on return
 * @param poll counts the steps of each pivot, where the block may be large
 */
export function solveByStateReduction(
  rates: Float64Array,
  exit: Float64Array,
  right: Float64Array,
  n: number,
  columns: number,
  poll?: Poll,
): void {
  for (let k = n - 1; k >= 0; k--) {
    poll?.(k * (k + columns));
    const out = eliminateState(rates, n, k, exit[k]);
    rates[k * n + k] = out;
    const pivotRight = k * columns;
    for (let i = 0; i < k; i++) {
      const entry = rates[i * n + k];
      if (entry === 0) continue;
      const share = entry / out;
      exit[i] += share * exit[k];
      const targetRight = i * columns;
      for (let c = 0; c < columns; c++) right[targetRight + c] += share * right[pivotRight + c];
    }
  }
  for (let k = 0; k < n; k++) {
    poll?.(k * columns);
    const row = k * n;
    const pivotRight = k * columns;
    const out = rates[row + k];
    for (let j = 0; j < k; j++) {
      const rate = rates[row + j];
      if (rate === 0) continue;
      const source = j * columns;
      for (let c = 0; c < columns; c++) right[pivotRight + c] += rate * right[source + c];
    }
    for (let c = 0; c < columns; c++) right[pivotRight + c] /= out;
  }
}

/**
 * The stationary law of an irreducible chain from its off-diagonal rates or probabilities (n×n; the diagonal is
 * ignored, the matrix destroyed). States that nothing leads to may stand anywhere but first. Sums to 1. O(n³).
 */
export function stationaryByStateReduction(rates: Float64Array, law: Float64Array, n: number): void {
  for (let k = n - 1; k > 0; k--) {
    rates[k * n + k] = eliminateState(rates, n, k, 0);
  }
  law[0] = 1;
  let total = 1;
  for (let k = 1; k < n; k++) {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += law[i] * rates[i * n + k];
    law[k] = sum === 0 ? 0 : sum / rates[k * n + k];
    total += law[k];
  }
  for (let k = 0; k < n; k++) law[k] /= total;
}
