/** The measures of a policy, and the laws that may be asked for beside them. */
import * as z from 'zod';
import { queueMeasures } from '../parts/controlled-queue.ts';

const quantilesOf = (time: string, what: string) =>
  z
    .array(
      z.object({
        probability: z.number().describe('As asked'),
        time: z.number().describe(`The ${time} is at most this with that probability`),
      }),
    )
    .optional()
    .describe(what);

const lawOf = (whose: string) =>
  z
    .object({
      mean: z.number().describe('Mean'),
      variance: z.number().describe('Variance'),
      quantiles: quantilesOf('time', 'Where `quantiles` were asked for'),
      distribution: z
        .array(z.object({ time: z.number().describe('As asked'), probability: z.number().describe('P(T ≤ time)') }))
        .optional()
        .describe('Where `times` were asked for'),
      transform: z
        .array(z.object({ at: z.number().describe('s, as asked'), value: z.number().describe('E e^(−sT)') }))
        .optional()
        .describe('Where `transformAt` was asked for'),
    })
    .describe(whose);

const views = <View extends z.ZodType>(view: View, what: string) =>
  z
    .object({
      atAnyTime: view.describe('At any time'),
      atArrivals: view.describe('As arriving pages find it, before their batch enters'),
      atDepartures: view.describe('As indexed pages leave it behind'),
    })
    .optional()
    .describe(what);

const phaseShares = z.object({
  arrival: z.array(z.number()).describe('Share of each arrival phase'),
  service: z
    .array(z.number())
    .describe(
      'Share of each phase of indexing, as written, while something is being indexed; at departures the one it ended in',
    ),
});

const furtherMeasures = {
  queueLengths: views(
    z.array(z.number()),
    'With `measures: ["distribution"]`: the probabilities of queue lengths 0, 1, …',
  ),
  phases: views(phaseShares, 'With `measures: ["phases"]`: the shares of the phases'),
  modes: z
    .array(
      z.object({
        crawlers: z.number().describe('Active crawlers'),
        arrivalRate: z.number().describe('λ: pages per time unit while always in this mode'),
        batchRate: z.number().describe('λ_g: batches per time unit'),
        gapVariance: z.number().nullable().describe('Variance of the gap between batches; null where none comes'),
        gapCorrelations: z.array(z.number()).nullable().describe('Correlation of gaps 1, 2, … apart'),
      }),
    )
    .optional()
    .describe('With `measures: ["modes"]`: the arrivals of each mode by themselves'),
  response: lawOf('With `measures: ["response"]`: the time in the system of pages that are indexed').optional(),
  expired: lawOf('With `measures: ["expired"]`: the time in the system of pages that expire; null when none does')
    .nullable()
    .optional(),
};

export const policyMeasures = z
  .object({
    ...queueMeasures,
    ...furtherMeasures,
    responseQuantiles: quantilesOf('response time', 'Quantiles of the response time of indexed pages, where asked for'),
  })
  .describe('Exact measures of the policy');
