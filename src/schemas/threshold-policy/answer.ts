/** The answer of `threshold-policy`. */
import * as z from 'zod';
import { limitsConflictSchema } from '../contract/answer.ts';
import { queueMeasures } from '../parts/controlled-queue.ts';
import { frontAnswerSchema } from '../parts/series/front.ts';
import { sweepAnswerSchema } from '../parts/series/sweep.ts';
import { policyMeasures } from './measures.ts';
import { crawlersByState, drawnState, filter, mixture } from './observed.ts';

export const thresholdPolicySolution = z.object({
  crawlersByQueueLength: z
    .array(z.number())
    .describe('Active crawlers at queue lengths 0..K; with crawlersByState: their mean at that length'),
  modes: z.array(z.number()).describe('Crawler counts that are used, most active first'),
  thresholds: z
    .array(z.number())
    .nullable()
    .describe(
      'The last queue length of each used mode but the least active; null for an evaluated policy that is not monotone, ' +
        'and with crawlersByState',
    ),
  crawlersByState,
  measures: policyMeasures,
});

export const thresholdPolicyBeside = {
  fixedModes: z
    .array(
      z.object({
        crawlers: z.number().describe('Always this many active'),
        cost: z.number().describe('Cost per time unit'),
        measures: z.object(queueMeasures).describe('Exact measures'),
      }),
    )
    .describe('What each mode costs when it is always on'),
  subsets: z
    .array(
      z.object({
        modes: z.array(z.number()).describe('The modes of the subset, most active first'),
        thresholds: z.array(z.number()).describe('Their best thresholds, 0..K−1; equal ones leave a mode unused'),
        cost: z.number().describe('Cost per time unit'),
      }),
    )
    .optional()
    .describe('The best thresholds of every subset of two or more modes, when all policies were looked at'),
  relativeProfit: z
    .number()
    .nullable()
    .optional()
    .describe('1 − cost/(cost of the best fixed mode that keeps the limits); null when none does'),
  byQueueLength: z
    .object({
      crawlersByQueueLength: z.array(z.number()).describe('Active crawlers at queue lengths 0..K'),
      cost: z.number().describe('Its cost per time unit'),
    })
    .optional()
    .describe(
      'With `observe`: the best policy found (by local search) for a controller that sees the queue length alone',
    ),
  mixture,
  drawnState,
  sweep: sweepAnswerSchema(thresholdPolicySolution),
  filter,
  dualPrices: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'With `constraints`, for each: the most that loosening it saves, in cost per time unit for a unit of the measure (the best ratio of ' +
        'saving to excess of all policies that exceed this limit alone); 0 where it does not bind; where every policy was looked at',
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
      cost: z.number().describe('Cost of the best policy that also sees the phases of arrivals and of the service'),
      relativeImprovement: z.number().describe('1 − that cost/cost of the answer'),
    })
    .optional()
    .describe(
      'How far knowing the phases could go; where it is computed (exponential or no obsolescence, fifo, no limits)',
    ),
};

export const thresholdPolicyConflict = limitsConflictSchema.extend({
  nearest: z
    .object({
      crawlersByQueueLength: z.array(z.number()).describe('Active crawlers at queue lengths 0..K'),
      measures: z.object(queueMeasures).describe('Its measures'),
    })
    .nullable()
    .describe('The policy that exceeds the limits least (sum of relative excesses)'),
});
