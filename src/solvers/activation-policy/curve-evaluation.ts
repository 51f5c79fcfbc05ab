/**
 * Exact evaluation of one switching curve: its average cost, its relative values, its long-run averages.
 *
 * Model: model.ts, the curve R non-increasing with R[0] ≥ 1 (one recurrent class then).
 * Method: row r is the K + 1 states with r active crawlers, state (q, r) having q pages; u_r(q) is its relative value.
 *   Rows are eliminated from the top of the curve down and from its bottom up. They meet at a likely row, whose states
 *   are left to state reduction. Back-substitution goes outward. Meeting at a likely row is what
 *   keeps the precision: relative values seen from a rare state are differences of huge numbers.
 * Rows above, with c = c_r and c' = c_{r−1} ≥ c: row r (arrival rate a = λr) touches its neighbours on one side only.
 *   Departures go up to row r + 1 iff q ≤ c. An arrival at q makes the queue t = min(q + 1, K), written t_q below, and
 *   goes down to row r − 1 iff t ≥ c'. So what lies above row r is known through
 *     u_{r+1}(i) = Σ_j G[j][i]·u_r(j) + k(i),   i = 0..c−1,  j = c..K.
 *   One step turns that into the same statement for row r seen from row r − 1 (v = u_{r−1}, width c'):
 *   - for q > c:  u(q) = κ_q u(q−1) + η_q v(t_q) + e_q, κ + η = 1; between c and c' from right to left, pivot μ + aη;
 *   - the columns of G are pushed through these from j = K down to c + 1, in place;
 *   - the equation at q = c gives u(c) = Σ_t P_t v(t) + p; its pivot is the sum of its coefficients;
 *   - for q < c:  u(q) = σ u(q+1) + ρ u_{r+1}(q−1).
 * Rows below: the same in the mirror: free places K − q in place of q, departures in place of arrivals, row r + 1 in
 *   place of r − 1, and widths n − c_{r−1} and n − c_r. Only the ends differ: no departure leaves q = 0, an arrival at
 *   q = K changes the row alone.
 * Precision: every pivot is a sum of positive terms, and costs are shifted by the previous average cost, which is
 *   iterative refinement at no cost.
 * Complexity: about 12·Σ_r c_r(K − c_r) + K³ flops, and passes of O(N·K) over all states; memory two numbers a state
 *   (only P and p are kept of a row) and a few (K + 1)².
 * Source: the derivation is this project's own; state reduction after Grassmann, Taksar and Heyman (1985).
 */
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { BandedRates, EliminatedChain } from '../chain/index.ts';
import {
  type ActivationModel,
  type AverageWeights,
  largestRecurrentRow,
  type PolicyMeasures,
  rowWidths,
  type SwitchingCurve,
  weightedSum,
} from './model.ts';

/** Elementary steps of a row, however short. */
const stepsPerRow = 300;

/** What a state costs per unit of time: a right-hand side of the elimination, of which two are carried at once. */
interface Column extends Partial<AverageWeights> {
  /** In every state. */
  readonly time?: number;
  /** Taken off the cost of state (q, r), at r·(K + 1) + q. */
  readonly allowance?: Float64Array | undefined;
}

type Columns = readonly [Column, Column];

/** A curve by its rows, and the one where both sweeps meet. */
interface CurveRows {
  readonly curve: SwitchingCurve;
  readonly widths: Int32Array;
  readonly meetingRow: number;
}

/** Evaluates the curves of one model, in buffers that all evaluations share. */
export class CurveEvaluator {
  readonly model: ActivationModel;
  /** To be called with the elementary steps of other passes over all states. */
  readonly poll: Poll;
  /** h(q, r) at r·(K + 1) + q. */
  readonly values: Float64Array;
  readonly #upperSweep: Sweep;
  readonly #lowerSweep: Sweep;

  constructor(model: ActivationModel, budget: Budget) {
    const states = (model.capacity + 1) * (model.crawlers + 1);
    this.model = model;
    this.poll = pollOf(budget, 'the policy had not been evaluated');
    this.values = new Float64Array(states);
    // Each row belongs to one of the two sweeps.
    const interfaces = new Float64Array(states);
    const constants = new Float64Array(2 * (model.crawlers + 1));
    this.#upperSweep = new Sweep(false, model, interfaces, constants);
    this.#lowerSweep = new Sweep(true, model, interfaces, constants);
  }

