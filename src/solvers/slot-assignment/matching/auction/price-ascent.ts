/**
 * Prices that prove more than those of an auction that time has stopped.
 *
 * What prices y ≥ 0 prove, B(y) = Σ_j min(p, min_s c(j,s) + y_s) − Σ_s y_s, is concave. Its subgradient at slot s is the
 * tasks that are cheapest there, less one. Bids leave prices with noise of about ε, and most of what their bound lacks
 * is that noise. Steps along the subgradient, of length (value − B)/|subgradient|², take most of it away. A task looks
 * at the slots only that it remembers from the auction, so B is about right. The bound itself is to be
 * computed anew.
 * Complexity: O(n) a step. Stopping rule: a number of steps, or the time.
 * Source: B. T. Polyak (1969), Minimization of unsmooth functionals; Held, Wolfe and Crowder (1974), Validation of
 * subgradient optimization.
 */
import type { MatchingProblem } from '../../instance/matching-problem.ts';
import { remembered } from './best-goods.ts';

const mostSteps = 30;

/**
 * @param price of each dense slot
 * @param near entries that each task remembers, −1: fewer
 * @param value what an assignment costs
 */
export function raisedBound(
  problem: MatchingProblem,
  price: Float64Array,
  near: Int32Array,
  value: number,
  stopRequested: () => boolean,
): Float64Array {
  let [best, most] = [price, Number.NEGATIVE_INFINITY];
  let now = price;
  const asked = new Int32Array(price.length);
  for (let step = 0; step <= mostSteps; step++) {
    const bound = boundOf(problem, now, near, asked);
    if (bound > most) [best, most] = [now, bound];
    const square = asked.reduce((sum, tasks) => sum + (tasks - 1) ** 2, 0);
    if (!(value > bound) || square === 0 || stopRequested()) break;
    const length = (value - bound) / square;
    now = now.map((y, s) => Math.max(0, y + length * (asked[s] - 1)));
  }
  return best;
}

/** B(y) where tasks see only what they remember. @param asked out: for how many tasks each slot is the cheapest */
function boundOf(
  { ideal, weight, dropPenalty, lines }: MatchingProblem,
  price: Float64Array,
  near: Int32Array,
  asked: Int32Array,
): number {
  const { time, slot } = lines;
  asked.fill(0);
  let bound = 0;
  for (let j = 0; j < ideal.length; j++) {
    let least = dropPenalty;
    let cheapest = -1;
    for (let i = remembered * j; i < remembered * (j + 1) && near[i] >= 0; i++) {
      const e = near[i];
      const pays = weight[j] * Math.abs(time[e] - ideal[j]) + price[slot[e]];
      if (pays < least) [least, cheapest] = [pays, slot[e]];
    }
    bound += least;
    if (cheapest >= 0) asked[cheapest]++;
  }
  return price.reduce((sum, y) => sum - y, bound);
}
