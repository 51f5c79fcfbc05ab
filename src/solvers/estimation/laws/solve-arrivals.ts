/** The arrival process of a record of timestamps: reads it, fits the process, and warns of what the fit does not reproduce. */
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

/** More arrivals are not one batch: as many matrices are of no use. */
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

/**
 * @throws ConditionNotMet where the record cannot be read as batches and intervals
 * @throws NothingToReturn when the budget ends first
 */
export function solveArrivalProcess(problem: ArrivalProcessProblem, budget: Budget) {
  const { lags } = problem;
  const record = readRecord(problem);
  const observed = observeSeries(record, lags, budget);
  let thirdMoment = 0;
  for (const x of record.intervals) thirdMoment += x ** 3 / record.intervals.length;
  const shares = Array.from(record.batchCounts.subarray(1), (count) => count / record.batches);
  const fit = fitArrivals(observed, thirdMoment, shares);
  const meanBatch = shares.reduce((sum, share, k) => sum + share * (k + 1), 0);
  return {
    status: 'evaluated' as const,
    solution: {
      matrices: fit.matrices,
      batchSizes: shares.flatMap((probability, k) => (probability > 0 ? [{ size: k + 1, probability }] : [])),
      observed,
      fitted: fit.fitted,
      arrivalRate: meanBatch / fit.fitted.mean,
      batches: record.batches,
      sessions: record.sessionStarts.length,
    },
    warnings: arrivalWarnings(fit, observed),
    statistics: { solver: fit.shape, intervals: record.intervals.length, decay: fit.eta },
  };
}

function arrivalWarnings(fit: ArrivalFit, { mean, variance, correlations }: SeriesMoments): Warning[] {
  const { shape, largestCorrelation } = fit;
  const warnings: Warning[] = [];
  const scv = variance / (mean * mean);
  if (shape === 'mixed-erlang' || shape === 'poisson') {
    const detail = `the intervals have a squared coefficient of variation of ${scv.toPrecision(3)}, at most 1: a renewal process (${shape}) is fitted, without correlation`;
    warnings.push({ code: 'renewal-fallback', detail });
  }
  if (shape === 'balanced-means') {
    const detail =
      'no hyperexponential law has the third moment of these intervals: fitted on mean and variance, with balanced means';
    warnings.push({ code: 'third-moment-left', detail });
  }
  const lagOne = correlations[0];
  if (lagOne !== null && largestCorrelation > 0 && lagOne > largestCorrelation * 1.05) {
    const detail = `the correlation at lag 1 is ${lagOne}; with scv ${scv} this family reaches at most ${largestCorrelation}`;
    warnings.push({ code: 'correlation-out-of-reach', detail });
  }
  return warnings;
}
