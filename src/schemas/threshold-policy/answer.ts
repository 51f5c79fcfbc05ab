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
    count('Active crawlers at queue lengths 0..K; a mean with crawlersByState', {
      unit: 'crawlers',
    }),
  ),
  modes: z.array(z.number()).meta(count('Crawler counts used, most active first', { unit: 'crawlers' })),
  thresholds: z
    .array(z.number())
    .nullable()
    .meta(
      count('Last queue length of each used mode but the least active; null: by state', {
        unit: 'pages',
      }),
    ),
  crawlersByState,
  measures: policyMeasures,
});

export const thresholdPolicyBeside = {
  evaluation: thresholdPolicySolution.optional().describe('With `evaluate`: measures of that policy'),
  fixedModes: z
    .array(
      z.object({
        crawlers: z.number().meta(count('Always this many active', { unit: 'crawlers' })),
        cost: z.number().meta(cost('Cost per time unit', { unit: 'cost/time' })),
        measures: z.object(queueMeasures).describe('Exact measures'),
      }),
    )
    .describe('Cost of each mode when always on'),
  subsets: z
    .array(
      z.object({
        modes: z.array(z.number()).meta(count('The modes of the subset, most active first', { unit: 'crawlers' })),
        thresholds: z
          .array(z.number())
          .meta(count('Their best thresholds; equal ones leave a mode unused', { unit: 'pages' })),
        cost: z.number().meta(cost('Cost per time unit', { unit: 'cost/time' })),
      }),
    )
    .optional()
    .describe('With all policies enumerated: the best thresholds of each subset'),
  relativeProfit: z
    .number()
    .nullable()
    .optional()
    .meta(share('1 − cost/(cost of the best fixed mode within limits); null: none')),
  byQueueLength: z
    .object({
      crawlersByQueueLength: z
        .array(z.number())
        .meta(count('Active crawlers at queue lengths 0..K', { unit: 'crawlers' })),
      cost: z.number().meta(cost('Its cost per time unit', { unit: 'cost/time' })),
    })
    .optional()
    .describe('With `observe`: the best policy found by queue length alone'),
  mixture,
  drawnState,
  sweep: sweepAnswerSchema(thresholdPolicySolution, thresholdPolicySolution),
  filter,
  dualPrices: z
    .record(z.string(), z.number())
    .optional()
    .meta(cost('With `constraints` and all policies enumerated: saving per unit of each limit')),
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
        cost('Cost of the best policy found that sees the phases', {
          unit: 'cost/time',
        }),
      ),
      bound: z.number().meta(
        cost('Lower bound for policies that see them', {
          unit: 'cost/time',
        }),
      ),
      relativeImprovement: z.number().meta(share('1 − that cost/cost of the answer')),
    })
    .optional()
    .describe('What knowing the phases could save; null: not computed'),
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
    .describe('The policy that exceeds the limits least, relatively'),
});