  /**
   * Average cost of a curve, and its relative values in `values`.
   *
   * @param shift the best guess of the average cost; the closer, the more precise the values
   * @param allowance taken off the cost of each state (see boundBy in optimum.ts)
   * @throws NothingToReturn when the budget ends
   */
  costOf(curve: SwitchingCurve, shift: number, allowance?: Float64Array): number {
    const { model, values, poll } = this;
    const n = model.capacity + 1;
    const rows = rowsOf(model, curve);
    const { sums, costs, eliminatedChain } = this.#eliminate(rows, [
      { ...model.weights, time: -shift, allowance },
      { time: 1 },
    ]);
    const correction = sums[0] / sums[1];
    const relativeCosts = Float64Array.from({ length: n }, (_, q) => costs[q] - correction * costs[n + q]);
    values.set(eliminatedChain.values(relativeCosts), rows.meetingRow * n);
    const cost = shift + correction;
    for (const sweep of [this.#upperSweep, this.#lowerSweep]) {
      sweep.columns = [{ ...model.weights, time: -cost, allowance }, { time: 1 }];
      sweep.substitute(rows, values, correction, poll);
    }
    return cost;
  }

  /**
   * Long-run averages of a curve, each a ratio of sums of non-negative terms.
   *
   * @throws NothingToReturn when the budget ends
   */
  averagesOf(curve: SwitchingCurve): PolicyMeasures {
    const rows = rowsOf(this.model, curve);
    const sums = (columns: Columns): readonly number[] => this.#eliminate(rows, columns).sums;
    const [starvation, loss] = sums([{ starvation: 1 }, { loss: 1 }]);
    const [crawler, queue] = sums([{ crawler: 1 }, { queue: 1 }]);
    const [time] = sums([{ time: 1 }, {}]);
    const [starvationProbability, lossRate, meanActive, meanQueueLength] = [starvation, loss, crawler, queue].map(
      (sum) => sum / time,
    );
    const averages = { starvationProbability, lossRate, meanActive, meanQueueLength };
    return { cost: weightedSum(this.model.weights, averages), ...averages };
  }

  /**
   * Both sweeps, and the meeting row censored on its own states and reduced to the likeliest of them: its columns, and
   * their stationary sums to a common factor.
   */
  #eliminate(rows: CurveRows, columns: Columns) {
    const { model, poll } = this;
    const { curve, meetingRow } = rows;
    const n = model.capacity + 1;
    const [upperSweep, lowerSweep] = [this.#upperSweep, this.#lowerSweep];
    upperSweep.begin(columns);
    for (let r = curve[0]; r > meetingRow; r--) upperSweep.eliminate(rows, r, poll);
    lowerSweep.begin(columns);
    for (let r = curve[n - 1]; r < meetingRow; r++) lowerSweep.eliminate(rows, r, poll);
    const { band, costs } = meetingChain(upperSweep, lowerSweep, rows);
    const rates = band.rates.slice();
    poll(n ** 3);
    const recurrentState = recurrentStateOf(model, rows);
    let eliminatedChain = new EliminatedChain(band, recurrentState);
    let weights = eliminatedChain.weights();
    const likeliest = weights.indexOf(weights.reduce((a, b) => Math.max(a, b)));
    if (likeliest !== recurrentState) {
      band.rates.set(rates);
      eliminatedChain = new EliminatedChain(band, likeliest);
      weights = eliminatedChain.weights();
    }
    const sums = columns.map((_, d) => weights.reduce((sum, weight, q) => sum + weight * costs[d * n + q], 0));
    return { sums, costs, eliminatedChain };
  }
}

function rowsOf(model: ActivationModel, curve: SwitchingCurve): CurveRows {
  const widths = rowWidths(curve, model.crawlers);
  return { curve, widths, meetingRow: findMeetingRow(model, curve, widths) };
}

