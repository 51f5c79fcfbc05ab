/**
 * A Markovian arrival process of given order from a record of gaps, by expectation-maximisation.
 *
 * Model: each gap is passed in one of M branches, branch i an Erlang law of r_i stages of rate λ_i, Σr_i = the order; the next
 * branch follows the last by a Markov chain P. Gaps are thus a hidden Markov chain with Erlang emissions, and at once a MAP:
 * D_0 the stages, D_1 from the last stage of i to the first of j at rate λ_i·P_ij. Both over- and underdispersed gaps and
 * correlations of any sign are in the family; what is not: a lag-1 correlation beyond what M branch means allow, and
 * densities at 0 with other than Erlang shapes.
 * Method: Baum-Welch with scaling, from two starts for every way to part the order into branches; the best is carried to the
 * end. Each iteration raises the likelihood; stops when it rises by less than 1e−7 a gap, or after 200. O(n·M²) an iteration.
 * Source: Horváth, Okamura (2013), "A fast EM algorithm for fitting marked Markovian arrival processes with a new special
 * structure" (the ER-CHMM structure); Baum et al. (1970).
 */
import type { Budget } from '../../budget.ts';
import { stationaryByStateReduction } from '../../numerics/linear/small-matrices.ts';
import { logGamma } from '../../numerics/special/gamma-function.ts';
import type { ArrivalRecord } from './arrival-process.ts';

export interface HiddenErlang {
  /** Stages of each branch, more first. */
  readonly stages: readonly number[];
  readonly rates: Float64Array;
  /** P, row-major. */
  readonly transitions: Float64Array;
  /** Mean log-likelihood of a gap, from the stationary law of P. */
  readonly logLikelihood: number;
  readonly iterations: number;
  /** False when the budget ended it. */
  readonly converged: boolean;
}

export const maxOrder = 8;
const settled = 1e-7;
const mostIterations = 200;
const trialIterations = 8;
/** How many of the trials are carried on, so many iterations, before one of them goes to the end. */
const finalists = 2;
const finalIterations = 40;
/** In mean gaps. A logarithm is taken of gaps, and a branch that had a single one of next to nothing would be a point mass. */
const shortestGap = 1e-300;
const shortestBranchMean = 1e-9;

/** @throws nothing: at least one iteration is made whatever the budget says */
export function fitHiddenErlang(record: ArrivalRecord, order: number, budget: Budget): HiddenErlang {
  const data = scaledData(record);
  const trials: Fit[] = [];
  for (const stages of partitions(order, order)) {
    for (const spread of stages.length > 1 ? [2, 6] : [1]) {
      const fit = startOf(stages, spread);
      for (let k = 0; k < trialIterations && (k === 0 || !budget.stopRequested()); k++) improve(fit, data);
      trials.push(fit);
      if (budget.stopRequested()) break;
    }
    if (budget.stopRequested()) break;
  }
  trials.sort((a, b) => b.logLikelihood - a.logLikelihood);
  const carried = trials.slice(0, finalists);
  for (const fit of carried) carryOn(fit, data, finalIterations, budget);
  const best = carried.reduce((a, b) => (b.logLikelihood > a.logLikelihood ? b : a));
  const converged = carryOn(best, data, mostIterations, budget);
  best.start.set(stationaryOf(best.transitions));
  return {
    stages: best.stages,
    rates: best.rates.map((rate) => rate / data.unit),
    transitions: best.transitions,
    logLikelihood: likelihoodOf(best, data) - Math.log(data.unit),
    iterations: trials.reduce((sum, { iterations }) => sum + iterations, 0),
    converged,
  };
}

/** Improves a fit until it settles or has had so many iterations; false when the budget ended it. */
function carryOn(fit: Fit, data: Data, most: number, budget: Budget): boolean {
  while (fit.iterations < most) {
    if (budget.stopRequested()) return false;
    const before = fit.logLikelihood;
    improve(fit, data);
    if (fit.logLikelihood - before < settled) break;
  }
  return true;
}

/** The process as matrices D_0, D_1. */
export function hiddenErlangMatrices({ stages, rates, transitions }: HiddenErlang): [number[][], number[][]] {
  const firsts = stages.map((_, i) => stages.slice(0, i).reduce((sum, count) => sum + count, 0));
  const n = stages.reduce((sum, count) => sum + count, 0);
  const d0 = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const d1 = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  for (const [i, count] of stages.entries()) {
    for (let stage = 0; stage < count; stage++) {
      const at = firsts[i] + stage;
      d0[at][at] = -rates[i];
      if (stage < count - 1) d0[at][at + 1] = rates[i];
      else for (const [j, first] of firsts.entries()) d1[at][first] += rates[i] * transitions[i * stages.length + j];
    }
  }
  return [d0, d1];
}

