/**
 * Policy improvement among switching curves. For every queue length q (after the event) the level R[q] walks from where
 * it is. It goes up while one more crawler lowers the relative value, down while it raises it. O(K + steps walked).
 */
import type { ActivationModel, SwitchingCurve } from '../model.ts';

/** Improves `curve` in place for `values` and keeps it non-increasing with R[0] ≥ 1; answers whether it changed. */
export function improveCurve(model: ActivationModel, values: Float64Array, curve: SwitchingCurve): boolean {
  const { capacity: K, crawlers: N } = model;
  const n = K + 1;
  let changed = false;
  for (let q = 0; q <= K; q++) {
    const before = curve[q];
    const least = q === 0 ? 1 : 0;
    let level = before;
    // gain(b) = h(q, b) − h(q, b + 1): positive when activating at b is better.
    while (level < N && values[level * n + q] > values[(level + 1) * n + q]) level++;
    if (level === before) while (level > least && values[(level - 1) * n + q] < values[level * n + q]) level--;
    if (q > 0 && level > curve[q - 1]) level = curve[q - 1];
    curve[q] = level;
    if (level !== before) changed = true;
  }
  return changed;
}
