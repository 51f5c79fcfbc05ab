/** The request of `threshold-policy`. */
import * as z from 'zod';
import { requestSchema } from '../contract/options.ts';
import { policySchema, queueLimits, queueShape } from '../parts/controlled-queue.ts';
import { list } from '../parts/list.ts';
import { numberList } from '../parts/number-list.ts';
import { frontSchema } from '../parts/series/front.ts';
import { sweepSchema } from '../parts/series/sweep.ts';
import { strictObject } from '../parts/strict-object.ts';

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
        'a table, proved; arrival-phase, service-phase: one of them, by local search, with the bound of seeing both ' +
        '(exponential or no obsolescence; random pick-up with a price on the response time: local search, with a bound)',
    ),
  quantiles: numberList(
    'Probabilities at which quantiles of the response time are wanted',
    { minItems: 1, maxItems: queueLimits.quantiles },
    { above: 0, below: 1 },
  ).optional(),
  filter: strictObject({
    replications: z.int().min(2).max(200).default(20).describe('How often it is simulated'),
    horizon: z.number().positive().optional().describe('Time units of each replication (default: about 5000 batches)'),
  })
    .optional()
    .describe(
      'With observe "phases": what to do where the phases are not seen, by the belief that arrivals and ends of service leave, and what ' +
        'that costs, by simulation',
    ),
  measures: list(
    z.enum(['distribution', 'phases', 'modes', 'response', 'expired']),
    { minItems: 1, maxItems: 5 },
    'measures',
  )
    .optional()
    .describe(
      'Further measures: distribution (of the queue’s length), phases (of arrivals and indexing), modes (the arrivals of each), response, ' +
        'expired (the laws of the times of indexed and of expired pages, at `quantiles`, `times` and `transformAt`)',
    ),
  times: numberList(
    'Times at which P(T ≤ time) is wanted of response and expired',
    { minItems: 1, maxItems: queueLimits.quantiles },
    { atLeast: 0 },
  ).optional(),
  transformAt: numberList(
    'Points s at which the transform E e^(−sT) is wanted of response and expired',
    { minItems: 1, maxItems: queueLimits.quantiles },
    { atLeast: 0 },
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
