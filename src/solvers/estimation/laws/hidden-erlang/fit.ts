/**
 * A Markovian arrival process of given order from a record of gaps, by expectation-maximisation.
 *
 * Model: each gap is passed in one of M branches, branch i an Erlang law of r_i stages of rate λ_i, Σr_i = the order;
 * the next branch follows the last by a Markov chain P. Gaps are thus a hidden Markov chain with Erlang emissions, and
 * at once a MAP: D_0 the stages, D_1 from the last stage of i to the first of j at rate λ_i·P_ij. Both over- and
 * underdispersed gaps and correlations of any sign are in the family; what is not: a lag-1 correlation beyond what M
 * branch means allow, and densities at 0 with other than Erlang shapes.
 * Method: iterations of Baum and Welch (baum-welch.ts) in longer steps (acceleration.ts), from two starts for every way
 * to part the order into branches. All starts are tried on a part of a long record; the likeliest go on with all of it,
 * fewer the further they go, the best to its end. O(n·M²) an iteration.
 * Source: Horváth, Okamura (2013), "A fast EM algorithm for fitting marked Markovian arrival processes with a new
 * special structure" (the ER-CHMM structure).
 */
import type { Budget } from '../../../budget.ts';
import type { ArrivalRecord } from '../arrival-process.ts';
import { carryOn, type Fit } from './acceleration.ts';
import { BaumWelch, type GapRecord } from './baum-welch.ts';
import { type HiddenErlang, stationaryOf } from './process.ts';

export const maxOrder = 8;
/** Trials see so many gaps at most, in so many stretches spread over the record. */
const trialGaps = 2000;
const trialStretches = 8;
const trialEnding = { mostIterations: 30, settled: 1e-5 };
/** How many starts go on after their trials, and how far, before one of them goes to the end. */
const finalists = 4;
const finalEnding = { mostIterations: 12, settled: 1e-6 };
const ending = { mostIterations: 200, settled: 3e-7 };
/** Factors between the branch means of a start. */
const spreads = [2, 6];
/** In mean gaps: a logarithm is taken of them. */
const shortestGap = 1e-300;

/** @throws nothing: at least one iteration is made whatever the budget says */
export function fitHiddenErlang(arrivals: ArrivalRecord, order: number, budget: Budget): HiddenErlang {
  const { record, unit } = gapRecordOf(arrivals);
  const { starts: carried, complete } = likeliestStarts(record, order, budget);
  const passes = new BaumWelch(record, order);
  let converged = complete;
  for (const fit of carried) converged = carryOn(fit, passes, finalEnding, budget) && converged;
  const best = carried.reduce((a, b) => (b.logLikelihood > a.logLikelihood ? b : a));
  converged = carryOn(best, passes, ending, budget) && converged;
  best.start.set(stationaryOf(best.transitions));
  return {
    stages: best.stages,
    rates: best.rates.map((rate) => rate / unit),
    transitions: best.transitions,
    logLikelihood: passes.logLikelihood(best) - Math.log(unit),
    iterations: carried.reduce((sum, { iterations }) => sum + iterations, 0),
    converged,
  };
}

/** The likeliest starts after their trials, ready to go on with the whole record, and whether all trials were made. */
function likeliestStarts(record: GapRecord, order: number, budget: Budget): { starts: Fit[]; complete: boolean } {
  const passes = new BaumWelch(partOf(record), order);
  const trials: Fit[] = [];
  let complete = true;
  for (const fit of startsOf(order)) {
    if (trials.length > 0 && budget.stopRequested()) complete = false;
    if (!complete) break;
    complete = carryOn(fit, passes, trialEnding, budget);
    trials.push(fit);
  }
  trials.sort((a, b) => b.logLikelihood - a.logLikelihood);
  const starts = trials.slice(0, finalists);
  for (const fit of starts) Object.assign(fit, { logLikelihood: Number.NEGATIVE_INFINITY, iterations: 0 });
  return { starts, complete };
}

function gapRecordOf({ intervals, sessionStarts }: ArrivalRecord): { record: GapRecord; unit: number } {
  const unit = intervals.reduce((sum, gap) => sum + gap / intervals.length, 0);
  const gaps = intervals.map((gap) => Math.max(gap / unit, shortestGap));
  const begins = new Uint8Array(gaps.length);
  begins[0] = 1;
  for (const at of sessionStarts) if (at < begins.length) begins[at] = 1;
  return { record: { gaps, logs: gaps.map(Math.log), begins }, unit };
}

/** A short record as it is, of a long one stretches spread over it; each begins like a session. */
function partOf(record: GapRecord): GapRecord {
  const n = record.gaps.length;
  if (n <= trialGaps) return record;
  const length = Math.floor(trialGaps / trialStretches);
  const part = {
    gaps: new Float64Array(length * trialStretches),
    logs: new Float64Array(length * trialStretches),
    begins: new Uint8Array(length * trialStretches),
  };
  for (let stretch = 0; stretch < trialStretches; stretch++) {
    const from = Math.floor((stretch * (n - length)) / (trialStretches - 1));
    part.gaps.set(record.gaps.subarray(from, from + length), stretch * length);
    part.logs.set(record.logs.subarray(from, from + length), stretch * length);
    part.begins.set(record.begins.subarray(from, from + length), stretch * length);
    part.begins[stretch * length] = 1;
  }
  return part;
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

/** For every way to part the order into branches, a start for each spread of their means. */
function* startsOf(order: number): Generator<Fit> {
  for (const stages of partitions(order, order)) {
    for (const spread of stages.length > 1 ? spreads : [1]) yield startOf(stages, spread);
  }
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