/** Mean, variance and correlations of the fitted process, exactly. */
export function hiddenErlangMoments({ stages, rates, transitions }: HiddenErlang, lags: number) {
  const m = stages.length;
  const law = stationaryOf(transitions);
  const means = stages.map((count, i) => count / rates[i]);
  const mean = means.reduce((sum, value, i) => sum + law[i] * value, 0);
  const variance = means.reduce((sum, value, i) => sum + law[i] * ((value - mean) ** 2 + stages[i] / rates[i] ** 2), 0);
  let ahead = means.map((value) => value - mean);
  const correlations = Array.from({ length: lags }, () => {
    ahead = means.map((_, i) => ahead.reduce((sum, value, j) => sum + transitions[i * m + j] * value, 0));
    return means.reduce((sum, value, i) => sum + law[i] * (value - mean) * ahead[i], 0) / variance;
  });
  return { mean, variance, correlations };
}

interface Data {
  /** Gaps in units of their mean, and their logarithms. */
  readonly gaps: Float64Array;
  readonly logs: Float64Array;
  readonly starts: Uint32Array;
  readonly unit: number;
}

function scaledData({ intervals, sessionStarts }: ArrivalRecord): Data {
  const unit = intervals.reduce((sum, gap) => sum + gap / intervals.length, 0);
  const gaps = intervals.map((gap) => Math.max(gap / unit, shortestGap));
  return { gaps, logs: gaps.map(Math.log), starts: sessionStarts, unit };
}

interface Fit {
  readonly stages: readonly number[];
  readonly rates: Float64Array;
  readonly transitions: Float64Array;
  readonly start: Float64Array;
  /** Of the parameters before the last iteration. */
  logLikelihood: number;
  iterations: number;
}

/** Branch means spread evenly in their logarithms over a factor of `spread` both ways, a little inclined to stay. */
function startOf(stages: readonly number[], spread: number): Fit {
  const m = stages.length;
  const rates = Float64Array.from(stages, (count, i) => count / spread ** (m === 1 ? 0 : (2 * i) / (m - 1) - 1));
  const transitions = Float64Array.from({ length: m * m }, (_, cell) =>
    m === 1 ? 1 : Math.floor(cell / m) === cell % m ? 0.6 : 0.4 / (m - 1),
  );
  const start = new Float64Array(m).fill(1 / m);
  return { stages, rates, transitions, start, logLikelihood: Number.NEGATIVE_INFINITY, iterations: 0 };
}

/** densities[k·M + i]: of gap k in branch i, less exp(peaks[k]). */
function densitiesOf({ stages, rates }: Fit, { gaps, logs }: Data, densities: Float64Array, peaks: Float64Array): void {
  const m = stages.length;
  const constants = stages.map((count, i) => count * Math.log(rates[i]) - logGamma(count));
  for (let k = 0; k < gaps.length; k++) {
    let peak = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < m; i++) {
      const log = constants[i] + (stages[i] - 1) * logs[k] - rates[i] * gaps[k];
      densities[k * m + i] = log;
      if (log > peak) peak = log;
    }
    peaks[k] = peak;
    for (let i = 0; i < m; i++) densities[k * m + i] = Math.exp(densities[k * m + i] - peak);
  }
}

/** Log-likelihood of what rounds to probability 0. */
const impossible = Math.log(Number.MIN_VALUE);

/** Forward pass: forward[k·M + i] the chance of branch i at gap k given the gaps up to it; returns the log-likelihood. */
function passForward(
  fit: Fit,
  data: Data,
  densities: Float64Array,
  peaks: Float64Array,
  forward: Float64Array,
): number {
  const { start, transitions } = fit;
  const m = start.length;
  let total = 0;
  let session = 0;
  for (let k = 0; k < data.gaps.length; k++) {
    const first = session < data.starts.length && data.starts[session] === k;
    while (session < data.starts.length && data.starts[session] === k) session++;
    let sum = 0;
    for (let j = 0; j < m; j++) {
      let chance = 0;
      if (first) chance = start[j];
      else for (let i = 0; i < m; i++) chance += forward[(k - 1) * m + i] * transitions[i * m + j];
      const joint = chance * densities[k * m + j];
      forward[k * m + j] = joint;
      sum += joint;
    }
    if (sum === 0) {
      // No branch that can follow could have made this gap: the pass goes on with those that could.
      for (let j = 0; j < m; j++) {
        forward[k * m + j] = densities[k * m + j];
        sum += densities[k * m + j];
      }
      total += impossible;
    }
    for (let j = 0; j < m; j++) forward[k * m + j] /= sum;
    total += Math.log(sum) + peaks[k];
  }
  return total / data.gaps.length;
}

