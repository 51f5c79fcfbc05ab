/**
 * What a state costs, row by row: the right-hand sides of the elimination. Several are carried at once. They are the
 * cost itself and the time when relative values are wanted, and the averages a user asks for when the policy is final.
 */
import type { ActivationModel } from '../model.ts';

/** `count` right-hand sides; `fill` writes those of row r, entry d of state q at `out[d·(K + 1) + q]`. */
export interface RowCosts {
  readonly count: number;
  fill(r: number, out: Float64Array): void;
}

/**
 * 0: cost − `shift` (− `allowance` of the state, when given); 1: time. The shift (the previous iterate's average cost)
 * is iterative refinement for free.
 */
export function costAndTime(model: ActivationModel, shift: number, allowance?: Float64Array): RowCosts {
  const { capacity: K, crawlerRate, crawlerCost, starvationWeight, queueCost = 0 } = model;
  return {
    count: 2,
    fill(r, out) {
      out.fill(crawlerCost * r - shift, 0, K + 1);
      out[0] += starvationWeight;
      out[K] += crawlerRate * r;
      if (queueCost !== 0) for (let q = 1; q <= K; q++) out[q] += queueCost * q;
      if (allowance) for (let q = 0, at = r * (K + 1); q <= K; q++, at++) out[q] -= allowance[at];
      out.fill(1, K + 1, 2 * K + 2);
    },
  };
}

/** 0: empty queue; 1: time; 2: lost pages per unit time; 3: active crawlers; 4: queue length. All are non-negative. */
export function measuredCosts(model: ActivationModel): RowCosts {
  const { capacity: K, crawlerRate } = model;
  const n = K + 1;
  return {
    count: 5,
    fill(r, out) {
      out.fill(0, 0, n);
      out[0] = 1;
      out.fill(1, n, 2 * n);
      out.fill(0, 2 * n, 3 * n);
      out[2 * n + K] = crawlerRate * r;
      out.fill(r, 3 * n, 4 * n);
      for (let q = 0; q <= K; q++) out[4 * n + q] = q;
    },
  };
}