/**
 * The row where the two sweeps meet, within the rows of the recurrent class: the one the chain visits most, as far as
 * that can be guessed.
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
function findMeetingRow(model: ActivationModel, curve: SwitchingCurve, widths: Int32Array): number {
  let low = curve[curve.length - 1];
  let high = largestRecurrentRow(curve);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { up } = exitRatesOf(model, widths, middle);
    if (up > exitRatesOf(model, widths, middle + 1).down) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How fast row r is left upwards and downwards, as shares of μ; `down` only makes sense above the lowest row. */
function exitRatesOf(model: ActivationModel, widths: Int32Array, r: number): { up: number; down: number } {
  const { capacity: K, crawlerRate, indexingRate } = model;
  // Without crawlers the queue only drains, and the row is left for good at q = c.
  if (r === 0) return { up: 1, down: 0 };
  const load = (crawlerRate * r) / indexingRate;
  // Weights ρ^q, counted from the larger end so that none overflows.
  const ratio = load <= 1 ? load : 1 / load;
  let [total, up, down, weight] = [0, 0, 0, 1];
  for (let i = 0; i <= K; i++) {
    const q = load <= 1 ? i : K - i;
    total += weight;
    if (q >= 1 && q <= widths[r]) up += weight;
    if (Math.min(q + 1, K) >= widths[r - 1]) down += load * weight;
    weight *= ratio;
  }
  return { up: up / total, down: down / total };
}

/**
 * A state of the meeting row that is certainly recurrent, and probably not rare. A departure enters the row from below.
 * From there arrivals lead to q = c' − 1 without leaving it, and then departures down to q = c (or c' − 1). Within
 * these the queue length tends to the lower end when service outpaces the arrivals, else to the upper one.
 */
function recurrentStateOf(model: ActivationModel, { curve, widths, meetingRow }: CurveRows): number {
  const K = model.capacity;
  if (meetingRow === 0) return widths[0];
  const upper = meetingRow > curve[K] ? widths[meetingRow - 1] - 1 : K;
  const isServiceFaster = model.crawlerRate * meetingRow < model.indexingRate;
  return isServiceFaster ? Math.min(widths[meetingRow], upper) : upper;
}

/** The meeting row censored on its own states, as a band that holds all of it, and its columns. */
function meetingChain(
  upperSweep: Sweep,
  lowerSweep: Sweep,
  rows: CurveRows,
): { band: BandedRates; costs: Float64Array } {
  const { n, mu } = upperSweep;
  const K = n - 1;
  const r = rows.meetingRow;
  upperSweep.fillCosts(r);
  const costs = upperSweep.f.slice();
  const { c, cp, out: a } = upperSweep.rowOf(rows, r);
  const band = new BandedRates(n, K, K);
  const add = (from: number, to: number, rate: number): void => {
    if (to !== from) band.add(from, to, rate);
  };
  for (let q = 0; q <= K; q++) {
    const t = Math.min(q + 1, K);
    if (t < cp) add(q, t, a);
    else {
      for (let j = 0; j < cp; j++) add(q, j, a * lowerSweep.g[(K - j) * n + K - t]);
      for (let d = 0; d < 2; d++) costs[d * n + q] += a * lowerSweep.k[d * n + K - t];
    }
    if (q === 0) continue;
    if (q > c) add(q, q - 1, mu);
    else {
      for (let j = c; j <= K; j++) add(q, j, mu * upperSweep.g[j * n + q - 1]);
      for (let d = 0; d < 2; d++) costs[d * n + q] += mu * upperSweep.k[d * n + q - 1];
    }
  }
  // (0, 0) does not exist and nothing leads there; a transient stand-in keeps the elimination regular.
  if (r === 0) {
    band.add(0, 1, 1);
    for (let d = 0; d < 2; d++) costs[d * n] = 0;
  }
  return { band, costs };
}

/** A row as its sweep sees it (mirrored below the meeting row): its widths, and its rates towards that row and back. */
interface Row {
  /** c_r and c_{r−1}, or in the mirror n − c_{r−1} and n − c_r. */
  readonly c: number;
  readonly cp: number;
  readonly out: number;
  readonly back: number;
  /** Out at the last place K, and back at place 0. */
  readonly lastOut: number;
  readonly firstBack: number;
}

