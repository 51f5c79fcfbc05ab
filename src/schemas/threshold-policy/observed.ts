/** What an answer says to a controller that sees phases, or follows them: tables, mixtures of tables, and a belief. */
import * as z from 'zod';
import { cost, count, number, position, probability, rate, share, time } from '../contract/field.ts';
import { queueMeasures } from '../parts/queue/measures.ts';

export const crawlersByState = z
  .object({
    phases: z
      .array(z.array(z.number()).length(2))
      .meta(position('The columns of the table: [arrival phase, service phase], from 0 as in arrivals and service')),
    table: z.array(z.array(z.number())).meta(
      count('table[queue length][column]: active crawlers. Beyond K rows where whole batches enter a last place', {
        unit: 'crawlers',
      }),
    ),
  })
  .optional()
  .describe('What to do in each state, where phases are observed');

export const mixture = z
  .array(
    z.object({
      share: z.number().meta(share('Share of time')),
      table: z
        .array(z.array(z.number()))
        .meta(count('table[queue length][column], columns as in crawlersByState', { unit: 'crawlers' })),
      cost: z.number().meta(cost('Its own cost per time unit', { unit: 'cost/time' })),
      measures: z.object(queueMeasures).describe('Its own measures'),
    }),
  )
  .optional()
  .describe(
    'With `observe` and `constraints`: the tables whose mixture in time is best, where no single one is. The first is ' +
      'crawlersByState; cost and measures of the solution are those of the mixture',
  );

export const drawnState = z
  .object({
    queueLength: z.number().meta(count('At this queue length …', { unit: 'pages' })),
    phases: z
      .array(z.number())
      .length(2)
      .meta(position('… and in these phases (at length 0 the first alone counts) …')),
    crawlers: z.number().meta(count('… this count in place of the table’s …', { unit: 'crawlers' })),
    probability: z.number().meta(probability('… with this probability, drawn whenever the state is entered')),
  })
  .optional()
  .describe('The same mixture as one policy: crawlersByState but for one state, where the count is left to chance');

export const filter = z
  .object({
    tick: z.number().meta(time('Time units between two updates of the belief')),
    modes: z
      .array(
        z.object({
          crawlers: z.number().meta(count('Active crawlers', { unit: 'crawlers' })),
          quiet: z
            .array(z.array(z.number()))
            .meta(number('Factor of the belief for a tick without a batch: e^(D0·tick)')),
          batches: z.array(z.array(z.array(z.number()))).meta(rate('Factors for a batch of 1, 2, … pages: D1, D2, …')),
        }),
      )
      .describe(
        'How the belief over the arrival phases goes on in each mode; a row vector, made to sum to 1 each time',
      ),
    service: z
      .array(z.array(z.number()))
      .meta(number('Factor of the belief over the service phases for a tick: e^(S·tick)')),
    initial: z.array(z.number()).meta(probability('That belief when a service begins')),
    servicePhases: z.array(z.number()).meta(position('Which phase of the service, as written, each entry is about')),
    values: z
      .array(z.array(z.array(z.number().nullable())))
      .meta(
        cost(
          'values[queue length][arrival phase × service phase][mode]: what the mode costs beyond the best one; null where it may not be used',
        ),
      ),
    acting: z
      .array(
        z.object({
          on: z.enum(['likeliest', 'expected']).describe('The likeliest phases, or expected values'),
          cost: z
            .object({
              mean: z.number().meta(cost('Mean over the replications', { unit: 'cost/time' })),
              interval: z
                .array(z.number())
                .length(2)
                .meta(cost('95% confidence interval', { unit: 'cost/time' })),
            })
            .nullable()
            .describe('Cost per time unit, simulated; null where time ended first'),
          survives: z
            .number()
            .nullable()
            .meta(
              share(
                'How much of what seeing the phases saves against the queue length alone is left; null where nothing is saved',
              ),
            ),
          survivesInterval: z
            .array(z.number())
            .length(2)
            .nullable()
            .meta(share('The 95% confidence interval of that; below 0 where acting on the belief may cost more')),
        }),
      )
      .describe('What the two ways of acting cost'),
  })
  .optional()
  .describe('With `filter`: how to follow the phases by what is seen, and what that is worth');
