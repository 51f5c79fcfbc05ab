/**
 * Exact evaluation of one switching curve: its average cost and relative values (costOf), its long-run averages
 * (measuresOf). These two are the interface; what follows is the elimination behind them.
 *
 * Model: model.ts, the curve R non-increasing with R[0] ≥ 1 (one recurrent class then).
 * Method: row r is the K + 1 states with r active crawlers, state (q, r) having q pages; u_r(q) is its relative value.
 *   Rows are eliminated from the top down and from the bottom up. They meet at a likely row, whose states are left to
 *   state reduction. Back-substitution goes outward. Meeting at a likely row is what keeps the precision: relative
 *   values seen from a rare state are differences of huge numbers.
 * Rows above, with c = c_r and c' = c_{r−1} ≥ c: row r (arrival rate a = λr) touches its neighbours on one side only.
 *   Departures go up to row r + 1 iff q ≤ c. An arrival at q makes the queue t = min(q + 1, K), written t_q below, and
 *   goes down to row r − 1 iff t ≥ c'. So what lies above row r is known through
 *     u_{r+1}(i) = Σ_j G[j][i]·u_r(j) + k(i),   i = 0..c−1,  j = c..K.
 *   One step turns that into the same statement for row r seen from row r − 1 (v = u_{r−1}, width c'):
 *   - for q > c:  u(q) = κ_q u(q−1) + η_q v(t_q) + e_q, κ + η = 1; between c and c' from right to left, pivot μ + aη;
 *   - the columns of G are pushed through these from j = K down to c + 1, in place;
 *   - the equation at q = c gives u(c) = Σ_t P_t v(t) + p; its pivot is the sum of its coefficients;
 *   - for q < c:  u(q) = σ u(q+1) + ρ u_{r+1}(q−1) + e_q, σ + ρ = 1 (`inRowShare`, `backShare`).
 *   The constants k of every cost column are further columns of G, and p further entries of P.
 * Rows below: the same in the mirror: free places K − q in place of q, departures in place of arrivals, row r + 1 in
 *   place of r − 1, and widths n − c_{r−1} and n − c_r. Only the ends differ: no departure leaves q = 0, an arrival at
 *   q = K changes the row alone.
 * Precision: every pivot is a sum of positive terms, and costs are shifted by the previous average cost, which is
 *   iterative refinement at no cost.
 * Complexity: about 12·Σ_r c_r(K − c_r) + K³ flops, and passes of O(N·K) over all states; memory two numbers a state
 *   (only P is kept of a row) and a few (K + 1)².
 * Source: the derivation is this project's own; state reduction after Grassmann, Taksar and Heyman (1985).
 */
import { type Budget, type Poll, pollOf } from '../budget.ts';
import { BandedRates, EliminatedChain, reduceToLikeliest } from '../chain/index.ts';
import {
  type ActivationModel,
  type AverageWeights,
  type ClassMeasures,
  largestRecurrentRow,
  rowWidths,
  type SwitchingCurve,
  weightedSum,
} from './model.ts';

/** Elementary steps of a row, however short. */
const stepsPerRow = 1000;

/** What a state costs per unit of time: a right-hand side of the elimination. */
interface CostColumn extends AverageWeights {
  /** Cost of every state. */
  readonly time: number;
  /** Subtracted from the cost of state (q, r), at r·(K + 1) + q. */
  readonly allowance: Float64Array | undefined;
}

/** The two right-hand sides that an elimination carries along. */
type CostColumns = readonly [CostColumn, CostColumn];

const zeroCost: CostColumn = { starvation: 0, loss: 0, crawler: 0, queue: 0, time: 0, allowance: undefined };

/** A curve, the widths c_r of its rows, and the row where both sweeps meet. */
interface CurveRows {
  readonly curve: SwitchingCurve;
  readonly widths: Int32Array;
  readonly meetingRow: number;
}

/** Evaluates the curves of one model, in buffers that all evaluations share. */
export class CurveEvaluator {
  readonly model: ActivationModel;
  /** Counts elementary steps against the budget; other passes over all states call it too. */
  readonly poll: Poll;
  /** h(q, r) at r·(K + 1) + q. */
  readonly values: Float64Array;
  readonly #sweeps: readonly [upper: Sweep, lower: Sweep];
  /** Rates of the meeting row's chain. */
  readonly #band: BandedRates;

