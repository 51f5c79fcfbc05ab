/**
 * What becomes of a page that joins a first-in-first-out queue with exponential (or no) obsolescence.
 *
 * A page that finds j pages in the system and service phase m is served with probability v1_j(m) and expires with
 * v2_j(m) = 1 − v1_j(m). While j ≥ 1 pages are ahead, A_j = S − jθI: the server, the j − 1 pages that wait ahead and
 * the page itself.
 *
 *   v1_0 = e, v1_j = (−A_j)⁻¹B̂_{j−1}v1_{j−1}, v2_0 = 0, v2_j = (−A_j)⁻¹[θe + B̂_{j−1}v2_{j−1}], B̂_{j−1} = S0β + (j−1)θI
 *
 * The policy does not enter: what arrives later stays behind. Cost O(topLevel·M³).
 * Source: Avrachenkov et al. (2012), theorem 4. Mean times follow by Little's law.
 */

import type { Poll } from '../../../budget.ts';
import { solveByStateReduction } from '../../../numerics/linear/small-matrices.ts';
import { obsolescenceRate, type Queue } from '../../../queue/queue.ts';

/** Each array has M entries for every number of pages found, 0..topLevel − 1. */
export interface TaggedPage {
  readonly served: Float64Array;
  readonly expired: Float64Array;
}

export function taggedPage(queue: Queue, poll?: Poll): TaggedPage {
  const { service } = queue;
  const rate = obsolescenceRate(queue);
  const phases = service.phases;
  const size = queue.topLevel * phases;
  const served = new Float64Array(size);
  const expired = new Float64Array(size);
  const inverse = new Float64Array(phases * phases);
  const rates = new Float64Array(phases * phases);
  const exit = new Float64Array(phases);
  const source = new Float64Array(phases);
  served.fill(1, 0, phases);
  for (let ahead = 1; ahead < queue.topLevel; ahead++) {
    const here = ahead * phases;
    rates.set(service.generator);
    for (let m = 0; m < phases; m++) exit[m] = service.exit[m] + ahead * rate;
    inverse.fill(0);
    for (let m = 0; m < phases; m++) inverse[m * phases + m] = 1;
    solveByStateReduction(rates, exit, inverse, phases, phases, poll);
    // x_j = (−A_j)⁻¹[extra + B̂_{j−1}x_{j−1}]
    const advance = (x: Float64Array, extra: number): void => {
      let next = 0;
      for (let m = 0; m < phases; m++) next += service.initial[m] * x[here - phases + m];
      for (let m = 0; m < phases; m++) {
        source[m] = extra + service.exit[m] * next + (ahead - 1) * rate * x[here - phases + m];
      }
      for (let m = 0; m < phases; m++) {
        let sum = 0;
        for (let k = 0; k < phases; k++) sum += inverse[m * phases + k] * source[k];
        x[here + m] = sum;
      }
    };
    advance(served, 0);
    advance(expired, rate);
  }
  return { served, expired };
}
