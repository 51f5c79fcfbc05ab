/** The answer of `threshold-policy`. */
import * as z from 'zod';
import { limitsConflictSchema } from '../contract/answer.ts';
import { cost, count, share } from '../contract/field.ts';
import { queueMeasures } from '../parts/queue/measures.ts';
import { frontAnswerSchema } from '../parts/series/front.ts';
import { sweepAnswerSchema } from '../parts/series/sweep.ts';
import { policyMeasures } from './measures.ts';
import { crawlersByState, drawnState, filter, mixture } from './observed.ts';

export const thresholdPolicySolution = z.object({
  crawlersByQueueLength: z.array(z.number()).meta(
    count('Active crawlers at queue lengths 0..K; with crawlersByState: their mean at that length', {
      unit: 'crawlers',
    }),
  ),
  modes: z.array(z.number()).meta(count('Crawler counts that are used, most active first', { unit: 'crawlers' })),
  thresholds: z
    .array(z.number())
    .nullable()
    .meta(
      count(
        'The last queue length of each used mode but the least active; null for an evaluated policy that is not monotone, ' +
          'and with crawlersByState',
        { unit: 'pages' },
      ),
    ),
  crawlersByState,
  measures: policyMeasures,
});

export const thresholdPolicyBeside = {
  evaluation: thresholdPolicySolution
    .optional()
    .describe('With `evaluate`: what that policy does, in place of a solution'),
  fixedModes: z
    .array(
      z.object({
        crawlers: z.number().meta(count('Always this many active', { unit: 'crawlers' })),
        cost: z.number().meta(cost('Cost per time unit', { unit: 'cost/time' })),
        measures: z.object(queueMeasures).describe('Exact measures'),
      }),
    )
    .describe('What each mode costs when it is always on'),
  subsets: z
    .array(
      z.object({
        modes: z.array(z.number()).meta(count('The modes of the subset, most active first', { unit: 'crawlers' })),
        thresholds: z
          .array(z.number())
          .meta(count('Their best thresholds, 0..K−1; equal ones leave a mode unused', { unit: 'pages' })),
        cost: z.number().meta(cost('Cost per time unit', { unit: 'cost/time' })),
      }),
    )
    .optional()
    .describe('The best thresholds of every subset of two or more modes, when all policies were looked at'),
  relativeProfit: z
    .number()
    .nullable()
    .optional()
    .meta(share('1 − cost/(cost of the best fixed mode that keeps the limits); null when none does')),
  byQueueLength: z
    .object({
      crawlersByQueueLength: z
        .array(z.number())
        .meta(count('Active crawlers at queue lengths 0..K', { unit: 'crawlers' })),
      cost: z.number().meta(cost('Its cost per time unit', { unit: 'cost/time' })),
    })
    .optional()
    .describe(
      'With `observe`: the best policy found (by local search) for a controller that sees the queue length alone',
    ),
  mixture,
  drawnState,
  sweep: sweepAnswerSchema(thresholdPolicySolution, thresholdPolicySolution),
  filter,
  dualPrices: z
    .record(z.string(), z.number())
    .optional()
    .meta(
      cost(
        'With `constraints`, for each: the most that loosening it saves, in cost per time unit for a unit of the measure (the best ratio of ' +
          'saving to excess of all policies that exceed this limit alone); 0 where it does not bind; where every policy was looked at',
      ),
    ),
  front: frontAnswerSchema(
    thresholdPolicySolution.pick({
      crawlersByQueueLength: true,
      modes: true,
      thresholds: true,
      crawlersByState: true,
    }),
  ),
  fullInformation: z
    .object({
      cost: z.number().meta(
        cost('Cost of the best policy found that also sees the phases of arrivals and of the service', {
          unit: 'cost/time',
        }),
      ),
      bound: z.number().meta(
        cost('What no policy that sees them costs less than; within 1e-6 of `cost` where it is proved', {
          unit: 'cost/time',
        }),
      ),
      relativeImprovement: z.number().meta(share('1 − that cost/cost of the answer')),
    })
    .optional()
    .describe(
      'How far knowing the phases could go; where it is computed (exponential or no obsolescence, fifo, no limits)',
    ),
};

export const thresholdPolicyConflict = limitsConflictSchema.extend({
  nearest: z
    .object({
      crawlersByQueueLength: z
        .array(z.number())
        .meta(count('Active crawlers at queue lengths 0..K', { unit: 'crawlers' })),
      measures: z.object(queueMeasures).describe('Its measures'),
    })
    .nullable()
    .describe('The policy that exceeds the limits least (sum of relative excesses)'),
});
