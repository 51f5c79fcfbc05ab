/**
 * State reduction, the one step that every elimination of a Markov chain here is made of. It takes a state out, and
 * shares what led through it out among the states it leads to.
 *
 * Rates are never subtracted: the pivot is the sum of the rates out of the state. So whatever is computed from positive
 * rates keeps its relative accuracy entry by entry, however stiff the chain is. The diagonal is never read.
 *
 * Source: W. K. Grassmann, M. I. Taksar, D. P. Heyman, Regenerative analysis and steady state distributions for Markov
 * chains, Oper. Res. 33 (1985); with rates of leaving the chain: A. S. Alfa, J. Xue and Q. Ye, Accurate computation of
 * the smallest eigenvalue of a diagonally dominant M-matrix, Math. Comp. 71 (2002).
 */

/**
 * Takes state x out of a chain whose states from..to are the only ones left that it leads to or that lead to it.
 * The rate from i to j stands at rates[i·stride + offset + j]. A dense matrix has stride n and offset 0; a band of w on
 * either side of the diagonal has stride 2w and offset w. The rates into x are left as they are. Divided by the pivot
 * they are the shares in which everything else that is carried along must move. (to − from + 1)² multiply-adds.
 *
 * @param exit rate of leaving the chain from x
 * @returns the pivot: the total rate out of x
 */
export function eliminateState(
  rates: Float64Array,
  stride: number,
  offset: number,
  x: number,
  from: number,
  to: number,
  exit: number,
): number {
  const row = x * stride + offset;
  let pivot = exit;
  for (let j = from; j <= to; j++) pivot += rates[row + j];
  for (let i = from; i <= to; i++) {
    const target = i * stride + offset;
    const entry = rates[target + x];
    if (entry === 0) continue;
    const share = entry / pivot;
    for (let j = from; j <= to; j++) rates[target + j] += share * rates[row + j];
  }
  return pivot;
}
