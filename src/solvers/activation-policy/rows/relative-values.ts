/**
 * Relative values of every state, outward from the meeting row.
 *
 * Above it, going up, each row's part q ≥ c_r follows from the row below through its interface (P, p) and its chain.
 * Coming down again, the part q < c_r follows from the row above. Below it, the mirror image. Rows above R[0] and below
 * R[K] are transient and plain recursions. Keeping only the interfaces makes the memory two numbers a state.
 */
import type { Budget } from '../../budget.ts';
import type { ActivationModel, SwitchingCurve } from '../model.ts';
import { checkBudget, rowsBetweenPolls } from '../size.ts';
import type { RowCosts } from './row-costs.ts';
import { chainFromAbove, type Sweep } from './rows-from-above.ts';
import { chainFromBelow } from './rows-from-below.ts';

/** What the elimination of a curve's rows leaves, and the values found from it. */
export interface EvaluatedRows {
  readonly model: ActivationModel;
  /** h(q, r) at r·(K + 1) + q. */
  readonly values: Float64Array;
  /** Interface coefficients of each row, r·(K + 1). */
  readonly interfaces: Float64Array;
  /** Interface constants of each row: cost and time. */
  readonly constants: Float64Array;
  readonly above: Sweep;
  readonly below: Sweep;
}

/** A curve by its rows, and the one where both sweeps meet. */
export interface CurveRows {
  readonly curve: SwitchingCurve;
  readonly widths: Int32Array;
  readonly meeting: number;
}

/** A curve with what its states cost. */
interface RelativeValuesTask extends CurveRows {
  /** What each state costs less the average cost g. */
  readonly costs: RowCosts;
  /** What the interface constants still have to be corrected by: g − shift. */
  readonly excess: number;
  readonly budget: Budget;
}

/** Fills `values` for all rows but the meeting one, which must be there already. */
export function relativeValues(rows: EvaluatedRows, task: RelativeValuesTask): void {
  const betweenPolls = rowsBetweenPolls(rows.model.capacity) - 1;
  const poll = (r: number): void => {
    if ((r & betweenPolls) === 0) checkBudget(task.budget);
  };
  const pass = { ...rows, ...task, above: { ...rows.above, count: 1 }, below: { ...rows.below, count: 1 }, poll };
  substituteAbove(pass);
  backSubstituteAbove(pass);
  substituteBelow(pass);
  backSubstituteBelow(pass);
  transientAbove(pass);
  transientBelow(pass);
}

interface Pass extends EvaluatedRows, RelativeValuesTask {
  readonly poll: (r: number) => void;
}

/** Above the meeting row, going up: the part q ≥ c_r of each row from the row below. */
function substituteAbove({
  model,
  values: h,
  curve,
  widths,
  meeting,
  costs,
  excess,
  interfaces,
  constants,
  above,
  poll,
}: Pass): void {
  const K = model.capacity;
  const n = K + 1;
  for (let r = meeting + 1; r <= curve[0]; r++) {
    poll(r);
    const c = widths[r];
    const cp = widths[r - 1];
    const here = r * n;
    const v = here - n;
    costs.fill(r, above.f);
    chainFromAbove(above, { r, c, cp });
    let u = constants[2 * r] - excess * constants[2 * r + 1];
    for (let t = cp; t <= K; t++) u += interfaces[here + t] * h[v + t];
    h[here + c] = u;
    for (let q = c + 1; q <= K; q++) {
      const t = Math.max(cp, Math.min(q + 1, K));
      u = above.near[q] * u + above.far[q] * h[v + t] + above.e[q];
      h[here + q] = u;
    }
  }
}

