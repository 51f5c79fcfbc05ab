/** The arrival process of a record of timestamps: reads it, fits the process, and says what is not reproduced. */
import type { Warning } from '../../answer.ts';
import type { Budget } from '../../budget.ts';
import { ConditionNotMet } from '../../condition.ts';
import type { ArrivalProcessProblem } from '../problem.ts';
import {
  type ArrivalFit,
  type ArrivalRecord,
  fitArrivals,
  observeSeries,
  readArrivals,
  type SeriesMoments,
} from './arrival-process.ts';
import { fitHiddenErlang } from './hidden-erlang/fit.ts';
import { hiddenErlangMatrices, hiddenErlangMoments } from './hidden-erlang/process.ts';
import { fitRegularSpells } from './regular-spells.ts';

/** More arrivals are not one batch: matrices of so many batch sizes are of no use. */
export const maxBatchSize = 1000;

/**
 * The timestamps as batches and intervals; O(timestamps), and a sort where they are in no order.
 *
 * @throws ConditionNotMet where they cannot be read so, or have no mean to speak of
 */
export function readRecord(problem: ArrivalProcessProblem): ArrivalRecord {
  const { timestamps, batchGap, sessionGap = Number.POSITIVE_INFINITY, interval } = problem;
  const record = readArrivals(timestamps, batchGap, sessionGap, interval === 'start-to-start');
  const largest = record.batchCounts.length - 1;
  if (largest > maxBatchSize) {
    const message = `of ${batchGap} makes a batch of ${largest} arrivals; at most ${maxBatchSize} are accepted: lower it`;
    throw new ConditionNotMet(['batchGap'], 'batch-too-large', message);
  }
  const { intervals } = record;
  let mean = 0;
  for (const x of intervals) mean += x / intervals.length;
  if (intervals.length < 2 || !(mean > 0)) {
    const message = `make ${intervals.length} intervals between batches; at least 2 of positive mean are needed: lower batchGap or raise sessionGap`;
    throw new ConditionNotMet(['timestamps'], 'too-few-intervals', message);
  }
  // the variance of a mean of intervals is a square: below this it is lost, and with it the shape
  if (mean < 1e-90) {
    const message = `have intervals of ${mean} on average; at least 1e-90 is needed: choose a smaller unit of time`;
    throw new ConditionNotMet(['timestamps'], 'beyond-double-precision', message);
  }
  return record;
}

/** @throws ConditionNotMet where the record cannot be read as batches and intervals */
export function solveArrivalProcess(problem: ArrivalProcessProblem, budget: Budget) {
  const { lags } = problem;
  const record = readRecord(problem);
  const { lagsLeft, ...observed } = observeSeries(record, lags, budget);
  let third = 0;
  for (const x of record.intervals) third += x ** 3 / record.intervals.length;
  const shares = Array.from(record.batchCounts.subarray(1), (count) => count / record.batches);
  const byLikelihood = problem.order === undefined ? null : likeliest(record, problem.order, shares, lags, budget);
  const fit = byLikelihood?.fit ?? byMoments(observed, third, shares, record.intervals.length);
  const meanBatch = shares.reduce((sum, share, k) => sum + share * (k + 1), 0);
  const likelihood = byLikelihood?.likelihood;
  return {
    status: 'evaluated' as const,
    solution: {
      matrices: fit.matrices,
      batchSizes: shares.flatMap((probability, k) => (probability > 0 ? [{ size: k + 1, probability }] : [])),
      observed,
      fitted: fit.fitted,
      arrivalRate: meanBatch / fit.fitted.mean,
      logLikelihood: likelihood?.logLikelihood,
      batches: record.batches,
      sessions: record.sessionStarts.length,
    },
    warnings: [
      ...(byLikelihood?.warnings ?? arrivalWarnings(fit, observed)),
      ...(lagsLeft > 0 ? [lagsOmitted(lagsLeft)] : []),
    ],
    statistics: {
      solver: fit.shape,
      intervals: record.intervals.length,
      decay: fit.eta,
      ...(likelihood && { iterations: likelihood.iterations }),
    },
  };
}

/** A first correlation of independent intervals is beyond this many times 1/√n three times in a thousand. */
const beyondChance = 3;

/** The process on moments and correlations: one of regular spells where regular intervals are correlated. */
function byMoments(observed: SeriesMoments, third: number, shares: readonly number[], intervals: number): ArrivalFit {
  const fit = fitArrivals(observed, third, shares);
  const first = observed.correlations[0] ?? 0;
  const correlated = isRenewal(fit) && Math.abs(first) * Math.sqrt(intervals) > beyondChance;
  return (correlated ? fitRegularSpells(observed, shares) : null) ?? fit;
}

function isRenewal({ shape }: ArrivalFit): boolean {
  return shape === 'mixed-erlang' || shape === 'poisson';
}

/** The likeliest process of an order, as a fit. */
function likeliest(
  record: ArrivalRecord,
  order: number,
  shares: readonly number[],
  lags: number,
  budget: Budget,
): {
  readonly fit: ArrivalFit;
  readonly likelihood: { logLikelihood: number; iterations: number };
  warnings: Warning[];
} {
  const process = fitHiddenErlang(record, order, budget);
  const [d0, d1] = hiddenErlangMatrices(process);
  const { logLikelihood, iterations, converged } = process;
  const detail = 'the time limit ended the search for the likeliest process early; raise options.timeLimitMs';
  return {
    fit: {
      matrices: [d0, ...shares.map((share) => d1.map((row) => row.map((rate) => share * rate)))],
      fitted: hiddenErlangMoments(process, lags),
      shape: 'hidden-erlang',
      eta: 0,
      largestCorrelation: 0,
    },
    likelihood: { logLikelihood, iterations },
    warnings: converged ? [] : [{ code: 'stopped-early', detail }],
  };
}

function lagsOmitted(count: number): Warning {
  const detail = `the time limit came before the correlations of the last ${count} lags: they are null; raise options.timeLimitMs`;
  return { code: 'stopped-early', detail };
}

function arrivalWarnings(fit: ArrivalFit, { mean, variance, correlations }: SeriesMoments): Warning[] {
  const { shape, largestCorrelation } = fit;
  const warnings: Warning[] = [];
  const scv = variance / (mean * mean);
  if (isRenewal(fit)) {
    const detail = `the intervals have a squared coefficient of variation of ${scv.toPrecision(3)}, at most 1: a renewal process (${shape}) is fitted, without correlation; with order one with correlation is`;
    warnings.push({ code: 'renewal-fallback', detail });
  }
  if (shape === 'balanced-means') {
    const detail =
      'no hyperexponential law has the third moment of these intervals: fitted on mean and variance, with balanced means';
    warnings.push({ code: 'third-moment-left', detail });
  }
  const first = correlations[0];
  if (first !== null && largestCorrelation > 0 && first > largestCorrelation * 1.05) {
    const detail = `the correlation at lag 1 is ${first}; with scv ${scv} this family reaches at most ${largestCorrelation}; with an order others are fitted`;
    warnings.push({ code: 'correlation-out-of-reach', detail });
  }
  return warnings;
}