function likelihoodOf(fit: Fit, data: Data): number {
  const cells = data.gaps.length * fit.stages.length;
  const [densities, forward] = [new Float64Array(cells), new Float64Array(cells)];
  const peaks = new Float64Array(data.gaps.length);
  densitiesOf(fit, data, densities, peaks);
  return passForward(fit, data, densities, peaks, forward);
}

/** One iteration of Baum and Welch, in place. */
function improve(fit: Fit, data: Data): void {
  const m = fit.stages.length;
  const n = data.gaps.length;
  const [densities, forward] = [new Float64Array(n * m), new Float64Array(n * m)];
  const peaks = new Float64Array(n);
  densitiesOf(fit, data, densities, peaks);
  fit.logLikelihood = passForward(fit, data, densities, peaks, forward);
  fit.iterations++;
  const { transitions } = fit;
  const isStart = new Uint8Array(n + 1);
  for (const at of data.starts) isStart[at] = 1;
  isStart[n] = 1;
  const [visits, times, begins] = [new Float64Array(m), new Float64Array(m), new Float64Array(m)];
  const moves = new Float64Array(m * m);
  // Chances given all gaps of the session, from its end back.
  const smoothed = new Float64Array(m);
  const earlier = new Float64Array(m);
  const predicted = new Float64Array(m);
  for (let k = n - 1; k >= 0; k--) {
    if (isStart[k + 1] === 1) for (let i = 0; i < m; i++) smoothed[i] = forward[k * m + i];
    else {
      for (let j = 0; j < m; j++) {
        let chance = 0;
        for (let i = 0; i < m; i++) chance += forward[k * m + i] * transitions[i * m + j];
        predicted[j] = chance;
      }
      for (let i = 0; i < m; i++) {
        let chance = 0;
        for (let j = 0; j < m; j++) {
          if (predicted[j] === 0) continue;
          const joint = (forward[k * m + i] * transitions[i * m + j] * smoothed[j]) / predicted[j];
          moves[i * m + j] += joint;
          chance += joint;
        }
        earlier[i] = chance;
      }
      smoothed.set(earlier);
    }
    for (let i = 0; i < m; i++) {
      visits[i] += smoothed[i];
      times[i] += smoothed[i] * data.gaps[k];
      if (isStart[k] === 1) begins[i] += smoothed[i];
    }
  }
  maximise(fit, { visits, times, begins, moves });
}

interface Expectations {
  readonly visits: Float64Array;
  readonly times: Float64Array;
  readonly begins: Float64Array;
  readonly moves: Float64Array;
}

/** A branch that is hardly ever visited keeps its parameters. */
const fewestVisits = 1e-6;

function maximise({ stages, rates, transitions, start }: Fit, { visits, times, begins, moves }: Expectations): void {
  const m = stages.length;
  const sessions = begins.reduce((sum, share) => sum + share, 0);
  for (let i = 0; i < m; i++) {
    start[i] = begins[i] / sessions;
    if (visits[i] < fewestVisits) continue;
    rates[i] = stages[i] / Math.max(times[i] / visits[i], shortestBranchMean);
    let out = 0;
    for (let j = 0; j < m; j++) out += moves[i * m + j];
    if (out > fewestVisits) for (let j = 0; j < m; j++) transitions[i * m + j] = moves[i * m + j] / out;
  }
}

function stationaryOf(transitions: Float64Array): Float64Array {
  const m = Math.round(Math.sqrt(transitions.length));
  const law = new Float64Array(m);
  // Branches that are never left or entered any more would make the chain reducible.
  stationaryByStateReduction(
    transitions.map((share) => share + 1e-300),
    law,
    m,
  );
  return law;
}

/** Every way to write `total` as a sum of numbers, largest first, none above `most`. */
function* partitions(total: number, most: number): Generator<number[]> {
  if (total === 0) {
    yield [];
    return;
  }
  for (let first = Math.min(total, most); first >= 1; first--) {
    for (const rest of partitions(total - first, first)) yield [first, ...rest];
  }
}