/** The rows on one side of the meeting row. */
class Sweep {
  /** Mirrored: the rows below the meeting row. */
  readonly #isMirrored: boolean;
  readonly n: number;
  readonly #lambda: number;
  readonly mu: number;
  columns: Columns = [{}, {}];
  /** Columns of the transfer matrix, column j at j·n. */
  readonly g: Float64Array;
  /** Constants of the transfer, column d at d·n. */
  readonly k: Float64Array;
  /** Costs of the present row, column d at d·n. */
  readonly f: Float64Array;
  /** Chain coefficients of the present row: on the neighbour in the row, on the neighbouring row, constants. */
  readonly #kappa: Float64Array;
  readonly #eta: Float64Array;
  readonly #e: Float64Array;
  readonly #alpha: Float64Array;
  /** P_t of row r at r·n + t. */
  readonly #interfaces: Float64Array;
  /** p of row r, column d at 2·r + d. */
  readonly #constants: Float64Array;

  constructor(isMirrored: boolean, model: ActivationModel, interfaces: Float64Array, constants: Float64Array) {
    const n = model.capacity + 1;
    this.#isMirrored = isMirrored;
    this.n = n;
    this.#lambda = model.crawlerRate;
    this.mu = model.indexingRate;
    this.g = new Float64Array(n * n);
    this.k = new Float64Array(2 * n);
    this.f = new Float64Array(2 * n);
    this.#kappa = new Float64Array(n);
    this.#eta = new Float64Array(n);
    this.#e = new Float64Array(2 * n);
    this.#alpha = new Float64Array(n);
    this.#interfaces = interfaces;
    this.#constants = constants;
  }

  /** Starts an elimination. */
  begin(columns: Columns): void {
    this.columns = columns;
    this.k.fill(0);
  }

  rowOf({ curve, widths }: CurveRows, r: number): Row {
    const { n, mu } = this;
    const a = this.#lambda * r;
    const c = widths[r];
    // Nothing leads below row R[K].
    const cp = r > curve[n - 1] ? widths[r - 1] : n;
    return this.#isMirrored
      ? { c: n - cp, cp: n - c, out: mu, back: a, lastOut: 0, firstBack: a }
      : { c, cp, out: a, back: mu, lastOut: a, firstBack: 0 };
  }

