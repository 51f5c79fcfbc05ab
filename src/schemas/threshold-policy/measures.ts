/** The measures of a policy, and the laws that may be asked for beside them. */

import * as z from 'zod';
import { crawlerCount, type Field, number, plain, probability, rate, share, time } from '../contract/field.ts';
import { numberOrNull } from '../contract/range.ts';
import { queueMeasures } from '../parts/queue/measures.ts';

const quantilesOf = (what: string) =>
  z
    .array(
      z.object({
        probability: z.number().meta(number('As asked')),
        time: z.number().meta(time('Time not exceeded with that probability')),
      }),
    )
    .optional()
    .describe(what);

const lawOf = (whose: string) =>
  z
    .object({
      mean: z.number().meta(time('Mean')),
      variance: z.number().meta(number('Variance', { unit: 'time²' })),
      quantiles: quantilesOf('Where `quantiles` were asked for'),
      distribution: z
        .array(
          z.object({
            time: z.number().meta(number('As asked')),
            probability: z.number().meta(probability('P(T ≤ time)')),
          }),
        )
        .optional()
        .describe('Where `times` were asked for'),
      transform: z
        .array(z.object({ at: z.number().meta(rate('s, as asked')), value: z.number().meta(number('E e^(−sT)')) }))
        .optional()
        .describe('Where `transformAt` was asked for'),
    })
    .describe(whose);

const views = <View extends z.ZodType>(view: View, field: (description: string) => Field, what: string) =>
  z
    .object({
      atAnyTime: view.meta(field('At any time')),
      atArrivals: view.meta(field('As arriving batches find it')),
      atDepartures: view.meta(field('As indexed pages leave it behind')),
    })
    .optional()
    .describe(what);

const phaseShares = z.object({
  arrival: z.array(z.number()).meta(share('Share of each arrival phase')),
  service: z.array(z.number()).meta(share('Share of each phase of indexing')),
});

const furtherMeasures = {
  queueLengths: views(z.array(z.number()), probability, 'With `measures.distribution`: probabilities of queue lengths'),
  phases: views(phaseShares, plain, 'With `measures.phases`: the shares of the phases'),
  modes: z
    .array(
      z.object({
        crawlers: z.number().meta(crawlerCount('Active crawlers')),
        arrivalRate: z.number().meta(rate('λ: pages per time unit in this mode', { unit: 'pages/time' })),
        batchRate: z.number().meta(rate('λ_g: batches per time unit', { unit: 'batches/time' })),
        gapVariance: numberOrNull.meta(
          number('Variance of the gap between batches; null: no batches', { unit: 'time²' }),
        ),
        gapCorrelations: z.array(z.number()).nullable().meta(number('Correlation of gaps 1, 2, … apart')),
      }),
    )
    .optional()
    .describe('With `measures.modes`: arrivals of each mode'),
  response: lawOf('With `measures.response`: time in the system of indexed pages').optional(),
  expired: lawOf('That law')
    .nullable()
    .optional()
    .meta(plain('With `measures.expired`: time in the system of expired pages; null: none')),
};

export const policyMeasures = z
  .object({ ...queueMeasures, ...furtherMeasures })
  .describe('Exact measures of the policy');
