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
interface CostColumn extends Partial<AverageWeights> {
  /** Cost of every state. */
  readonly time?: number;
  /** Subtracted from the cost of state (q, r), at r·(K + 1) + q. */
  readonly allowance?: Float64Array | undefined;
}

/** The columns whose sums are the long-run averages and, last, the time. */
const averageColumns: readonly CostColumn[] = [
  { starvation: 1 },
  { loss: 1 },
  { crawler: 1 },
  { queue: 1 },
  { time: 1 },
];

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
    const interfaces = new Float64Array((model.capacity + 1 + averageColumns.length) * (model.crawlers + 1));
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
      { time: 1 },
    ]);
    const correction = sums[0] / sums[1];
    values.set(eliminatedChain.values(costs[0].map((cost, q) => cost - correction * costs[1][q])), rows.meetingRow * n);
    const cost = shift + correction;
    for (const sweep of this.#sweeps) {
      sweep.columns = [{ ...model.weights, time: -cost, allowance }];
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
    const { sums } = this.#eliminate(rowsOf(this.model, curve), averageColumns);
    const [starvationProbability, lossRate, meanActive, meanQueueLength] = sums.map((sum) => sum / sums[4]);
    const averages = { starvationProbability, lossRate, meanActive, meanQueueLength };
    const cost = weightedSum(this.model.weights, averages);
    return { ...averages, cost, minActive: curve[curve.length - 1], maxActive: largestRecurrentRow(curve) };
  }

  /**
   * Runs both sweeps, then reduces the chain of the meeting row, censored on its own states, to a likely state.
   *
   * @returns the cost columns of the meeting row, their stationary sums up to a common factor, and the reduced chain
   */
  #eliminate(rows: CurveRows, columns: readonly CostColumn[]) {
    const { model, poll } = this;
    const [upperSweep, lowerSweep] = this.#sweeps;
    const r = rows.meetingRow;
    for (const sweep of this.#sweeps) sweep.columns = columns;
    for (let row = model.crawlers; row > r; row--) upperSweep.eliminate(rows, row, poll);
    for (let row = 0; row < r; row++) lowerSweep.eliminate(rows, row, poll);
    let costs: Float64Array[] = [];
    const reduceTo = (state: number): EliminatedChain => {
      this.#band.rates.fill(0);
      costs = upperSweep
        .costsOf(r)
        .slice(0, columns.length)
        .map((column) => column.slice());
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
  readonly #isMirrored: boolean;
  readonly #model: ActivationModel;
  readonly #n: number;
  columns: readonly CostColumn[] = averageColumns;
  /** The transfer G: column x at x·n, first the columns of the places, then the constants k of each cost column. */
  readonly #g: Float64Array;
  /** Of the present row: the total rates of the equations, κ, and η for q > c, else 0. */
  readonly #pivots: Float64Array;
  readonly #kappa: Float64Array;
  readonly #eta: Float64Array;
  /** For each cost column of the present row: e_q at q ≠ c, and the cost at q = c. */
  readonly #constants: readonly Float64Array[];
  /** Of the present row: the coefficients of u(c) in u_{r+1}. */
  readonly #alpha: Float64Array;
  readonly #zeros: Float64Array;
  /** P_x of row r at r·stride + x, first those of the places, then the constants p of each cost column. */
  readonly #interfaces: Float64Array;
  readonly #stride: number;

  constructor(isMirrored: boolean, model: ActivationModel, interfaces: Float64Array) {
    const n = model.capacity + 1;
    this.#isMirrored = isMirrored;
    this.#model = model;
    this.#n = n;
    this.#stride = n + averageColumns.length;
    this.#g = new Float64Array(this.#stride * n);
    this.#pivots = new Float64Array(n);
    this.#kappa = new Float64Array(n);
    this.#eta = new Float64Array(n);
    this.#constants = averageColumns.map(() => new Float64Array(n));
    this.#alpha = new Float64Array(n);
    this.#zeros = new Float64Array(n);
    this.#interfaces = interfaces;
  }

  /** The costs of row r in each column, mirrored with the sweep; the next call overwrites them. */
  costsOf(r: number): readonly Float64Array[] {
    const n = this.#n;
    for (let d = 0; d < this.columns.length; d++) {
      const { starvation = 0, loss = 0, crawler = 0, queue = 0, time = 0, allowance } = this.columns[d];
      const costs = this.#constants[d];
      const rowCost = crawler * r + time;
      for (let q = 0; q < n; q++) costs[q] = rowCost + queue * q;
      costs[0] += starvation;
      costs[n - 1] += loss * this.#model.crawlerRate * r;
      if (allowance) for (let q = 0; q < n; q++) costs[q] -= allowance[r * n + q];
      if (this.#isMirrored) costs.reverse();
    }
    return this.#constants;
  }

  #rowOf({ widths }: CurveRows, r: number): Row {
    const [n, mu, a] = [this.#n, this.#model.indexingRate, this.#model.crawlerRate * r];
    const c = widths[r];
    // No row is below row 0.
    const cp = r > 0 ? widths[r - 1] : n;
    return this.#isMirrored
      ? { c: n - cp, cp: n - c, out: mu, back: a, lastOut: 0, firstBack: a }
      : { c, cp, out: a, back: mu, lastOut: a, firstBack: 0 };
  }

  /** Computes κ, η and e of row r. */
  #prepare({ c, cp, out, back, lastOut, firstBack }: Row, r: number): readonly Float64Array[] {
    const [n, pivots, kappa, eta] = [this.#n, this.#pivots, this.#kappa, this.#eta];
    eta.fill(0, 0, c + 1);
    pivots.fill(out + back, 0, c);
    pivots[0] = out + firstBack;
    for (let q = n - 1; q > c; q--) {
      const reach = q === n - 1 ? lastOut : q >= cp - 1 ? out : out * eta[q + 1];
      // State (0, 0) does not exist; nothing refers to it.
      pivots[q] = back + reach || Number.POSITIVE_INFINITY;
      kappa[q] = back / pivots[q];
      eta[q] = reach / pivots[q];
    }
    const columns = this.costsOf(r);
    for (let d = 0; d < this.columns.length; d++) {
      const e = columns[d];
      for (let q = n - 1; q > c; q--) e[q] = (q < cp - 1 ? e[q] + out * e[q + 1] : e[q]) / pivots[q];
      for (let q = 0; q < c; q++) e[q] /= pivots[q];
    }
    return columns;
  }

  /** Turns the transfer of the previous row (width c) into that of row r (width c'). */
  eliminate(rows: CurveRows, r: number, poll: Poll): void {
    const [n, g, stride, interfaces] = [this.#n, this.#g, this.#stride, this.#interfaces];
    const [kappa, eta, alpha] = [this.#kappa, this.#eta, this.#alpha];
    const K = n - 1;
    const row = this.#rowOf(rows, r);
    const { c, cp, out, back, lastOut } = row;
    poll(20 * c * (n - c) + 20 * n * this.columns.length + stepsPerRow);
    const constants = this.#prepare(row, r);
    const size = n + this.columns.length;

    // Columns j = c+1..K of G become columns of v, column c the coefficients α of u(c). Column t = K is first written
    // by j = K, every other one by j = t − 1.
    for (let j = K; j > c; j--) {
      if (this.columns.length === 2 && j < K - 1 && j >= Math.max(cp, c + 2)) {
        this.#pushColumnPair(j--, c);
        continue;
      }
      for (let d = 0; d < this.columns.length; d++) addColumn(g, j * n, (n + d) * n, constants[d][j], c);
      addColumn(g, j * n, (j - 1) * n, kappa[j], c);
      const t = Math.max(cp, Math.min(j + 1, K));
      addColumn(g, j * n, t * n, eta[j], c, j === K - 1 || j < cp - 1);
    }
    for (let i = 0; i < c; i++) alpha[i] = g[c * n + i];
    // No column j is pushed into t = c, and only j = K into t = c + 1.
    for (let t = cp; t <= c + 1; t++) if (t === c || t < K) g.fill(0, t * n, t * n + c);

    // The equation at q = c: the move out leads to t = c + 1 or, where that place is in this row, on through its chain.
    const t0 = Math.min(c + 1, K);
    const outRate = c === K ? lastOut : out;
    const interfaceStart = r * stride;
    let pivot = 0;
    for (let x = cp; x < size; x++) {
      let coefficient = c > 0 ? back * g[x * n + c - 1] : 0;
      if (x < n) {
        if (t0 >= cp ? x === t0 : x === cp) coefficient += t0 >= cp ? outRate : out * eta[t0];
        pivot += coefficient;
      } else coefficient += constants[x - n][c] + (t0 >= cp ? 0 : out * constants[x - n][t0]);
      interfaces[interfaceStart + x] = coefficient;
    }
    for (let x = cp; x < size; x++) interfaces[interfaceStart + x] /= pivot;
    this.#transfer(row, interfaceStart, size);
  }

  /** The transfer of a row, seen from the next. With c = c' the move out of q = c − 1 already leaves the row. */
  #transfer({ c, cp, out, back, firstBack }: Row, interfaceStart: number, size: number): void {
    const [n, g, kappa, eta, alpha] = [this.#n, this.#g, this.#kappa, this.#eta, this.#alpha];
    const [inRowShare, backShare] = [out / (out + back), back / (out + back)];
    for (let x = cp; x < size; x++) {
      const start = x * n;
      const p = this.#interfaces[interfaceStart + x];
      // The constants e_q, or the shares η_q, of the places q ≠ c in this column.
      const source = x >= n ? this.#constants[x - n] : x === cp ? eta : this.#zeros;
      let u = c < cp ? p : x === cp ? 1 : 0;
      for (let q = c - 1; q >= 1; q--) {
        // In this order only one product and one sum depend on the previous u.
        u = backShare * (g[start + q - 1] + alpha[q - 1] * p) + source[q] + inRowShare * u;
        g[start + q] = u;
      }
      if (c > 0) g[start] = (firstBack * (g[start] + alpha[0] * p) + out * u) / (out + firstBack) + source[0];
      if (c === cp) continue;
      u = p;
      g[start + c] = u;
      for (let q = c + 1; q < cp; q++) {
        u = kappa[q] * u + source[q];
        g[start + q] = u;
      }
    }
  }

  /**
   * Adds to the chain of the meeting row the moves at rate `back`: those within the row, and those into this side, each
   * of which returns to the row after an excursion. Adds the costs of the excursions to the costs of the row.
   */
  addMovesBack(rows: CurveRows, band: BandedRates, costs: readonly Float64Array[]): void {
    const [n, g] = [this.#n, this.#g];
    const { c, back, firstBack } = this.#rowOf(rows, rows.meetingRow);
    const stateAt = (place: number): number => (this.#isMirrored ? n - 1 - place : place);
    for (let q = 0; q < n; q++) {
      const rate = q === 0 ? firstBack : back;
      const i = Math.max(0, q - 1);
      if (i >= c && i < q) band.add(stateAt(q), stateAt(i), rate);
      if (i >= c || rate === 0) continue;
      for (let j = c; j < n; j++) if (j !== q) band.add(stateAt(q), stateAt(j), rate * g[j * n + i]);
      for (const [d, column] of costs.entries()) column[stateAt(q)] += rate * g[(n + d) * n + i];
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
    const [n, kappa, eta] = [this.#n, this.#kappa, this.#eta];
    const K = n - 1;
    const outward = this.#isMirrored ? -1 : 1;
    const lastRow = this.#isMirrored ? 0 : this.#model.crawlers;
    // Place q of a row is at its first place plus outward·q.
    const rowStartOf = (r: number): number => r * n + (this.#isMirrored ? K : 0);
    for (let r = rows.meetingRow; r !== lastRow; ) {
      const innerRowStart = rowStartOf(r);
      r += outward;
      poll(30 * n + stepsPerRow);
      const row = this.#rowOf(rows, r);
      const { c, cp } = row;
      const [rowStart, interfaceStart] = [rowStartOf(r), r * this.#stride];
      const [e] = this.#prepare(row, r);
      let u = this.#interfaces[interfaceStart + n] - correction * this.#interfaces[interfaceStart + n + 1];
      for (let t = cp; t <= K; t++) u += this.#interfaces[interfaceStart + t] * h[innerRowStart + outward * t];
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
      const [rowStart, innerRowStart, outerRowStart] = [r, r - outward, r + outward].map(rowStartOf);
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
  /**
   * Pushes column j of G, then column j − 1, each into the column before, the first two constants and, overwriting
   * it, the column after. Nearly all the time goes here: one pass over both is a third faster than a pass over each.
   */
  #pushColumnPair(j: number, count: number): void {
    const [n, g, kappa, eta, [e0, e1]] = [this.#n, this.#g, this.#kappa, this.#eta, this.#constants];
    const [from, second, previous, store, k0, k1] = [j * n, (j - 1) * n, (j - 2) * n, (j + 1) * n, n * n, (n + 1) * n];
    const [keep, leave, cost0, cost1] = [kappa[j], eta[j], e0[j], e1[j]];
    const [secondKeep, secondLeave, secondCost0, secondCost1] = [kappa[j - 1], eta[j - 1], e0[j - 1], e1[j - 1]];
    for (let i = 0; i < count; i++) {
      const value = g[from + i];
      const secondValue = g[second + i] + keep * value;
      g[previous + i] += secondKeep * secondValue;
      g[store + i] = leave * value;
      g[from + i] = secondLeave * secondValue;
      g[k0 + i] = g[k0 + i] + cost0 * value + secondCost0 * secondValue;
      g[k1 + i] = g[k1 + i] + cost1 * value + secondCost1 * secondValue;
    }
  }
}

/** Adds to `count` entries of G from `to` on a multiple of those from `from` on, or overwrites them with it. */
function addColumn(g: Float64Array, from: number, to: number, factor: number, count: number, adds = true): void {
  for (let i = 0; i < count; i++) g[to + i] = (adds ? g[to + i] : 0) + factor * g[from + i];
}