/** Coming down again: the part q < c_r of each row from the row above. */
function backSubstituteAbove({ model, values: h, curve, widths, meeting, costs, above, poll }: Pass): void {
  const { crawlerRate: lambda, indexingRate: mu } = model;
  const n = model.capacity + 1;
  for (let r = curve[0]; r > meeting; r--) {
    poll(r);
    const here = r * n;
    const a = lambda * r;
    const cp = widths[r - 1];
    costs.fill(r, above.f);
    for (let q = widths[r] - 1; q >= 0; q--) {
      const arrival = q + 1 < cp ? h[here + q + 1] : h[here - n + q + 1];
      h[here + q] =
        q === 0 ? arrival + above.f[0] / a : (above.f[q] + a * arrival + mu * h[here + n + q - 1]) / (a + mu);
    }
  }
}

/** Below the meeting row, going down: the mirror image. */
function substituteBelow({
  model,
  values: h,
  curve,
  widths,
  meeting,
  costs,
  excess,
  interfaces,
  constants,
  below,
  poll,
}: Pass): void {
  const K = model.capacity;
  const n = K + 1;
  for (let r = meeting - 1; r >= curve[K]; r--) {
    poll(r);
    const c = widths[r];
    const cp = r > curve[K] ? widths[r - 1] : n;
    const here = r * n;
    const w = here + n;
    costs.fill(r, below.f);
    chainFromBelow(below, { r, c, cp });
    let u = constants[2 * r] - excess * constants[2 * r + 1];
    for (let s = 0; s < c; s++) u += interfaces[here + s] * h[w + s];
    h[here + cp - 1] = u;
    for (let q = cp - 2; q >= 1; q--) {
      u = below.near[q] * u + below.far[q] * h[w + Math.min(q, c) - 1] + below.e[q];
      h[here + q] = u;
    }
    if (cp >= 2) h[here] = u + below.e[0];
  }
}

/** And up again. */
function backSubstituteBelow({ model, values: h, curve, widths, meeting, costs, below, poll }: Pass): void {
  const { capacity: K, crawlerRate: lambda, indexingRate: mu } = model;
  const n = K + 1;
  for (let r = curve[K]; r < meeting; r++) {
    poll(r);
    const here = r * n;
    const a = lambda * r;
    costs.fill(r, below.f);
    for (let q = r > curve[K] ? widths[r - 1] : n; q <= K; q++) {
      const departure = q <= widths[r] ? h[here + n + q - 1] : h[here + q - 1];
      h[here + q] = (below.f[q] + a * h[here - n + Math.min(q + 1, K)] + mu * departure) / (a + mu);
    }
  }
}

/** Rows above R[0], which are transient. */
function transientAbove({ model, values: h, curve, costs, above, poll }: Pass): void {
  const { capacity: K, crawlers: N, crawlerRate: lambda, indexingRate: mu } = model;
  const n = K + 1;
  for (let r = curve[0] + 1; r <= N; r++) {
    poll(r);
    const here = r * n;
    const a = lambda * r;
    costs.fill(r, above.f);
    h[here] = h[here - n + 1] + above.f[0] / a;
    for (let q = 1; q <= K; q++) {
      const t = q < K ? q + 1 : K;
      h[here + q] = (above.f[q] + a * h[here - n + t] + mu * h[here + q - 1]) / (a + mu);
    }
  }
}

/** Rows below R[K], which are transient. */
function transientBelow({ model, values: h, curve, costs, below, poll }: Pass): void {
  const { capacity: K, crawlerRate: lambda, indexingRate: mu } = model;
  const n = K + 1;
  for (let r = curve[K] - 1; r >= 0; r--) {
    poll(r);
    const here = r * n;
    const w = here + n;
    const a = lambda * r;
    costs.fill(r, below.f);
    h[here + K] = h[w + K - 1] + below.f[K] / mu;
    for (let q = K - 1; q >= 1; q--) {
      h[here + q] = (below.f[q] + a * h[here + q + 1] + mu * h[w + q - 1]) / (a + mu);
    }
    h[here] = r === 0 ? h[here + 1] : h[here + 1] + below.f[0] / a;
  }
}