  constructor(model: ActivationModel, budget: Budget) {
    this.model = model;
    this.poll = pollOf(budget, 'the policy had not been evaluated');
    this.values = new Float64Array((model.capacity + 1) * (model.crawlers + 1));
    // Each row belongs to one of the two sweeps.
    const interfaces = new Float64Array((model.capacity + 3) * (model.crawlers + 1));
    this.#sweeps = [new Sweep(false, model, interfaces), new Sweep(true, model, interfaces)];
    this.#band = new BandedRates(model.capacity + 1, model.capacity, model.capacity);
  }

  /**
   * Average cost of a curve for the iteration, its relative values in `values`. Answers have the cost of measuresOf.
   *
   * @param shift the best guess of the average cost; the closer, the more precise the values
   * @param allowance subtracted from the cost of each state (see boundBy in optimum.ts)
   * @throws NothingToReturn when the budget ends
   */
  costOf(curve: SwitchingCurve, shift: number, allowance?: Float64Array): number {
    const { model, values, poll } = this;
    const n = model.capacity + 1;
    const rows = rowsOf(model, curve);
    const { sums, costs, eliminatedChain } = this.#eliminate(rows, [
      { ...model.weights, time: -shift, allowance },
      { ...zeroCost, time: 1 },
    ]);
    const correction = sums[0] / sums[1];
    values.set(eliminatedChain.values(costs[0].map((cost, q) => cost - correction * costs[1][q])), rows.meetingRow * n);
    const cost = shift + correction;
    for (const sweep of this.#sweeps) {
      sweep.columns = [{ ...model.weights, time: -cost, allowance }, zeroCost];
      sweep.substitute(rows, values, correction, poll);
    }
    return cost;
  }

  /**
   * Measures of a curve as answers give them, each average a ratio of sums of non-negative terms.
   *
   * @throws NothingToReturn when the budget ends
   */
  measuresOf(curve: SwitchingCurve): ClassMeasures {
    const { crawlerRate, indexingRate } = this.model;
    const rows = rowsOf(this.model, curve);
    // The sums of both eliminations have the same factor; the last column is the time outside the empty queue.
    const [idle, lost] = this.#eliminate(rows, [
      { ...zeroCost, starvation: 1 },
      { ...zeroCost, loss: 1 },
    ]).sums;
    const [queued, busy] = this.#eliminate(rows, [
      { ...zeroCost, queue: 1 },
      { ...zeroCost, time: 1, starvation: -1 },
    ]).sums;
    const [starvationProbability, lossRate, meanQueueLength] = [idle, lost, queued].map((sum) => sum / (idle + busy));
    // Every page that an active crawler brings is indexed or lost.
    const meanActive = (indexingRate * busy + lost) / (idle + busy) / crawlerRate;
    const averages = { starvationProbability, lossRate, meanActive, meanQueueLength };
    const cost = weightedSum(this.model.weights, averages);
    return { ...averages, cost, minActive: curve[curve.length - 1], maxActive: largestRecurrentRow(curve) };
  }

  /**
   * Runs both sweeps, then reduces the chain of the meeting row, censored on its own states, to a likely state.
   *
   * @returns the cost columns of the meeting row, their stationary sums up to a common factor, and the reduced chain
   */
  #eliminate(rows: CurveRows, columns: CostColumns) {
    const { model, poll } = this;
    const [upperSweep, lowerSweep] = this.#sweeps;
    const r = rows.meetingRow;
    for (const sweep of this.#sweeps) sweep.columns = columns;
    for (let row = model.crawlers; row > r; row--) upperSweep.eliminate(rows, row, poll);
    for (let row = 0; row < r; row++) lowerSweep.eliminate(rows, row, poll);
    let costs: Float64Array[] = [];
    const reduceTo = (state: number): EliminatedChain => {
      this.#band.rates.fill(0);
      costs = upperSweep.costsOf(r).map((column) => column.slice());
      for (const sweep of this.#sweeps) sweep.addMovesBack(rows, this.#band, costs);
      return new EliminatedChain(this.#band, state, poll);
    };
    const { eliminatedChain, weights } = reduceToLikeliest(reduceTo(recurrentStateOf(rows)), reduceTo);
    const sums = costs.map((column) => column.reduce((sum, cost, q) => sum + weights[q] * cost, 0));
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
 * is where c_r is the median of the busy queue.) O(log N).
 *
 * The guess only has to be good to a few rows: it decides how many digits the relative values keep, not what is
 * computed. (The row of balanced load, μ/λ, does as well when the curve crosses it in mid-queue. It fails when the
 * curve keeps the load well under 1, where it is a row the chain visits once in 10^10 events.)
 */
function findMeetingRow(model: ActivationModel, curve: SwitchingCurve, widths: Int32Array): number {
  let low = Math.max(1, curve[curve.length - 1]);
  let high = largestRecurrentRow(curve);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const { up } = exitRatesOf(model, widths, middle);
    if (up > exitRatesOf(model, widths, middle + 1).down) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How fast row r ≥ 1 is left upwards and downwards, as shares of μ. */
function exitRatesOf({ capacity, crawlerRate, indexingRate }: ActivationModel, widths: Int32Array, r: number) {
  const n = capacity + 1;
  const load = (crawlerRate * r) / indexingRate;
  const x = Math.log(load);
  /** P(q < k), counted from the end where the queue mostly is. */
  const shareBelow = (k: number): number => {
    if (x === 0) return k / n;
    return x < 0 ? Math.expm1(k * x) / Math.expm1(n * x) : 1 - Math.expm1((k - n) * x) / Math.expm1(-n * x);
  };
  return { up: shareBelow(widths[r] + 1) - shareBelow(1), down: load * (1 - shareBelow(widths[r - 1] - 1)) };
}

/**
 * A state of the meeting row that is certainly recurrent: a departure enters the row from below, and from there arrivals
 * lead to the last queue length that they reach without leaving it.
 */
const recurrentStateOf = ({ curve, widths, meetingRow }: CurveRows): number =>
  meetingRow > curve[curve.length - 1] ? widths[meetingRow - 1] - 1 : curve.length - 1;

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

/** The elimination of the rows on one side of the meeting row. */
class Sweep {
  /** True for the rows below the meeting row. */
  readonly isMirrored: boolean;
  readonly model: ActivationModel;
  readonly n: number;
  columns: CostColumns = [zeroCost, zeroCost];
  /**
   * The transfer G: its rows i, first the columns of the places, then the constants k of both cost columns. Nearly all
   * the time goes into the loops along a row, which are a third faster on a row that is an array of its own.
   */
  readonly g: readonly Float64Array[];
  /** Of the present row: κ, and η for q > c, else 0. */
  readonly kappa: Float64Array;
  readonly eta: Float64Array;
  /** For each cost column of the present row: e_q at q ≠ c, and the cost at q = c. */
  readonly constants: readonly [Float64Array, Float64Array];
  /** Of the present row: the coefficients of u(c) in u_{r+1}. */
  readonly alpha: Float64Array;
  /** P_x of the present row, first those of the places, then the constants p of both cost columns. */
  readonly rowInterface: Float64Array;
  /** P_x of row r at r·stride + x. */
  readonly interfaces: Float64Array;
  readonly stride: number;

  constructor(isMirrored: boolean, model: ActivationModel, interfaces: Float64Array) {
    const n = model.capacity + 1;
    this.isMirrored = isMirrored;
    this.model = model;
    this.n = n;
    this.stride = n + 2;
    this.g = Array.from({ length: n }, () => new Float64Array(this.stride));
    this.rowInterface = new Float64Array(this.stride);
    this.kappa = new Float64Array(n);
    this.eta = new Float64Array(n);
    this.constants = [new Float64Array(n), new Float64Array(n)];
    this.alpha = new Float64Array(n);
    this.interfaces = interfaces;
  }

  /** The costs of row r in each column, mirrored with the sweep; the next call overwrites them. */
  costsOf(r: number): readonly [Float64Array, Float64Array] {
    const { n, isMirrored, constants } = this;
    for (let d = 0; d < constants.length; d++) {
      const costs = constants[d];
      const { starvation, loss, crawler, queue, time, allowance } = this.columns[d];
      const rowCost = crawler * r + time;
      for (let q = 0; q < n; q++) {
        costs[isMirrored ? n - 1 - q : q] = rowCost + queue * q - (allowance ? allowance[r * n + q] : 0);
      }
      costs[isMirrored ? n - 1 : 0] += starvation;
      costs[isMirrored ? 0 : n - 1] += loss * this.model.crawlerRate * r;
    }
    return constants;
  }

  #rowOf({ widths }: CurveRows, r: number): Row {
    const { n, model } = this;
    const mu = model.indexingRate;
    const a = model.crawlerRate * r;
    const c = widths[r];
    // No row is below row 0.
    const cp = r > 0 ? widths[r - 1] : n;
    return this.isMirrored
      ? { c: n - cp, cp: n - c, out: mu, back: a, lastOut: 0, firstBack: a }
      : { c, cp, out: a, back: mu, lastOut: a, firstBack: 0 };
  }

  /** Computes κ, η and e of row r. */
  #prepare({ c, cp, out, back, lastOut, firstBack }: Row, r: number): readonly [Float64Array, Float64Array] {
    const K = this.n - 1;
    const { kappa, eta } = this;
    const constants = this.costsOf(r);
    const [e0, e1] = constants;
    for (let q = K; q > c; q--) {
      const staysInRow = q < cp - 1;
      const reach = q === K ? lastOut : staysInRow ? out * eta[q + 1] : out;
      // State (0, 0) does not exist; nothing refers to it.
      const inverse = 1 / (back + reach || Number.POSITIVE_INFINITY);
      kappa[q] = back * inverse;
      eta[q] = reach * inverse;
      e0[q] = (staysInRow ? e0[q] + out * e0[q + 1] : e0[q]) * inverse;
      e1[q] = (staysInRow ? e1[q] + out * e1[q + 1] : e1[q]) * inverse;
    }
    for (let q = 0; q <= c; q++) eta[q] = 0;
    const inverse = 1 / (out + back);
    for (let q = 1; q < c; q++) {
      e0[q] *= inverse;
      e1[q] *= inverse;
    }
    if (c > 0) {
      e0[0] /= out + firstBack;
      e1[0] /= out + firstBack;
    }
    return constants;
  }

  /** Turns the transfer of the previous row (width c) into that of row r (width c'). */
  eliminate(rows: CurveRows, r: number, poll: Poll): void {
    const { n, g, stride, kappa, eta, alpha, rowInterface: p } = this;
    const K = n - 1;
    const row = this.#rowOf(rows, r);
    const { c, cp, out, back, lastOut } = row;
    poll(20 * c * (n - c) + 40 * n + stepsPerRow);
    const [e0, e1] = this.#prepare(row, r);

    // Columns j = c+1..K of G become columns of v, column c the coefficients α of u(c). Place j goes on to t = j + 1,
    // except that place K goes on to t = K, and places below c' − 1 to t = c'.
    for (let i = 0; i < c; i++) {
      const coefficients = g[i];
      let value = coefficients[K];
      const lastShare = eta[K] * value;
      let k0 = coefficients[n];
      let k1 = coefficients[n + 1];
      for (let j = K; j > c; j--) {
        k0 += e0[j] * value;
        k1 += e1[j] * value;
        value = coefficients[j - 1] + kappa[j] * value;
        coefficients[j] = eta[j - 1] * value;
      }
      alpha[i] = value;
      coefficients[n] = k0;
      coefficients[n + 1] = k1;
      coefficients[c] = 0;
      coefficients[K] += lastShare;
      for (let t = c + 2; t < cp; t++) coefficients[cp] += coefficients[t];
    }

    // The equation at q = c: the move out leads to t = c + 1 or, where that place is in this row, on through its chain.
    const t0 = Math.min(c + 1, K);
    const leavesRow = t0 >= cp;
    if (c > 0) for (let x = cp; x < stride; x++) p[x] = back * g[c - 1][x];
    else p.fill(0, cp);
    p[Math.max(t0, cp)] += leavesRow ? (c === K ? lastOut : out) : out * eta[t0];
    p[n] += e0[c] + (leavesRow ? 0 : out * e0[t0]);
    p[n + 1] += e1[c] + (leavesRow ? 0 : out * e1[t0]);
    let pivot = 0;
    for (let x = cp; x < n; x++) pivot += p[x];
    for (let x = cp; x < stride; x++) p[x] /= pivot;
    this.interfaces.set(p, r * stride);
    this.#transfer(row);
  }

  /** The transfer of a row, seen from the next. */
  #transfer({ c, cp, out, back, firstBack }: Row): void {
    const { n, g, stride, kappa, eta, alpha, rowInterface: p } = this;
    const [e0, e1] = this.constants;
    // With c = c' the place c is the next row's own.
    if (c < cp) g[c].set(p);
    else g[c].fill(0)[c] = 1;
    for (let q = c + 1; q < cp; q++) {
      const row = g[q];
      const left = g[q - 1];
      for (let x = cp; x < stride; x++) row[x] = kappa[q] * left[x];
      row[cp] += eta[q];
      row[n] += e0[q];
      row[n + 1] += e1[q];
    }
    for (let q = c - 1; q >= 0; q--) {
      const row = g[q];
      const right = g[q + 1];
      const place = Math.max(0, q - 1);
      const outer = g[place];
      const backRate = q === 0 ? firstBack : back;
      const inRowShare = out / (out + backRate);
      const backShare = backRate / (out + backRate);
      const share = backShare * alpha[place];
      for (let x = cp; x < stride; x++) row[x] = backShare * outer[x] + share * p[x] + inRowShare * right[x];
      row[n] += e0[q];
      row[n + 1] += e1[q];
    }
  }

  /**
   * Adds to the chain of the meeting row the moves at rate `back`: those within the row, and those into this side, each
   * of which returns to the row after an excursion. Adds the costs of the excursions to the costs of the row.
   */
  addMovesBack(rows: CurveRows, band: BandedRates, costs: readonly Float64Array[]): void {
    const { n, g } = this;
    const { c, back, firstBack } = this.#rowOf(rows, rows.meetingRow);
    const stateAt = (place: number): number => (this.isMirrored ? n - 1 - place : place);
    for (let q = 0; q < n; q++) {
      const rate = q === 0 ? firstBack : back;
      const i = Math.max(0, q - 1);
      if (i >= c && i < q) band.add(stateAt(q), stateAt(i), rate);
      if (i >= c || rate === 0) continue;
      for (let j = c; j < n; j++) if (j !== q) band.add(stateAt(q), stateAt(j), rate * g[i][j]);
      for (const [d, column] of costs.entries()) column[stateAt(q)] += rate * g[i][n + d];
    }
  }

  /**
   * Fills in the relative values h of every row of this side; those of the meeting row must be in h already.
   *
   * Outward from the meeting row, each row's part q ≥ c follows from the row before through its interface P and its
   * chain; coming back, the part q < c follows from the next row outward.
   *
   * @param correction the average of column 0 in the elimination (the average cost less the shift), which is subtracted
   * from its constants
   */
  substitute(rows: CurveRows, h: Float64Array, correction: number, poll: Poll): void {
    const { n, kappa, eta } = this;
    const K = n - 1;
    const outward = this.isMirrored ? -1 : 1;
    const lastRow = this.isMirrored ? 0 : this.model.crawlers;
    // Place q of a row is at its first place plus outward·q.
    const rowStartOf = (r: number): number => r * n + (this.isMirrored ? K : 0);
    for (let r = rows.meetingRow; r !== lastRow; ) {
      const innerRowStart = rowStartOf(r);
      r += outward;
      poll(30 * n + stepsPerRow);
      const row = this.#rowOf(rows, r);
      const { c, cp } = row;
      const [rowStart, interfaceStart] = [rowStartOf(r), r * this.stride];
      const [e] = this.#prepare(row, r);
      let u = this.interfaces[interfaceStart + n] - correction * this.interfaces[interfaceStart + n + 1];
      for (let t = cp; t <= K; t++) u += this.interfaces[interfaceStart + t] * h[innerRowStart + outward * t];
      h[rowStart + outward * c] = u;
      for (let q = c + 1; q <= K; q++) {
        const t = Math.max(cp, Math.min(q + 1, K));
        u = kappa[q] * u + eta[q] * h[innerRowStart + outward * t] + e[q];
        h[rowStart + outward * q] = u;
      }
    }
    for (let r = lastRow; r !== rows.meetingRow; r -= outward) {
      const row = this.#rowOf(rows, r);
      const { c, cp, out, back, firstBack } = row;
      if (c === 0) continue;
      poll(30 * n + stepsPerRow);
      const rowStart = rowStartOf(r);
      const innerRowStart = rowStartOf(r - outward);
      const outerRowStart = rowStartOf(r + outward);
      const [costs] = this.costsOf(r);
      for (let q = c - 1; q >= 0; q--) {
        const next = h[(q + 1 < cp ? rowStart : innerRowStart) + outward * (q + 1)];
        const outer = h[outerRowStart + outward * Math.max(0, q - 1)];
        const backRate = q === 0 ? firstBack : back;
        const pivot = out + backRate;
        h[rowStart + outward * q] = (out * next + backRate * outer) / pivot + costs[q] / pivot;
      }
    }
  }
}
