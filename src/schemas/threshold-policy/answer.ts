/** The answer of `threshold-policy`. */
import * as z from 'zod';
import { limitsConflictSchema } from '../contract/answer.ts';
import { cost, costRate, crawlerCount, pageCount, share } from '../contract/field.ts';
import { queueMeasures } from '../parts/queue/measures.ts';
import { frontAnswerSchema } from '../parts/series/front.ts';
import { sweepAnswerSchema } from '../parts/series/sweep.ts';
import { policyMeasures } from './measures.ts';
import { crawlersByState, drawnState, filter, mixture } from './observed.ts';

export const thresholdPolicySolution = z.object({
  crawlersByQueueLength: z
    .array(z.number())
    .meta(crawlerCount('Active crawlers at queue lengths 0..K; a mean with crawlersByState')),
  modes: z.array(z.number()).meta(crawlerCount('Crawler counts used, most active first')),
  thresholds: z
    .array(z.number())
    .nullable()
    .meta(pageCount('Last queue length of each used mode but the least active; null: by state')),
  crawlersByState,
  measures: policyMeasures,
});

export const thresholdPolicyBeside = {
  evaluation: thresholdPolicySolution.optional().describe('With `evaluate`: measures of that policy'),
  fixedModes: z
    .array(
      z.object({
        crawlers: z.number().meta(crawlerCount('Always this many active')),
        cost: z.number().meta(costRate('Cost per time unit')),
        measures: z.object(queueMeasures).describe('Exact measures'),
      }),
    )
    .describe('Cost of each mode when always on'),
  subsets: z
    .array(
      z.object({
        modes: z.array(z.number()).meta(crawlerCount('The modes of the subset, most active first')),
        thresholds: z.array(z.number()).meta(pageCount('Their best thresholds; equal ones leave a mode unused')),
        cost: z.number().meta(costRate('Cost per time unit')),
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
      crawlersByQueueLength: z.array(z.number()).meta(crawlerCount('Active crawlers at queue lengths 0..K')),
      cost: z.number().meta(costRate('Its cost per time unit')),
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
      cost: z.number().meta(costRate('Cost of the best policy found that sees the phases')),
      bound: z.number().meta(costRate('Lower bound for policies that see them')),
      relativeImprovement: z.number().meta(share('1 − that cost/cost of the answer')),
    })
    .optional()
    .describe('What knowing the phases could save; null: not computed'),
};

export const thresholdPolicyConflict = limitsConflictSchema.extend({
  nearest: z
    .object({
      crawlersByQueueLength: z.array(z.number()).meta(crawlerCount('Active crawlers at queue lengths 0..K')),
      measures: z.object(queueMeasures).describe('Its measures'),
    })
    .nullable()
    .describe('The policy that exceeds the limits least, relatively'),
});
