/**
 * Exact evaluation of one switching curve: its average cost, its relative values, its long-run averages.
 *
 * Model: model.ts, the curve R non-increasing with R[0] ≥ 1 (one recurrent class then).
 * Method: rows of r are eliminated from the top of the curve down (rows-from-above.ts) and from its bottom up
 *   (rows-from-below.ts). They meet at a likely row (meeting-row.ts). Its K + 1 states are result by state reduction
 *   with the likeliest of them as reference. Back-substitution goes outward. Meeting at a likely state is what keeps
 *   the precision: relative values seen from a rare state are differences of huge numbers.
 * Precision: costs are shifted by the previous average cost (`shift`), which is iterative refinement at no cost; every
 *   pivot is a sum of positive terms.
 * Complexity: about 12·Σ_r c_r(K − c_r) + K³ flops, memory two numbers a state and a few (K + 1)².
 * Source: the model file's own derivation; state reduction after Grassmann, Taksar and Heyman (1985).
 */
import type { Budget } from '../../budget.ts';
import { Band, ReducedBand } from '../../chain/index.ts';
import { type ActivationModel, costOfAverages, type PolicyMeasures, rowWidths, type SwitchingCurve } from '../model.ts';
import { checkBudget } from '../size.ts';
import { meetingRow } from './meeting-row.ts';
import { type CurveRows, type EvaluatedRows, relativeValues } from './relative-values.ts';
import { costAndTime, measuredCosts, type RowCosts } from './row-costs.ts';
import { newSweep, type RowStep, type Sweep, stepDown } from './rows-from-above.ts';
import { stepUp } from './rows-from-below.ts';

/**
 * A state of the meeting row that is certainly recurrent, and probably not rare. A departure enters the row from below.
 * From there arrivals lead to q = c' − 1 without leaving it, and then departures down to q = c (or c' − 1). Within
 * these the queue length tends to the lower end when service outpaces the arrivals, else to the upper one.
 */
function certainlyRecurrent(
  model: ActivationModel,
  curve: SwitchingCurve,
  widths: Int32Array,
  meeting: number,
): number {
  const K = curve.length - 1;
  if (meeting === 0) return widths[0];
  const upper = meeting > curve[K] ? widths[meeting - 1] - 1 : K;
  const outpaced = model.crawlerRate * meeting < model.indexingRate;
  return outpaced ? Math.min(widths[meeting], upper) : upper;
}

/** Rate matrix of the meeting row censored on its own states, and its costs. */
function meetingChain(
  space: { above: Sweep; below: Sweep; count: number },
  step: RowStep,
  costs: Float64Array,
): Float64Array {
  const { above, below, count } = space;
  const { r, c, cp } = step;
  const { n, lambda, mu } = above;
  const K = n - 1;
  const a = lambda * r;
  const rates = new Float64Array(n * n);
  for (let q = 0; q <= K; q++) {
    const t = Math.min(q + 1, K);
    if (t < cp) rates[q * n + t] += a;
    else {
      for (let j = 0; j < cp; j++) rates[q * n + j] += a * below.g[j * n + t];
      for (let d = 0; d < count; d++) costs[d * n + q] += a * below.k[d * n + t];
    }
    if (q === 0) continue;
    if (q > c) rates[q * n + q - 1] += mu;
    else {
      for (let j = c; j <= K; j++) rates[q * n + j] += mu * above.g[j * n + q - 1];
      for (let d = 0; d < count; d++) costs[d * n + q] += mu * above.k[d * n + q - 1];
    }
  }
  // (0, 0) does not exist and nothing leads there; a transient stand-in keeps the elimination regular.
  if (r === 0) {
    rates[1] = 1;
    for (let d = 0; d < count; d++) costs[d * n] = 0;
  }
  return rates;
}

/** The meeting row, censored on its own states, and reduced to one of them. */
interface MeetingRow {
  readonly reduced: ReducedBand;
  /** Stationary, to a common factor. */
  readonly weights: Float64Array;
  /** Cost d of state q at d·(K + 1) + q. */
  readonly costs: Float64Array;
}

/** A dense chain of n states, as a band that holds all of it, reduced to one state. */
function reducedTo(rates: Float64Array, n: number, reference: number): Omit<MeetingRow, 'costs'> {
  const band = new Band(n, n - 1, n - 1);
  for (let from = 0; from < n; from++) {
    for (let to = 0; to < n; to++) if (to !== from) band.add(from, to, rates[from * n + to]);
  }
  const reduced = new ReducedBand(band, reference);
  return { reduced, weights: reduced.weights() };
}

/** Σ weight·cost d. */
const sumOver = ({ weights, costs }: MeetingRow, d: number): number =>
  weights.reduce((sum, weight, q) => sum + weight * costs[d * weights.length + q], 0);

