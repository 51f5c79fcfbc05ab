/**
 * What slot prices prove, by weak duality: for any y ≥ 0, Σ_j min(p, min_s c(j,s) + y_s) − Σ_s y_s is a lower bound on
 * the cost of every assignment. All arcs (j,s) are taken into the inner minimum, implicitly.
 *
 * Method: a task first finds a cheap slot along each of its lines by a pattern search, from its ideal time with steps
 * that halve. Then it scans outward over all slots but for blocks whose least price is too high. Without the pattern
 * search it would scan half of all slots where tasks are many. When the time ends, tasks that have not been priced
 * count as 0: costs are ≥ 0, so the bound is valid, but weak.
 *
 * Complexity: O(log M) and a few blocks for each pair of task and line for most prices, O(M) at worst.
 */
import { RunningSum } from '../../numerics/linear/running-sum.ts';
import type { MatchingProblem } from '../instance/matching-problem.ts';
import { type GoodLines, goodLines, minPriceByGood } from './best-goods.ts';
import { BlockMinima } from './block-minima.ts';

/** Tasks between two polls. */
const tasksPerPoll = 256;

/**
 * Lower bound on the cost of any assignment, by weak duality.
 *
 * @param price y ≥ 0 of each dense slot
 */
export function slotPriceBound(problem: MatchingProblem, price: Float64Array, stopRequested: () => boolean): number {
  const { ideal, lineFrom, lineOf, dropPenalty } = problem;
  const lines = goodLines(problem);
  const { anchors } = lines;
  const prices = new BlockMinima(lines.good, minPriceByGood(lines, price));
  const bound = new RunningSum();
  for (let s = 0; s < price.length; s++) if (price[s] > 0) bound.add(-price[s]);
  for (let j = 0; j < ideal.length; j++) {
    if (j % tasksPerPoll === 0 && stopRequested()) break;
    let minPays = dropPenalty;
    for (let i = lineFrom[j]; i < lineFrom[j + 1]; i++) {
      minPays = patternSearch(problem, lines, prices.price, j, lineOf[i], anchors[i], minPays);
      minPays = minAlong(problem, lines, prices, j, lineOf[i], anchors[i], 1, minPays);
      minPays = minAlong(problem, lines, prices, j, lineOf[i], anchors[i] - 1, -1, minPays);
    }
    bound.add(minPays);
  }
  return bound.total();
}

/**
 * What task j pays at a cheap slot of a line, by pattern search with steps that halve; `limit` where that is no less.
 */
function patternSearch(
  { ideal, weight, low, high }: MatchingProblem,
  { time, lineStart, lineEnd }: GoodLines,
  price: Float64Array,
  j: number,
  line: number,
  anchor: number,
  limit: number,
): number {
  let minPays = limit;
  let at = anchor;
  for (let stride = (lineEnd[line] - lineStart[line]) >> 1; stride > 0; stride >>= 1) {
    const middle = at;
    for (let e = middle - stride; e <= middle + stride; e += 2 * stride) {
      if (e < lineStart[line] || e >= lineEnd[line] || time[e] < low[j] || time[e] > high[j]) continue;
      const pays = weight[j] * Math.abs(time[e] - ideal[j]) + price[e];
      if (pays < minPays) [minPays, at] = [pays, e];
    }
  }
  return minPays;
}

/** The least that task j pays along a line, from an entry on in one direction; `limit` where that is no less. */
function minAlong(
  { ideal, weight, low, high }: MatchingProblem,
  { time, lineStart, lineEnd }: GoodLines,
  prices: BlockMinima,
  j: number,
  line: number,
  from: number,
  step: 1 | -1,
  limit: number,
): number {
  const { price } = prices;
  const slope = step * weight[j];
  const edge = step > 0 ? high[j] : -low[j];
  const end = step > 0 ? lineEnd[line] : lineStart[line] - 1;
  let minPays = limit;
  for (let e = from; (end - e) * step > 0; e += step) {
    const reach = slope * (time[e] - ideal[j]);
    if (reach >= minPays || step * time[e] > edge) break;
    const skip = prices.skipLength(e, step, reach, minPays);
    if (skip > 0) {
      e += (skip - 1) * step;
      continue;
    }
    if (reach + price[e] < minPays) minPays = reach + price[e];
  }
  return minPays;
}
