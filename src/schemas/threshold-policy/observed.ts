/** What an answer says to a controller that sees phases, or follows them: tables, mixtures of tables, and a belief. */

import * as z from 'zod';
import {
  cost,
  costRate,
  crawlerCount,
  number,
  pageCount,
  position,
  probability,
  rate,
  share,
  time,
} from '../contract/field.ts';
import { numberOrNull } from '../contract/range.ts';
import { queueMeasures } from '../parts/queue/measures.ts';

export const crawlersByState = z
  .object({
    phases: z
      .array(z.array(z.number()).length(2))
      .meta(position('The columns: [arrival phase, service phase], from 0')),
    table: z.array(z.array(z.number())).meta(crawlerCount('table[queue length][column]: active crawlers')),
  })
  .optional()
  .describe('With observed phases: active crawlers by state');

export const mixture = z
  .array(
    z.object({
      share: z.number().meta(share('Share of time')),
      table: z
        .array(z.array(z.number()))
        .meta(crawlerCount('table[queue length][column], columns as in crawlersByState')),
      cost: z.number().meta(costRate('Its own cost per time unit')),
      measures: z.object(queueMeasures).describe('Its own measures'),
    }),
  )
  .optional()
  .describe('With `observe` and `constraints`: the tables that are mixed in time');

export const drawnState = z
  .object({
    queueLength: z.number().meta(pageCount('At this queue length …')),
    phases: z.array(z.number()).length(2).meta(position('… and in these phases …')),
    crawlers: z.number().meta(crawlerCount('… use this count in place of the table’s …')),
    probability: z.number().meta(probability('… with this probability, drawn on entry')),
  })
  .optional()
  .describe('The same as one policy: crawlersByState with one random state');

export const filter = z
  .object({
    tick: z.number().meta(time('Time between updates of the belief')),
    modes: z
      .array(
        z.object({
          crawlers: z.number().meta(crawlerCount('Active crawlers')),
          quiet: z.array(z.array(z.number())).meta(number('Factor for a tick without a batch: e^(D0·tick)')),
          batches: z.array(z.array(z.array(z.number()))).meta(rate('Factors for a batch of 1, 2, … pages: D1, D2, …')),
        }),
      )
      .describe('Recursion of the belief over arrival phases in each mode, a row vector'),
    service: z
      .array(z.array(z.number()))
      .meta(number('Factor of the belief over service phases for a tick: e^(S·tick)')),
    initial: z.array(z.number()).meta(probability('That belief when a service begins')),
    servicePhases: z.array(z.number()).meta(position('Service phase of each entry')),
    values: z
      .array(z.array(z.array(z.number().nullable())))
      .meta(
        cost(
          'values[queue length][arrival phase × service phase][mode]: cost beyond the best mode; ' +
            'null: not allowed',
        ),
      ),
    acting: z
      .array(
        z.object({
          on: z.enum(['likeliest', 'expected']).describe('The likeliest phases, or expected values'),
          cost: z
            .object({
              mean: z.number().meta(costRate('Mean over the replications')),
              interval: z.array(z.number()).length(2).meta(costRate('95% confidence interval')),
            })
            .nullable()
            .describe('Simulated cost per time unit; null: no time'),
          survives: numberOrNull.meta(share('Share of the saving of seeing phases that remains; null: none')),
          survivesInterval: z.array(z.number()).length(2).nullable().meta(share('Its 95% interval')),
        }),
      )
      .describe('What the two ways of acting cost'),
  })
  .optional()
  .describe('With `filter`: the belief about unseen phases, and what it is worth');
