/** The wire shape of `estimates/arrival-process`. */
import * as z from 'zod';
import { maxBatchSize, maxOrder } from '../solvers/estimation/index.ts';
import { requestSchema } from './contract/options.ts';
import { numberList } from './parts/number-list.ts';

/** Sizes this operation accepts. */
export const arrivalProcessLimits = {
  timestamps: 5_000_000,
  lags: 1000,
  batchSize: maxBatchSize,
  order: maxOrder,
} as const;

export const arrivalProcessRequest = requestSchema({
  timestamps: numberList(
    'When pages arrived, in any order and any unit',
    { minItems: 4, maxItems: arrivalProcessLimits.timestamps },
    { atLeast: -1e15, atMost: 1e15 },
  ),
  batchGap: z.number().min(0).max(1e15).default(0).describe('Arrivals at most this far apart are one batch'),
  sessionGap: z
    .number()
    .positive()
    .max(1e15)
    .optional()
    .describe('A gap above this is a pause of the crawler, dropped; left out: no pauses'),
  order: z
    .int()
    .min(1)
    .max(arrivalProcessLimits.order)
    .optional()
    .describe(
      'Fit a process of so many phases by maximum likelihood: Erlang branches that follow each other by a Markov chain, so that ' +
        'intervals of any variability may be correlated; left out: two phases on moments and correlations',
    ),
  lags: z.int().min(1).max(arrivalProcessLimits.lags).default(10).describe('How many correlations to fit and report'),
  interval: z
    .enum(['start-to-start', 'end-to-start'])
    .default('start-to-start')
    .describe(
      'Between the starts of two batches (keeps the rate), or from the end of one to the start of the next (as the paper)',
    ),
});

const series = (what: string) =>
  z.object({
    mean: z.number().describe(`Mean interval between batches, ${what}`),
    variance: z.number().describe('Its variance (over n)'),
    correlations: z.array(z.number().nullable()).describe('At lags 1, 2, …; null where no session is long enough'),
  });

export const arrivalProcessSolution = z.object({
  matrices: z
    .array(z.array(z.array(z.number())))
    .describe('D0, D1, …: D_k for batches of k pages, as threshold-policy takes them'),
  batchSizes: z
    .array(z.object({ size: z.int(), probability: z.number() }))
    .describe('Shares of the batch sizes that occur'),
  observed: series('observed'),
  fitted: series('of the fitted process'),
  arrivalRate: z.number().describe('Pages per time unit of the fitted process'),
  logLikelihood: z.number().optional().describe('With `order`: mean log-likelihood of an interval'),
  batches: z.int().describe('Batches in the record'),
  sessions: z.int().describe('Sessions in the record'),
});
