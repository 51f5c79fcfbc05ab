/**
 * A page that waits in a queue with random pick-up and exponential (or no) obsolescence. The next page to be served is
 * drawn uniformly among those waiting, so that later arrivals can overtake and the policy matters.
 *
 * States of a waiting page: (i, ν, m), i ≥ 2 pages in the system, itself among the i − 1 waiting. Batches move i up. At
 * the end of a service it is taken with probability 1/(i−1), else i falls. Another page expires at (i−2)θ, itself at θ.
 * The probability of being served is u_i(ν, m). Solved by elimination of the levels from the top down, as in
 * stationary.ts: O(K·k_max·(W·M)³).
 *
 * The stationary distribution of the queue is the same as first in first out; V1 and V2 are not. By Little's law
 * applied to the pages that will be served, n1 = Σ p_i·[1 + (i−1)·u_i] for i ≥ 1 and V1 = n1/(rate of service ends).
 * Source: the tagged-page argument of Avrachenkov et al. (2012), section 5, for another discipline.
 */

import type { Poll } from '../../../budget.ts';
import { addProduct, solveByStateReduction } from '../../../numerics/linear/small-matrices.ts';
import { blockSize, obsolescenceRate, type Queue } from '../../../queue/queue.ts';
import { addServiceRates, type RatesUp } from '../chain/stationary.ts';

export interface RandomPage {
  /** served[level·n + state]: probability that a waiting page will be served; levels 2..topLevel. */
  readonly served: Float64Array;
  readonly expired: Float64Array;
}

/** What becomes of a waiting page under a policy. */
export function randomPageOf(queue: Queue, up: RatesUp, poll?: Poll): RandomPage {
  const n = blockSize(queue);
  const { topLevel } = queue;
  const width = n + 2;
  const size = n * width;
  const passage = passagesDown(queue, up, poll);
  const served = new Float64Array((topLevel + 1) * n);
  const expired = new Float64Array((topLevel + 1) * n);
  for (let level = 2; level <= topLevel; level++) {
    for (let i = 0; i < n; i++) {
      const row = level * size + i * width;
      served[level * n + i] = passage[row + n];
      expired[level * n + i] = passage[row + n + 1];
      for (let j = 0; j < n; j++) {
        served[level * n + i] += passage[row + j] * served[(level - 1) * n + j];
        expired[level * n + i] += passage[row + j] * expired[(level - 1) * n + j];
      }
    }
  }
  return { served, expired };
}

/** passage[level]: from waiting at `level` to waiting at level − 1, then served before that, then expired. */
function passagesDown(queue: Queue, up: RatesUp, poll?: Poll): Float64Array {
  const n = blockSize(queue);
  const { topLevel } = queue;
  const width = n + 2;
  const size = n * width;
  const passage = new Float64Array((topLevel + 1) * size);
  const rates = new Float64Array(n * n);
  const out = new Float64Array(n);
  let carried = new Float64Array(size);
  let next = new Float64Array(size);
  for (let level = topLevel; level >= 2; level--) {
    carried.fill(0);
    for (let step = up.steps(level); ; step--) {
      rates.fill(0);
      up.addRates(level, step, rates);
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) carried[i * width + j] += rates[i * n + j];
      if (step === 0) break;
      next.fill(0);
      for (let i = 0; i < n; i++) {
        poll?.(n * width);
        for (let c = n; c < width; c++) next[i * width + c] = carried[i * width + c];
        for (let k = 0; k < n; k++) {
          addProduct(next, i * width, carried, i * width + k, passage, (level + step) * size + k * width, 1, 1, width);
        }
      }
      [carried, next] = [next, carried];
    }
    const right = passage.subarray(level * size, (level + 1) * size);
    leaveLevel(queue, level, carried, { rates, out, right });
    solveByStateReduction(rates, out, right, n, width, poll);
  }
  return passage;
}

/** The system of one level: rates inside it, total rate out of it, and where that leads. */
interface LevelSystem {
  readonly rates: Float64Array;
  readonly out: Float64Array;
  readonly right: Float64Array;
}

function leaveLevel(queue: Queue, level: number, carried: Float64Array, { rates, out, right }: LevelSystem): void {
  const n = blockSize(queue);
  const width = n + 2;
  const { initial, exit, phases } = queue.service;
  const theta = obsolescenceRate(queue);
  const waiting = level - 1;
  rates.fill(0);
  addServiceRates(queue, rates);
  for (let i = 0; i < n; i++) {
    const m = i % phases;
    const row = i * width;
    for (let j = 0; j < n; j++) rates[i * n + j] += carried[row + j];
    const overtaken = (exit[m] * (waiting - 1)) / waiting;
    if (level > 2) {
      for (let fresh = 0; fresh < phases; fresh++) right[row + i - m + fresh] += overtaken * initial[fresh];
      right[row + i] += (waiting - 1) * theta;
    }
    right[row + n] = carried[row + n] + exit[m] / waiting;
    right[row + n + 1] = carried[row + n + 1] + theta;
    out[i] = exit[m] + waiting * theta + carried[row + n] + carried[row + n + 1];
  }
}
