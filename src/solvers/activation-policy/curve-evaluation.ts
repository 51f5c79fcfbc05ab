/**
 * Exact evaluation of one switching curve: its average cost, its relative values, its long-run averages.
 *
 * Model: model.ts, the curve R non-increasing with R[0] ≥ 1 (one recurrent class then).
 * Method: rows of r are eliminated from the top of the curve down and from its bottom up
 *   (row-elimination.ts). They meet at a likely row. Its K + 1 states are result by state reduction
 *   with the likeliest of them as reference. Back-substitution goes outward. Meeting at a likely state is what keeps
 *   the precision: relative values seen from a rare state are differences of huge numbers.
 * Precision: costs are shifted by the previous average cost (`shift`), which is iterative refinement at no cost; every
 *   pivot is a sum of positive terms.
 * Complexity: about 12·Σ_r c_r(K − c_r) + K³ flops, memory two numbers a state and a few (K + 1)².
 * Source: the model file's own derivation; state reduction after Grassmann, Taksar and Heyman (1985).
 */
import type { Budget } from '../budget.ts';
import { Band, ReducedBand } from '../chain/index.ts';
import {
  type ActivationModel,
  costOfAverages,
  largestRecurrentRow,
  type PolicyMeasures,
  rowWidths,
  type SwitchingCurve,
} from './model.ts';
import {
  chainFromAbove,
  chainFromBelow,
  newSweep,
  type RowStep,
  type Sweep,
  stepDown,
  stepUp,
} from './row-elimination.ts';
import { checkBudget, rowsBetweenPolls } from './size.ts';

/**
 * What a state costs, row by row: the right-hand sides of the elimination. Several are carried at once: the cost itself
 * and the time when relative values are wanted, the averages a user asks for when the policy is final.
 *
 * `count` right-hand sides; `fill` writes those of row r, entry d of state q at `out[d·(K + 1) + q]`.
 */
interface RowCosts {
  readonly count: number;
  fill(r: number, out: Float64Array): void;
}

/**
 * 0: cost − `shift` (− `allowance` of the state, when given); 1: time. The shift (the previous iterate's average cost)
 * is iterative refinement for free.
 */
function costAndTime(model: ActivationModel, shift: number, allowance?: Float64Array): RowCosts {
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
function measuredCosts(model: ActivationModel): RowCosts {
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

/**
 * The row where the two sweeps meet, within the rows of the recurrent class: the one the chain visits most, as far as that can be
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
function meetingRow(model: ActivationModel, curve: SwitchingCurve, widths: Int32Array): number {
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
export class CurveEvaluator {
  readonly model: ActivationModel;
  /** h(q, r) at r·(K + 1) + q. */
  readonly values: Float64Array;
  /** Interface coefficients of each row, r·(K + 1). */
  readonly interfaces: Float64Array;
  /** Interface constants of each row: cost and time. */
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
   * @param allowance taken off the cost of each state (see policy-iteration.ts)
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

/** A curve by its rows, and the one where both sweeps meet. */
interface CurveRows {
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

/**
 * Relative values of every state, outward from the meeting row, whose values must be there already.
 *
 * Above it, going up, each row's part q ≥ c_r follows from the row below through its interface (P, p) and its chain.
 * Coming down again, the part q < c_r follows from the row above. Below it, the mirror image. Keeping only the interfaces
 * makes the memory two numbers a state.
 */
function relativeValues(evaluator: CurveEvaluator, task: RelativeValuesTask): void {
  const betweenPolls = rowsBetweenPolls(evaluator.model.capacity) - 1;
  const poll = (r: number): void => {
    if ((r & betweenPolls) === 0) checkBudget(task.budget);
  };
  const pass = {
    ...task,
    model: evaluator.model,
    values: evaluator.values,
    interfaces: evaluator.interfaces,
    constants: evaluator.constants,
    above: { ...evaluator.above, count: 1 },
    below: { ...evaluator.below, count: 1 },
    poll,
  };
  substituteAbove(pass);
  backSubstituteAbove(pass);
  substituteBelow(pass);
  backSubstituteBelow(pass);
}

interface Pass
  extends RelativeValuesTask,
    Pick<CurveEvaluator, 'model' | 'values' | 'interfaces' | 'constants' | 'above' | 'below'> {
  readonly poll: (r: number) => void;
}

/** Above the meeting row, going up: the part q ≥ c_r of each row from the row below. Rows above R[0] are transient. */
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
  const { capacity: K, crawlers: N, crawlerRate: lambda } = model;
  const n = K + 1;
  for (let r = meeting + 1; r <= N; r++) {
    poll(r);
    const c = widths[r];
    const cp = widths[r - 1];
    const here = r * n;
    const v = here - n;
    costs.fill(r, above.f);
    chainFromAbove(above, { r, c, cp });
    let u = 0;
    if (r > curve[0]) u = h[v + 1] + above.f[0] / (lambda * r);
    else {
      u = constants[2 * r] - excess * constants[2 * r + 1];
      for (let t = cp; t <= K; t++) u += interfaces[here + t] * h[v + t];
    }
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

/** Below the meeting row, going down: the mirror image. Rows below R[K] are transient. */
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
  const { capacity: K, indexingRate: mu } = model;
  const n = K + 1;
  for (let r = meeting - 1; r >= 0; r--) {
    poll(r);
    const c = widths[r];
    const cp = r > curve[K] ? widths[r - 1] : n;
    const here = r * n;
    const w = here + n;
    costs.fill(r, below.f);
    chainFromBelow(below, { r, c, cp });
    let u = 0;
    if (r < curve[K]) u = h[w + K - 1] + below.f[K] / mu;
    else {
      u = constants[2 * r] - excess * constants[2 * r + 1];
      for (let s = 0; s < c; s++) u += interfaces[here + s] * h[w + s];
    }
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
