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
import { chainOf, eliminateRow, newSweep, type RowStep, ratesOf, type Sweep, stepOf } from './row-elimination.ts';
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
      for (let j = 0; j < cp; j++) rates[q * n + j] += a * below.g[(K - j) * n + K - t];
      for (let d = 0; d < count; d++) costs[d * n + q] += a * below.k[d * n + K - t];
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
    this.above = newSweep(false, capacity, crawlerRate, indexingRate, 5);
    this.below = newSweep(true, capacity, crawlerRate, indexingRate, 5);
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
    const task = { curve, widths, meeting, costs: costAndTime(model, cost, allowance), excess, budget };
    for (const sweep of [this.above, this.below]) relativeValues(this, { ...sweep, count: 1 }, task);
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
    const eliminate = (sweep: Sweep, r: number): void => {
      poll(r);
      fillCosts(sweep, costs, r);
      const step = stepOf(sweep, curve, widths, r);
      eliminateRow(sweep, step, interfaces, r * n, constants, count === 2 ? 2 * r : 0);
    };
    above.k.fill(0);
    for (let r = curve[0]; r > meeting; r--) eliminate(above, r);
    below.k.fill(0);
    for (let r = curve[K]; r < meeting; r++) eliminate(below, r);
    poll(0);
    const rowCosts = new Float64Array(count * n);
    costs.fill(meeting, rowCosts);
    const step = stepOf(above, curve, widths, meeting);
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

/** Costs of row r, mirrored with the sweep. */
function fillCosts({ below, n, count, f }: Sweep, costs: RowCosts, r: number): void {
  costs.fill(r, f);
  if (below) for (let d = 0; d < count; d++) f.subarray(d * n, (d + 1) * n).reverse();
}

/**
 * Relative values of every state on one side of the meeting row, whose values must be there already.
 *
 * Outward from it, each row's part q ≥ c follows from the row before through its interface (P, p) and its chain; coming
 * back, the part q < c follows from the row beyond. Rows that the curve does not reach are transient. Keeping only the
 * interfaces makes the memory two numbers a state.
 */
function relativeValues(
  { values: h, interfaces, constants, model }: CurveEvaluator,
  sweep: Sweep,
  { curve, widths, meeting, costs, excess, budget }: RelativeValuesTask,
): void {
  const { below, n, f, near, far, e } = sweep;
  const K = n - 1;
  const outward = below ? -1 : 1;
  const lastReached = below ? curve[K] : curve[0];
  const betweenPolls = rowsBetweenPolls(K) - 1;
  const poll = (r: number): void => {
    if ((r & betweenPolls) === 0) checkBudget(budget);
  };
  // Place q of a row is at its first place plus outward·q.
  const firstOf = (r: number): number => r * n + (below ? K : 0);
  for (let r = meeting + outward; r >= 0 && r <= model.crawlers; r += outward) {
    poll(r);
    const step = stepOf(sweep, curve, widths, r);
    const { c, cp } = step;
    const here = firstOf(r);
    const v = firstOf(r - outward);
    fillCosts(sweep, costs, r);
    chainOf(sweep, step);
    let u = 0;
    if ((r - lastReached) * outward > 0) u = h[v + outward] + f[0] / ratesOf(sweep, r).out;
    else {
      u = constants[2 * r] - excess * constants[2 * r + 1];
      for (let t = cp; t <= K; t++) u += interfaces[r * n + t] * h[v + outward * t];
    }
    h[here + outward * c] = u;
    for (let q = c + 1; q <= K; q++) {
      const t = Math.max(cp, Math.min(q + 1, K));
      u = near[q] * u + far[q] * h[v + outward * t] + e[q];
      h[here + outward * q] = u;
    }
  }
  for (let r = lastReached; r !== meeting; r -= outward) {
    poll(r);
    const { c, cp } = stepOf(sweep, curve, widths, r);
    const { out, back, firstBack } = ratesOf(sweep, r);
    const here = firstOf(r);
    const v = firstOf(r - outward);
    const beyond = firstOf(r + outward);
    fillCosts(sweep, costs, r);
    for (let q = c - 1; q >= 0; q--) {
      const next = h[(q + 1 < cp ? here : v) + outward * (q + 1)];
      const hasBack = q > 0 || firstBack > 0;
      h[here + outward * q] = hasBack
        ? (f[q] + out * next + back * h[beyond + outward * Math.max(0, q - 1)]) / (out + back)
        : next + f[0] / out;
    }
  }
}
