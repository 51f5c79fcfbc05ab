/** The three estimators whose answers feed the queueing and allocation operations. */
import { defineOperation } from '../operation.ts';
import type { Warning } from '../schemas/answer.ts';
import {
  arrivalProcessLimits,
  arrivalProcessRequest,
  arrivalProcessSolution,
  serviceTimeConflict,
  serviceTimeLimits,
  serviceTimeRequest,
  serviceTimeSolution,
  updateProcessLimits,
  updateProcessRequest,
  updateProcessSolution,
} from '../schemas/estimates-laws.ts';
import { ConditionNotMet } from '../solvers/condition.ts';
import {
  type ArrivalFit,
  findPeriod,
  fitArrivals,
  fitBranches,
  fitMoments,
  lawMoments,
  type Moments,
  momentsOf,
  observeSeries,
  type Periodicity,
  rankUpdateLaws,
  readArrivals,
  type SeriesMoments,
  sampleMoments,
} from '../solvers/estimation/index.ts';

/** Which law the gaps between updates follow. */
export const updateProcess = defineOperation({
  name: 'estimates/update-process',
  tag: 'estimates',
  summary: 'Which law the gaps between a page’s updates follow',
  description: [
    'Fits exponential, Weibull, Lomax, gamma and lognormal laws to the gaps by maximum likelihood, the gap still open counting as censored, and ranks',
    'them by AIC, with the Kolmogorov–Smirnov distance and the Anderson–Darling statistic. A Rayleigh test over all periods looks for a clock; where the',
    'updates keep to one, a quasi-deterministic process for `crawl-allocation` is proposed.',
    '',
    'Source: J. L. Wolf et al., WWW 2002, sections 2 and 4; J. F. Lawless, *Statistical models and methods for lifetime data* (2003).',
  ].join('\n'),
  request: updateProcessRequest,
  solution: updateProcessSolution,
  beside: {},
  examples: [
    { name: 'update-process', summary: 'Bursty updates, the last gap still open' },
    { name: 'update-process-clock', summary: 'A page updated around noon on most days' },
  ],
  limits: updateProcessLimits,
  work: ({ gaps }) => 20_000 * gaps.length,
  solve({ gaps, openGap }) {
    const list = Float64Array.from(gaps);
    const candidates = rankUpdateLaws(list, openGap ?? 0);
    const period = findPeriod(list);
    return {
      status: 'evaluated',
      solution: {
        candidates: candidates.map(({ distribution, ...figures }) => ({
          distribution: { ...distribution },
          ...figures,
        })),
        periodicity: period === null ? null : { ...period, updates: clockOf(period) },
      },
      statistics: { solver: 'maximum-likelihood', gaps: gaps.length, candidates: candidates.length },
    };
  },
});

function clockOf({ proposed, phase, probability }: Periodicity) {
  return proposed ? { type: 'quasi-deterministic' as const, times: [phase], probabilities: [probability] } : null;
}

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

/** A phase-type law of service times from moments or a sample. */
export const serviceTime = defineOperation({
  name: 'estimates/service-time',
  tag: 'estimates',
  summary: 'A phase-type law of service times, from moments or a sample',
  description: [
    'Two exponential branches that have exactly the three moments given; from a sample, two branches by expectation maximisation. Where the squared',
    'coefficient of variation is at most 1, a mixture of Erlang laws on two moments, with a warning. Three moments that no hyperexponential law has: `infeasible`,',
    'with the inequality they violate. The law goes into `threshold-policy` and `crawler-count` as it is.',
    '',
    'Source: W. Whitt, *Approximating a point process by a renewal process* (1982); H. C. Tijms (1986); K. Avrachenkov et al. (2012), section 7.',
  ].join('\n'),
  request: serviceTimeRequest,
  solution: serviceTimeSolution,
  beside: {},
  conflict: serviceTimeConflict,
  examples: [
    {
      name: 'service-time',
      summary: 'The INRIA crawler’s content sizes: three moments in bytes, 6000 bytes a time unit',
    },
    { name: 'service-time-sample', summary: 'A sample of service times' },
    { name: 'service-time-infeasible', summary: 'Three moments that no hyperexponential law has' },
  ],
  limits: serviceTimeLimits,
  work: ({ sample }) => 1000 + (sample?.length ?? 0) * 20_000,
  solve({ moments, sample, scale }, budget) {
    const values = sample?.map((x) => x / scale);
    const observed: Moments = values ? sampleMoments(values) : momentsOf(...scaled(moments ?? [0, 0, 0], scale));
    if (values && observed.scv > 1) {
      const { distribution, logLikelihood, passes } = fitBranches(values, observed, budget);
      return {
        status: 'evaluated',
        solution: { distribution: { ...distribution }, observed, fitted: lawMoments(distribution), logLikelihood },
        statistics: { solver: 'expectation-maximisation', iterations: passes },
      };
    }
    const fit = fitMoments(observed);
    if (fit.kind === 'impossible') {
      return { status: 'infeasible', conflict: { ...fit.conflict }, statistics: { solver: 'moments' } };
    }
    return {
      status: 'evaluated',
      solution: { distribution: { ...fit.distribution }, observed, fitted: lawMoments(fit.distribution) },
      warnings: serviceWarnings(observed, fit.note),
      statistics: { solver: 'moments' },
    };
  },
});

function scaled([m1, m2, m3]: readonly number[], scale: number): [number, number, number] {
  return [m1 / scale, m2 / scale / scale, m3 / scale / scale / scale];
}

function serviceWarnings({ scv }: Moments, note: 'exact' | 'two-moments' | 'mean-only'): Warning[] {
  if (note === 'exact') return [];
  const detail =
    note === 'two-moments'
      ? `scv ${scv} is at most 1: a mixture of Erlang laws on mean and variance; the third moment is not reproduced`
      : `scv ${scv} is below 0.01: an Erlang law of 100 stages on the mean; variance and third moment are not reproduced`;
  return [{ code: 'two-moments', detail }];
}
