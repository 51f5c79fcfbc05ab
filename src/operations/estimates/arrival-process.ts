import { arrivalProcessLimits, arrivalProcessRequest, arrivalProcessSolution } from '../../schemas/estimates-laws.ts';
import type { Warning } from '../../solvers/answer.ts';
import { ConditionNotMet } from '../../solvers/condition.ts';
import {
  type ArrivalFit,
  fitArrivals,
  observeSeries,
  readArrivals,
  type SeriesMoments,
} from '../../solvers/estimation/index.ts';
import { defineOperation } from '../operation.ts';

/** A batch Markovian arrival process from timestamps. */
export const arrivalProcess = defineOperation({
  name: 'estimates/arrival-process',
  tag: 'estimates',
  summary: 'The arrival process of pages, from timestamps',
  description: [
    'Timestamps become batches (gaps at most `batchGap`), sessions (broken at gaps above `sessionGap`) and intervals between batches; to these a batch',
    'Markovian arrival process of two phases is fitted: hyperexponential intervals on their first three moments, geometric correlations by least squares.',
    'Intervals less variable than exponential get a renewal process with Erlang phases, and a warning. The matrices go into `threshold-policy` as they are.',
    '',
    'Source: K. Avrachenkov, A. Dudin, V. Klimenok, P. Nain, O. Semenova, *Optimal threshold control by the robots of web search engines with obsolescence of',
    'documents* (2012), section 7; J. E. Diamond, A. S. Alfa (2000). The correlations printed there are ten times what its matrices have.',
  ].join('\n'),
  request: arrivalProcessRequest,
  solution: arrivalProcessSolution,
  beside: {},
  examples: [
    { name: 'arrival-process', summary: 'Pages in batches, with a pause of the crawler' },
    { name: 'arrival-process-regular', summary: 'Arrivals more regular than exponential, as the paper reads them' },
  ],
  limits: arrivalProcessLimits,
  work: ({ timestamps, lags }) => timestamps.length * (200 + 5 * lags),
  solve({ timestamps, batchGap, sessionGap, lags, interval }) {
    const fromStart = interval === 'start-to-start';
    const record = readArrivals(
      Float64Array.from(timestamps),
      batchGap,
      sessionGap ?? Number.POSITIVE_INFINITY,
      fromStart,
    );
    const largest = record.batchCounts.length - 1;
    if (largest > arrivalProcessLimits.batchSize) {
      const message = `of ${batchGap} makes a batch of ${largest} arrivals; at most ${arrivalProcessLimits.batchSize} are accepted: lower it`;
      throw new ConditionNotMet(['batchGap'], 'batch-too-large', message);
    }
    const observed = observeSeries(record, lags);
    if (record.intervals.length < 2 || !(observed.mean > 0)) {
      const message = `make ${record.intervals.length} intervals between batches; at least 2 of positive mean are needed: lower batchGap or raise sessionGap`;
      throw new ConditionNotMet(['timestamps'], 'too-few-intervals', message);
    }
    let third = 0;
    for (const x of record.intervals) third += x ** 3 / record.intervals.length;
    const shares = Array.from(record.batchCounts.subarray(1), (count) => count / record.batches);
    const fit = fitArrivals(observed, third, shares);
    const meanBatch = shares.reduce((sum, share, k) => sum + share * (k + 1), 0);
    return {
      status: 'evaluated',
      solution: {
        matrices: fit.matrices,
        batchSizes: shares.flatMap((probability, k) => (probability > 0 ? [{ size: k + 1, probability }] : [])),
        observed,
        fitted: fit.fitted,
        arrivalRate: meanBatch / observed.mean,
        batches: record.batches,
        sessions: record.sessionStarts.length,
      },
      warnings: arrivalWarnings(fit, observed),
      statistics: { solver: fit.shape, intervals: record.intervals.length, decay: fit.eta },
    };
  },
});

function arrivalWarnings(
  { shape, largestCorrelation }: ArrivalFit,
  { mean, variance, correlations }: SeriesMoments,
): Warning[] {
  const warnings: Warning[] = [];
  const scv = variance / (mean * mean);
  if (shape === 'mixed-erlang' || shape === 'poisson') {
    const detail = `the intervals have scv ${scv}, at most 1: a renewal process (${shape}) is fitted, without correlation`;
    warnings.push({ code: 'renewal-fallback', detail });
  }
  if (shape === 'balanced-means') {
    const detail =
      'no hyperexponential law has the third moment of these intervals: fitted on mean and variance, with balanced means';
    warnings.push({ code: 'third-moment-left', detail });
  }
  const first = correlations[0];
  if (first !== null && largestCorrelation > 0 && first > largestCorrelation * 1.05) {
    const detail = `the correlation at lag 1 is ${first}; with scv ${scv} this process reaches at most ${largestCorrelation}`;
    warnings.push({ code: 'correlation-out-of-reach', detail });
  }
  return warnings;
}
