/** Request and answer of threshold-policy. */
import * as z from 'zod';
import { conflictSchema } from './contract/answer.ts';
import { requestSchema } from './contract/options.ts';
import { policySchema, queueLimits, queueMeasures, queueShape } from './parts/controlled-queue.ts';
import { numberList } from './parts/number-list.ts';
import { frontAnswerSchema, frontSchema } from './parts/series/front.ts';
import { sweepAnswerSchema, sweepSchema } from './parts/series/sweep.ts';
import { strictObject } from './parts/strict-object.ts';

const weight = (description: string) => z.number().min(0).default(0).describe(description);
const limit = (description: string) => z.number().min(0).optional().describe(description);

export const thresholdPolicyRequest = requestSchema({
  ...queueShape,
  costs: strictObject({
    loss: weight('Per page lost for want of room'),
    obsolescence: weight('Per page that expires'),
    response: weight('Per time unit of mean response time (V1)'),
    crawler: weight('Per active crawler and time unit'),
    starvation: weight('Per time unit in which the system is empty'),
  }).describe(
    'The cost per time unit: arrivalRate·(loss·lossProbability + obsolescence·obsolescenceProbability) + response·responseTime + ' +
      'crawler·activeCrawlers + starvation·starvationProbability',
  ),
  modes: numberList(
    'Crawler counts that may be used (default: all the arrivals know); 0: all crawlers off, but never while the queue is empty',
    { minItems: 1, maxItems: queueLimits.modes },
    { atLeast: 0, integer: true },
  ).optional(),
  constraints: strictObject({
    lossProbability: limit('At most this share of the pages lost'),
    obsolescenceProbability: limit('At most this share of the pages expired'),
    starvationProbability: limit('At most this share of time empty'),
    responseTime: limit('Mean response time at most this'),
    activeCrawlers: limit('At most this many active crawlers on average'),
  })
    .optional()
    .describe('Upper limits the policy must keep'),
  policy: policySchema.optional().describe('Evaluate this policy instead of searching for the best'),
  observe: z
    .enum(['queue-length', 'phases', 'arrival-phase', 'service-phase'])
    .optional()
    .describe(
      'What the controller sees when it chooses: queue-length (default); phases: the phases of arrivals and indexing too, answered as ' +
        'a table, proved; arrival-phase, service-phase: one of them, by local search, with the bound of seeing both (first in first ' +
        'out, exponential or no obsolescence, no constraints)',
    ),
  quantiles: numberList(
    'Probabilities at which quantiles of the response time are wanted',
    { minItems: 1, maxItems: queueLimits.quantiles },
    { above: 0, below: 1 },
  ).optional(),
  sweep: sweepSchema.optional(),
  front: frontSchema(
    ['loss', 'obsolescence', 'response', 'crawlers', 'starvation'],
    'pages lost per time unit, pages expired per time unit, mean response time, mean active crawlers, share of time empty',
  ).optional(),
  search: z
    .enum(['auto', 'enumerate', 'local'])
    .optional()
    .describe(
      'auto (default): proves the optimum, by looking at every policy where they are few enough, else by branch and bound; enumerate: looks at ' +
        'every policy (and gives the table of subsets); local: local search only, quick and without a proof',
    ),
});

const measures = z
  .object({
    ...queueMeasures,
    responseQuantiles: z
      .array(
        z.object({
          probability: z.number().describe('As asked'),
          time: z.number().describe('The response time is at most this with that probability'),
        }),
      )
      .optional()
      .describe('Quantiles of the response time of indexed pages, where asked for'),
  })
  .describe('Exact measures of the policy');

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
  crawlersByState: z
    .object({
      phases: z
        .array(z.array(z.number()).length(2))
        .describe('The columns of the table: [arrival phase, service phase], from 0 as in arrivals and service'),
      table: z
        .array(z.array(z.number()))
        .describe('table[queue length][column]: active crawlers. Beyond K rows where whole batches enter a last place'),
    })
    .optional()
    .describe('What to do in each state, where phases are observed'),
  measures,
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
  sweep: sweepAnswerSchema(thresholdPolicySolution),
  dualPrices: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'With `constraints`, for each: the most that loosening it saves, in cost per time unit for a unit of the measure (the best ratio of ' +
        'saving to excess of all policies that exceed this limit alone); 0 where it does not bind; where every policy was looked at',
    ),
  front: frontAnswerSchema(
    thresholdPolicySolution.pick({ crawlersByQueueLength: true, modes: true, thresholds: true }),
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

export const thresholdPolicyConflict = conflictSchema.extend({
  limits: z
    .array(
      z.object({
        constraint: z.string().describe('Which limit'),
        limit: z.number().describe('Its value'),
        smallest: z.number().nullable().describe('The least value any policy reaches'),
      }),
    )
    .describe('The limits, and how low each measure can be made alone'),
  nearest: z
    .object({
      crawlersByQueueLength: z.array(z.number()).describe('Active crawlers at queue lengths 0..K'),
      measures: z.object(queueMeasures).describe('Its measures'),
    })
    .nullable()
    .describe('The policy that exceeds the limits least (sum of relative excesses)'),
});