  /** The costs of row r, mirrored with the sweep. */
  fillCosts(r: number): void {
    const { n, f, columns } = this;
    for (const [d, { starvation = 0, loss = 0, crawler = 0, queue = 0, time = 0, allowance }] of columns.entries()) {
      const at = d * n;
      const rowCost = crawler * r + time;
      for (let q = 0; q < n; q++) f[at + q] = rowCost + queue * q;
      f[at] += starvation;
      f[at + n - 1] += loss * this.#lambda * r;
      if (allowance) for (let q = 0; q < n; q++) f[at + q] -= allowance[r * n + q];
      if (this.#isMirrored) f.subarray(at, at + n).reverse();
    }
  }

  /** Computes the costs of row r, and its κ_q, η_q and e_q for q = c+1..K. */
  #prepare({ c, cp, out, back, lastOut }: Row, r: number): void {
    const { n, f } = this;
    const [kappa, eta, e] = [this.#kappa, this.#eta, this.#e];
    this.fillCosts(r);
    const from = Math.max(c + 1, cp - 1);
    for (let q = n - 1; q >= from; q--) {
      const outRate = q === n - 1 ? lastOut : out;
      const rate = outRate + back;
      // State (0, 0) does not exist; nothing refers to it.
      kappa[q] = rate > 0 ? back / rate : 1;
      eta[q] = rate > 0 ? outRate / rate : 0;
      for (let d = 0; d < 2; d++) e[d * n + q] = rate > 0 ? f[d * n + q] / rate : 0;
    }
    for (let q = from - 1; q > c; q--) {
      const pivot = back + out * eta[q + 1];
      kappa[q] = back / pivot;
      eta[q] = (out * eta[q + 1]) / pivot;
      for (let d = 0; d < 2; d++) e[d * n + q] = (f[d * n + q] + out * e[d * n + q + 1]) / pivot;
    }
  }

  /** Turns the transfer of the previous row (width c) into that of row r (width c'). */
  eliminate(rows: CurveRows, r: number, poll: Poll): void {
    const { n, g, k } = this;
    const [kappa, eta, e, alpha] = [this.#kappa, this.#eta, this.#e, this.#alpha];
    const [interfaces, constants] = [this.#interfaces, this.#constants];
    const K = n - 1;
    const row = this.rowOf(rows, r);
    const { c, cp, out, back, lastOut } = row;
    poll(12 * n * (n - c) + stepsPerRow);
    this.#prepare(row, r);

    // Columns j = c+1..K of G become columns of v, column c the coefficients α of u(c). Column t = K is first written
    // by j = K, every other one by j = t − 1.
    for (let j = K; j > c; j--) {
      pushColumn(g, k, kappa, eta, e, j, Math.max(cp, Math.min(j + 1, K)), n, c, j === K - 1 || j < cp - 1);
    }
    for (let i = 0; i < c; i++) alpha[i] = g[c * n + i];
    // Columns that no chain reaches: t = c when c = c', and t = c + 1 unless a wider c' or K = c + 1 sends one there.
    if (cp === c) g.fill(0, c * n, c * n + c);
    if (cp <= c + 1 && c + 1 < K) g.fill(0, (c + 1) * n, (c + 1) * n + c);

    // The equation at q = c.
    const t0 = Math.min(c + 1, K);
    const isDirect = t0 >= cp;
    const outRate = c === K ? lastOut : out;
    let pivot = 0;
    for (let t = cp; t <= K; t++) {
      let coefficient = c > 0 ? back * g[t * n + c - 1] : 0;
      if (isDirect ? t === t0 : t === cp) coefficient += isDirect ? outRate : out * eta[t0];
      interfaces[r * n + t] = coefficient;
      pivot += coefficient;
    }
    for (let t = cp; t <= K; t++) interfaces[r * n + t] /= pivot;
    for (let d = 0; d < 2; d++) {
      let value = this.f[d * n + c] + (c > 0 ? back * k[d * n + c - 1] : 0);
      if (!isDirect) value += out * e[d * n + t0];
      constants[2 * r + d] = value / pivot;
    }
    this.#transfer(row, r);
  }

  /** The transfer of row r, seen from the next row. With c = c' the move out of q = c − 1 already leaves the row. */
  #transfer({ c, cp, out, back, firstBack }: Row, r: number): void {
    const { n, g, k, f } = this;
    const [kappa, eta, e, alpha] = [this.#kappa, this.#eta, this.#e, this.#alpha];
    const inRowShare = out / (out + back);
    const backShare = back / (out + back);
    for (let t = cp; t < n; t++) {
      const p = this.#interfaces[r * n + t];
      const x = t * n;
      let u = p;
      if (c < cp) g[x + c] = u;
      for (let q = c + 1; q < cp; q++) {
        u = kappa[q] * u + (t === cp ? eta[q] : 0);
        g[x + q] = u;
      }
      const start = c < cp ? p : t === cp ? 1 : 0;
      if (c > 0) recurDown(g, alpha, x, c - 1, start, p, inRowShare, backShare, firstBack > 0);
    }
    for (let d = 0; d < 2; d++) {
      const at = d * n;
      const p = this.#constants[2 * r + d];
      let u = p;
      // Places q < c read k(q − 1) before it is overwritten, so the chain to the right of c comes first.
      if (c < cp) k[at + c] = u;
      for (let q = c + 1; q < cp; q++) {
        u = kappa[q] * u + e[at + q];
        k[at + q] = u;
      }
      if (c === 0) continue;
      u = c < cp ? p : 0;
      for (let q = c - 1; q >= 1; q--) {
        u = (f[at + q] + out * u + back * (k[at + q - 1] + alpha[q - 1] * p)) / (out + back);
        k[at + q] = u;
      }
      k[at] =
        firstBack > 0 ? (f[at] + out * u + firstBack * (k[at] + alpha[0] * p)) / (out + firstBack) : u + f[at] / out;
    }
  }

  /**
   * Relative values h of every row of this side; those of the meeting row must be there already.
   *
   * Outward from it, each row's part q ≥ c follows from the row before through its interface (P, p) and its chain;
   * coming back, the part q < c follows from the next row outward. Rows that the curve does not reach are transient.
   *
   * @param correction the average of column 0 in the elimination, taken off its constants: average cost less the shift
   */
  substitute(rows: CurveRows, h: Float64Array, correction: number, poll: Poll): void {
    const { n, f } = this;
    const [kappa, eta, e, isMirrored] = [this.#kappa, this.#eta, this.#e, this.#isMirrored];
    const { curve, widths, meetingRow } = rows;
    const K = n - 1;
    const outward = isMirrored ? -1 : 1;
    const lastReachableRow = isMirrored ? curve[K] : curve[0];
    // Place q of a row is at its first place plus outward·q.
    const rowStartOf = (r: number): number => r * n + (isMirrored ? K : 0);
    for (let r = meetingRow + outward; r >= 0 && r < widths.length; r += outward) {
      poll(10 * n + stepsPerRow);
      const row = this.rowOf(rows, r);
      const { c, cp } = row;
      const rowStart = rowStartOf(r);
      const innerRowStart = rowStartOf(r - outward);
      this.#prepare(row, r);
      let u = 0;
      if ((r - lastReachableRow) * outward > 0) u = h[innerRowStart + outward] + f[0] / row.out;
      else {
        const at = 2 * r;
        u = this.#constants[at] - correction * this.#constants[at + 1];
        for (let t = cp; t <= K; t++) u += this.#interfaces[r * n + t] * h[innerRowStart + outward * t];
      }
      h[rowStart + outward * c] = u;
      for (let q = c + 1; q <= K; q++) {
        const t = Math.max(cp, Math.min(q + 1, K));
        u = kappa[q] * u + eta[q] * h[innerRowStart + outward * t] + e[q];
        h[rowStart + outward * q] = u;
      }
    }
    for (let r = lastReachableRow; r !== meetingRow; r -= outward) {
      poll(10 * n + stepsPerRow);
      const { c, cp, out, back, firstBack } = this.rowOf(rows, r);
      const rowStart = rowStartOf(r);
      const innerRowStart = rowStartOf(r - outward);
      const outerRowStart = rowStartOf(r + outward);
      this.fillCosts(r);
      for (let q = c - 1; q >= 0; q--) {
        const next = h[(q + 1 < cp ? rowStart : innerRowStart) + outward * (q + 1)];
        const hasBack = q > 0 || firstBack > 0;
        h[rowStart + outward * q] = hasBack
          ? (f[q] + out * next + back * h[outerRowStart + outward * Math.max(0, q - 1)]) / (out + back)
          : next + f[0] / out;
      }
    }
  }
}

/*
 * Inner loops over the first `count` entries of the columns of G, column j at j·n, and of both constants: small
 * functions, so that the compiler optimises each on its own.
 */

/** Column j into column j − 1, column t (which it adds to or overwrites; it may be j itself) and the constants. */
function pushColumn(
  g: Float64Array,
  k: Float64Array,
  kappa: Float64Array,
  eta: Float64Array,
  e: Float64Array,
  j: number,
  t: number,
  n: number,
  count: number,
  adds: boolean,
): void {
  const [x, y, store] = [j * n, (j - 1) * n, t * n];
  const [kappaX, etaX, e0, e1] = [kappa[j], eta[j], e[j], e[n + j]];
  for (let i = 0; i < count; i++) {
    const value = g[x + i];
    g[y + i] += kappaX * value;
    g[store + i] = adds ? g[store + i] + etaX * value : etaX * value;
    k[i] += e0 * value;
    k[n + i] += e1 * value;
  }
}

/**
 * One column of u_i = keep·u_{i+1} + take·(g_{i−1} + alpha·p), i = top..0 descending. Entry 0 reads itself where
 * something leads back from it, else it takes the last value.
 */
function recurDown(
  g: Float64Array,
  alpha: Float64Array,
  x: number,
  top: number,
  start: number,
  p: number,
  inRowShare: number,
  backShare: number,
  leadsBack: boolean,
): void {
  let u = start;
  for (let i = top; i >= 1; i--) {
    u = inRowShare * u + backShare * (g[x + i - 1] + alpha[i - 1] * p);
    g[x + i] = u;
  }
  g[x] = leadsBack ? inRowShare * u + backShare * (g[x] + alpha[0] * p) : u;
}
