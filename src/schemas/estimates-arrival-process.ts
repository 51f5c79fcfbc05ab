/** The wire shape of `estimates/arrival-process`. */

import * as z from 'zod';
import { maxBatchSize } from '../solvers/estimation/index.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, moment, number, pageCount, plain, probability, rate, time } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { integer, numberOrNull, real } from './contract/range.ts';
import { choice, object } from './contract/strict-object.ts';
import { countText, figure } from './words/numbers.ts';

export const arrivalProcessLimits = { timestamps: 5_000_000, lags: 1000, batchSize: maxBatchSize } as const;

export const arrivalProcessRequest = requestSchema({
  timestamps: list(real({ atLeast: -1e15, atMost: 1e15 }), {
    minItems: 4,
    maxItems: arrivalProcessLimits.timestamps,
  }).meta(moment('Times of arrivals, in any order')),
  batchGap: real({ atLeast: 0, atMost: 1e15 }).default(0).meta(time('Arrivals no further apart are one batch')),
  sessionGap: real({ above: 0, atMost: 1e15 })
    .optional()
    .meta(time('Longer gaps are pauses, and left out; default: no pauses')),
  lags: integer({ atLeast: 1, atMost: arrivalProcessLimits.lags })
    .default(10)
    .meta(count('How many correlations to fit and report', { role: 'advanced' })),
  interval: choice('ArrivalProcessInterval', ['start-to-start', 'end-to-start'])
    .default('start-to-start')
    .meta(plain('Whether intervals start at the start or the end of a batch', { role: 'advanced' })),
});

const intervals = object('ArrivalProcessIntervals', {
  mean: z.number().meta(time('Mean interval between batches')),
  variance: z.number().meta(number('Its variance (over n)', { unit: 'time²' })),
  correlations: z.array(numberOrNull).meta(number('At lags 1, 2, …; null if sessions are too short')),
});

export const arrivalProcessSolution = object('ArrivalProcessSolution', {
  matrices: z.array(z.array(z.array(z.number()))).meta(rate('D0, D1, …, as threshold-policy takes them')),
  batchSizes: z
    .array(
      object('ArrivalProcessBatchSize', {
        size: z.int().meta(pageCount()),
        probability: z.number().meta(probability('Share of the batches')),
      }),
    )
    .describe('Shares of the batch sizes that occur'),
  observed: intervals.meta(plain('What the record has')),
  fitted: intervals.meta(plain('What the fitted process has')),
  arrivalRate: z.number().meta(rate({ unit: 'pages/time', role: 'first' })),
  batches: z.int().meta(count({ unit: 'batches', role: 'first' })),
  sessions: z.int().meta(count({ unit: 'sessions' })),
});

/** The answer in words; the correlations are what a fit misses first. */
export function arrivalProcessSentence({ solution }: SolvedAnswer<typeof arrivalProcessSolution>): string {
  const { arrivalRate, batches, observed, fitted } = solution;
  const [first, second] = [observed, fitted].map(({ correlations }) => Array.from(correlations)[0]);
  const correlationText =
    typeof first === 'number' && typeof second === 'number'
      ? `; neighbouring intervals correlate by ${figure(first, 2)} in the record, by ${figure(second, 2)} in the process`
      : '';
  const scv = (of: { readonly mean: number; readonly variance: number }): string =>
    figure(of.variance / of.mean ** 2, 3);
  return `${countText(batches, 'batch', 'batches')} arrive at ${figure(arrivalRate, 3)} pages per time unit. Their squared coefficient of variation is ${scv(observed)} in the record, ${scv(fitted)} in the process${correlationText}.`;
}
