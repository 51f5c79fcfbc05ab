/**
 * The row where the two sweeps of curve-evaluation.ts meet: the one the chain visits most, as far as that can be
 * guessed.
 *
 * While r stands still the queue is M/M/1/K with load λr/μ. With its probabilities π_q the row is left upwards at the
 * rate μ·Σ_{1≤q≤c_r} π_q and downwards at λr·Σ_{min(q+1,K)≥c_{r−1}} π_q. The first falls and the second rises with r.
 * The likely row is the first that is left upwards more rarely than the next one is left downwards. (In mid-curve that
 * is where c_r is the median of the busy queue.) O(K·log N).
 *
 * The guess only has to be good to a few rows: it decides how many digits the relative values keep, not what is
 * computed. (The row of balanced load, μ/λ, does as well when the curve crosses it in mid-queue. It fails when the
 * curve keeps the load well under 1, where it is a row the chain visits once in 10^10 events.)
 */
import { type ActivationModel, largestRecurrentRow, type SwitchingCurve } from '../model.ts';

/** The likely row, within the rows of the recurrent class. */
export function meetingRow(model: ActivationModel, curve: SwitchingCurve, widths: Int32Array): number {
  let low = curve[curve.length - 1];
  let high = largestRecurrentRow(curve);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const up = leavingRates(model, widths, middle).up;
    if (up > leavingRates(model, widths, middle + 1).down) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How fast row r is left upwards and downwards, as shares of μ; `down` only makes sense above the lowest row. */
function leavingRates(model: ActivationModel, widths: Int32Array, r: number): { up: number; down: number } {
  const { capacity: K, crawlerRate, indexingRate } = model;
  // Without crawlers the queue only drains, and the row is left for good at q = c.
  if (r === 0) return { up: 1, down: 0 };
  const c = widths[r];
  const cp = widths[r - 1];
  const load = (crawlerRate * r) / indexingRate;
  // Weights ρ^q, counted from the larger end so that none overflows.
  const ratio = load <= 1 ? load : 1 / load;
  let total = 0;
  let up = 0;
  let down = 0;
  let weight = 1;
  for (let i = 0; i <= K; i++) {
    const q = load <= 1 ? i : K - i;
    total += weight;
    if (q >= 1 && q <= c) up += weight;
    if (Math.min(q + 1, K) >= cp) down += load * weight;
    weight *= ratio;
  }
  return { up: up / total, down: down / total };
}