/** Evaluates the curves of one model, in buffers that all evaluations share. */
export class CurveEvaluator implements EvaluatedRows {
  readonly model: ActivationModel;
  readonly values: Float64Array;
  readonly interfaces: Float64Array;
  readonly constants: Float64Array;
  readonly above: Sweep;
  readonly below: Sweep;

  constructor(model: ActivationModel) {
    const { capacity, crawlers, crawlerRate, indexingRate } = model;
    const states = (capacity + 1) * (crawlers + 1);
    this.model = model;
    this.values = new Float64Array(states);
    this.interfaces = new Float64Array(states);
    this.constants = new Float64Array(2 * (crawlers + 1));
    this.above = newSweep(capacity, crawlerRate, indexingRate, 5);
    this.below = newSweep(capacity, crawlerRate, indexingRate, 5);
  }

  /**
   * Average cost of a curve, and its relative values in `values`.
   *
   * @param shift the best guess of the average cost; the closer, the more precise the values
   * @param allowance taken off the cost of each state (see optimality-span.ts)
   * @throws NothingToReturn when the budget ends
   */
  costOf(curve: SwitchingCurve, shift: number, budget: Budget, allowance?: Float64Array): number {
    const { model } = this;
    const n = model.capacity + 1;
    const widths = rowWidths(curve, model.crawlers);
    const meeting = meetingRow(model, curve, widths);
    const row = this.#eliminate({ curve, widths, meeting }, costAndTime(model, shift, allowance), budget);
    const excess = sumOver(row, 0) / sumOver(row, 1);
    const relative = Float64Array.from({ length: n }, (_, q) => row.costs[q] - excess * row.costs[n + q]);
    this.values.set(row.reduced.values(relative), meeting * n);
    const cost = shift + excess;
    relativeValues(this, { curve, widths, meeting, costs: costAndTime(model, cost, allowance), excess, budget });
    return cost;
  }

  /** Long-run averages of a curve, each a ratio of sums of non-negative terms. O(Σ c(K − c) + K³). */
  averagesOf(curve: SwitchingCurve, budget: Budget): PolicyMeasures {
    const { model } = this;
    const widths = rowWidths(curve, model.crawlers);
    const meeting = meetingRow(model, curve, widths);
    const row = this.#eliminate({ curve, widths, meeting }, measuredCosts(model), budget);
    const time = sumOver(row, 1);
    const [starvationProbability, lossRate, meanActive, meanQueueLength] = [0, 2, 3, 4].map(
      (d) => sumOver(row, d) / time,
    );
    const averages = { starvationProbability, lossRate, meanActive, meanQueueLength };
    return { cost: costOfAverages(model, averages), ...averages };
  }

  /** Both sweeps and the meeting row. O(Σ c(K − c) + K³). */
  #eliminate({ curve, widths, meeting }: CurveRows, costs: RowCosts, budget: Budget): MeetingRow {
    const { model, interfaces } = this;
    const K = curve.length - 1;
    const n = K + 1;
    const { count } = costs;
    const above: Sweep = { ...this.above, count };
    const below: Sweep = { ...this.below, count };
    const constants = count === 2 ? this.constants : new Float64Array(count);
    // Poll the budget every hundred thousand or so elementary steps.
    const rowsBetweenPolls = Math.max(1, Math.ceil(4e5 / (n * n)));
    const poll = (r: number): void => {
      if (r % rowsBetweenPolls === 0) checkBudget(budget);
    };
    above.k.fill(0);
    for (let r = curve[0]; r > meeting; r--) {
      poll(r);
      costs.fill(r, above.f);
      const step = { r, c: widths[r], cp: widths[r - 1] };
      stepDown(above, step, interfaces, r * n, constants, count === 2 ? 2 * r : 0);
    }
    below.k.fill(0);
    for (let r = curve[K]; r < meeting; r++) {
      poll(r);
      costs.fill(r, below.f);
      const step = { r, c: widths[r], cp: r > curve[K] ? widths[r - 1] : n };
      stepUp(below, step, interfaces, r * n, constants, count === 2 ? 2 * r : 0);
    }
    poll(0);
    const rowCosts = new Float64Array(count * n);
    costs.fill(meeting, rowCosts);
    const step = { r: meeting, c: widths[meeting], cp: meeting > curve[K] ? widths[meeting - 1] : n };
    const rates = meetingChain({ above, below, count }, step, rowCosts);
    const reference = certainlyRecurrent(model, curve, widths, meeting);
    const first = reducedTo(rates, n, reference);
    const likeliest = first.weights.indexOf(first.weights.reduce((a, b) => Math.max(a, b)));
    return { ...(likeliest === reference ? first : reducedTo(rates, n, likeliest)), costs: rowCosts };
  }
}
