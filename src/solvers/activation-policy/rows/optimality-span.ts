/**
 * The proof: a bound on the optimal average cost from any function h on the states (Odoni 1969; Puterman 1994, §8.5.5).
 *
 *   min_x (Th − h)(x) ≤ g*,
 *   (Th − h)(q,r) = f(q,r) + λr·[min_a h(min(q+1,K), r−1+a) − h(q,r)] + μ·1(q>0)·[min_a h(q−1, min(r+a,N)) − h(q,r)],
 *
 * over every state and both actions (in (1, 0) the departure must activate), so it holds whether or not the optimum is
 * a switching curve. The bound also subtracts what rounding can have added to each residual. So it is a proof in
 * exact arithmetic for the h at hand. O(N·K).
 */
import type { Budget } from '../../budget.ts';
import type { ActivationModel } from '../model.ts';
import { checkBudget, rowsBetweenPolls } from '../size.ts';

/** Rounding of one residual, in units of the sum of its terms' magnitudes: at most 8 operations on the longest path. */
export const roundingUnit = 8 * 2 ** -53;

/**
 * A lower bound on the optimal cost from `values` (state (q, r) at r·(K + 1) + q); `shift` is the best guess of the cost.
 * With `sizes`, also notes there the sum of each residual's magnitudes (entry (0, 0) is 0).
 *
 * @throws NothingToReturn when the budget ends, where there is one
 */
export function optimalitySpan(
  model: ActivationModel,
  values: Float64Array,
  shift: number,
  { budget, sizes }: { readonly budget?: Budget; readonly sizes?: Float64Array } = {},
): number {
  const { capacity: K, crawlers: N, crawlerRate, indexingRate: mu } = model;
  const { starvationWeight, crawlerCost, queueCost = 0 } = model;
  const n = K + 1;
  const h = values;
  let lower = Number.POSITIVE_INFINITY;
  const betweenPolls = rowsBetweenPolls(K) - 1;
  for (let r = 0; r <= N; r++) {
    if ((r & betweenPolls) === 0 && budget !== undefined) checkBudget(budget);
    const a = crawlerRate * r;
    const here = r * n;
    const down = r > 0 ? here - n : here;
    const up = r < N ? here + n : here;
    const running = crawlerCost * r - shift;
    const runningSize = crawlerCost * r + Math.abs(shift);
    for (let q = r === 0 ? 1 : 0; q <= K; q++) {
      const t = q < K ? q + 1 : K;
      const value = h[here + q];
      const arrival = Math.min(h[here + t], h[down + t]);
      let residual = a * (arrival - value) + running;
      let size = a * (Math.abs(arrival) + Math.abs(value)) + runningSize;
      if (q > 0) {
        const departure = q === 1 && r === 0 ? h[up] : Math.min(h[here + q - 1], h[up + q - 1]);
        residual += mu * (departure - value);
        size += mu * (Math.abs(departure) + Math.abs(value));
      } else {
        residual += starvationWeight;
        size += Math.abs(starvationWeight);
      }
      if (q === K) {
        residual += a;
        size += a;
      }
      if (queueCost !== 0) {
        residual += queueCost * q;
        size += queueCost * q;
      }
      if (residual - roundingUnit * size < lower) lower = residual - roundingUnit * size;
      if (sizes) sizes[here + q] = size;
    }
  }
  return shift + lower;
}
