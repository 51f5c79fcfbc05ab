/**
 * A Markovian arrival process of given order from a record of gaps, by expectation-maximisation.
 *
 * Model: each gap is passed in one of M branches, branch i an Erlang law of r_i stages of rate λ_i, Σr_i = the order.
 * The next branch follows the last by a Markov chain P. Gaps are thus a hidden Markov chain with Erlang emissions, and
 * at once a MAP. D_0 has the stages, D_1 leads from the last stage of i to the first of j at rate λ_i·P_ij. Both over-
 * and underdispersed gaps and correlations of any sign are in the family. Outside are a lag-1 correlation beyond what M
 * branch means allow, and densities at 0 with other than Erlang shapes.
 * Method: iterations of Baum and Welch (baum-welch.ts) in longer steps (acceleration.ts), from two starts for every way
 * to part the order into branches. All starts are tried on a part of a long record. The likeliest go on with all of it,
 * fewer the further they go, the best to its end. O(n·M²) an iteration.
 * Source: Horváth, Okamura (2013), "A fast EM algorithm for fitting marked Markovian arrival processes with a new
 * special structure" (the ER-CHMM structure).
 */
import type { Budget } from '../../../budget.ts';
import type { ArrivalRecord } from '../arrival-process.ts';
import { continueFit, type Fit } from './acceleration.ts';
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

/**
 * The likeliest process of at most `order` phases. Every order also starts from the process of the order below, one of
 * its branches parted in two. The likelier of the two orders stands: more phases are never less likely.
 *
 * @throws nothing: at least one iteration is made whatever the budget says
 */
export function fitHiddenErlang(arrivals: ArrivalRecord, order: number, budget: Budget): HiddenErlang {
  const { record, unit } = gapRecordOf(arrivals);
  let best: Fitted | null = null;
  let iterations = 0;
  for (let m = 1; m <= order; m++) {
    if (best !== null && budget.stopRequested()) break;
    const found: Fitted = fitOrder(record, m, best === null ? [] : splitsOf(best.fit), budget);
    iterations += found.iterations;
    if (best === null || found.logLikelihood > best.logLikelihood) best = found;
    if (!found.converged) best = { ...best, converged: false };
  }
  if (best === null) throw new RangeError(`an order of ${order} has no phase`);
  const { fit, logLikelihood, converged } = best;
  return {
    stages: fit.stages,
    rates: fit.rates.map((rate) => rate / unit),
    transitions: fit.transitions,
    logLikelihood: logLikelihood - Math.log(unit),
    iterations,
    converged,
  };
}

/** A process that was fitted to gaps in mean gaps. */
interface Fitted {
  readonly fit: Fit;
  readonly logLikelihood: number;
  readonly iterations: number;
  readonly converged: boolean;
}

/** @param more starts beside the usual ones */
function fitOrder(record: GapRecord, order: number, more: readonly Fit[], budget: Budget): Fitted {
  const { starts: carried, complete } = likeliestStarts(record, order, budget);
  carried.push(...more);
  const passes = new BaumWelch(record, order);
  let converged = complete;
  for (const fit of carried) converged = continueFit(fit, passes, finalEnding, budget) && converged;
  const best = carried.reduce((a, b) => (b.logLikelihood > a.logLikelihood ? b : a));
  converged = continueFit(best, passes, ending, budget) && converged;
  best.start.set(stationaryOf(best.transitions));
  return {
    fit: best,
    logLikelihood: passes.logLikelihood(best),
    iterations: carried.reduce((sum, { iterations }) => sum + iterations, 0),
    converged,
  };
}

/** How far apart the rates of the two branches are that one is parted into. */
const partedBy = 1.3;

/** The process with each of its branches of one stage parted in two of nearly the same rate. */
function splitsOf({ stages, rates, transitions }: Fit): Fit[] {
  const m = stages.length;
  return stages.flatMap((count, branch): Fit[] => {
    if (count !== 1) return [];
    const from = (i: number): number => (i === m ? branch : i);
    const parted = (j: number): number => (from(j) === branch ? 0.5 : 1);
    const n = m + 1;
    const all = Array.from({ length: n }, (_, i) => i);
    return [
      {
        stages: [...stages, 1],
        rates: Float64Array.from(all, (i) => rates[from(i)] * (i === branch ? partedBy : i === m ? 1 / partedBy : 1)),
        transitions: Float64Array.from(
          all.flatMap((i) => all.map((j) => transitions[from(i) * m + from(j)] * parted(j))),
        ),
        start: new Float64Array(n).fill(1 / n),
        logLikelihood: Number.NEGATIVE_INFINITY,
        iterations: 0,
      },
    ];
  });
}

/** The likeliest starts after their trials, ready to go on with the whole record, and whether all trials were made. */
function likeliestStarts(record: GapRecord, order: number, budget: Budget): { starts: Fit[]; complete: boolean } {
  const passes = new BaumWelch(partOf(record), order);
  const trials: Fit[] = [];
  let complete = true;
  for (const fit of startsOf(order)) {
    if (trials.length > 0 && budget.stopRequested()) complete = false;
    if (!complete) break;
    complete = continueFit(fit, passes, trialEnding, budget);
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
