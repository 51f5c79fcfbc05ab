import { poissonTerm } from '../../numerics/special/incomplete-gamma.ts';

/** Terms below this share of what is already there are not added. */
const negligible = 1e-20;

/**
 * Σ_k w_k·e^(−v_k)·v_k^j/j! for j = 0..count−1: mixed Poisson probabilities, with relative accuracy in every entry,
 * however small.
 *
 * Each term is started at the mode of its Poisson law and continued upward and downward by the ratio of neighbours.
 * Upward, points are taken from the largest v down. A term is left off once it falls under 1e−20 of what larger points
 * have already put there. The ratio of two Poisson probabilities e^(v−u)(u/v)^j falls in j for u < v, so it stays
 * under. Downward the same from the smallest v up. Terms are all nonnegative. About 20·√v steps a point.
 *
 * @param points v_k ≥ 0 in increasing order
 * @param weights w_k ≥ 0
 */
export function poissonMixture(
  points: Float64Array,
  weights: Float64Array,
  count: number,
  goOn: () => void,
): Float64Array {
  const sum = new Float64Array(count);
  for (let k = points.length - 1; k >= 0; k--) {
    if ((k & 15) === 0) goOn();
    const v = points[k];
    if (weights[k] === 0) continue;
    const mode = Math.floor(v);
    if (mode >= count) continue;
    let term = weights[k] * poissonTerm(mode, v);
    sum[mode] += term;
    for (let j = mode + 1; j < count; j++) {
      term *= v / j;
      if (term <= negligible * sum[j]) break;
      sum[j] += term;
      if (term === 0) break;
    }
  }
  const below = new Float64Array(count);
  for (let k = 0; k < points.length; k++) {
    if ((k & 15) === 0) goOn();
    const v = points[k];
    if (weights[k] === 0 || v === 0) continue;
    // the first entry below the mode that is wanted
    const top = Math.min(Math.floor(v) - 1, count - 1);
    if (top < 0) continue;
    let term = weights[k] * poissonTerm(top, v);
    for (let j = top; j >= 0; j--) {
      if (term <= negligible * below[j]) break;
      below[j] += term;
      if (term === 0) break;
      term *= j / v;
    }
  }
  for (let j = 0; j < count; j++) sum[j] += below[j];
  return sum;
}
