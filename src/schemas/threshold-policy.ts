/** Request and answer of threshold-policy. */
import * as z from 'zod';
import { limitsConflictSchema } from './contract/answer.ts';
import { requestSchema } from './contract/options.ts';
import { policySchema, queueLimits, queueMeasures, queueShape } from './parts/controlled-queue.ts';
import { list } from './parts/list.ts';
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

const lawOf = (whose: string) =>
  z
    .object({
      mean: z.number().describe('Mean'),
      variance: z.number().describe('Variance'),
      quantiles: z
        .array(
          z.object({
            probability: z.number().describe('As asked'),
            time: z.number().describe('The time is at most this with that probability'),
          }),
        )
        .optional()
        .describe('Where `quantiles` were asked for'),
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

const measures = z
  .object({
    ...queueMeasures,
    ...furtherMeasures,
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
  mixture: z
    .array(
      z.object({
        share: z.number().describe('Share of time'),
        table: z.array(z.array(z.number())).describe('table[queue length][column], columns as in crawlersByState'),
        cost: z.number().describe('Its own cost per time unit'),
        measures: z.object(queueMeasures).describe('Its own measures'),
      }),
    )
    .optional()
    .describe(
      'With `observe` and `constraints`: the tables whose mixture in time is best, where no single one is. The first is ' +
        'crawlersByState; cost and measures of the solution are those of the mixture',
    ),
  drawnState: z
    .object({
      queueLength: z.number().describe('At this queue length …'),
      phases: z.array(z.number()).length(2).describe('… and in these phases (at length 0 the first alone counts) …'),
      crawlers: z.number().describe('… this count in place of the table’s …'),
      probability: z.number().describe('… with this probability, drawn whenever the state is entered'),
    })
    .optional()
    .describe('The same mixture as one policy: crawlersByState but for one state, where the count is left to chance'),
  sweep: sweepAnswerSchema(thresholdPolicySolution),
  filter: z
    .object({
      tick: z.number().describe('Time units between two updates of the belief'),
      modes: z
        .array(
          z.object({
            crawlers: z.number().describe('Active crawlers'),
            quiet: z
              .array(z.array(z.number()))
              .describe('Factor of the belief for a tick without a batch: e^(D0·tick)'),
            batches: z.array(z.array(z.array(z.number()))).describe('Factors for a batch of 1, 2, … pages: D1, D2, …'),
          }),
        )
        .describe(
          'How the belief over the arrival phases goes on in each mode; a row vector, made to sum to 1 each time',
        ),
      service: z
        .array(z.array(z.number()))
        .describe('Factor of the belief over the service phases for a tick: e^(S·tick)'),
      initial: z.array(z.number()).describe('That belief when a service begins'),
      servicePhases: z.array(z.number()).describe('Which phase of the service, as written, each entry is about'),
      values: z
        .array(z.array(z.array(z.number().nullable())))
        .describe(
          'values[queue length][arrival phase × service phase][mode]: what the mode costs beyond the best one; null where it may not be used',
        ),
      acting: z
        .array(
          z.object({
            on: z.enum(['likeliest', 'expected']).describe('The likeliest phases, or expected values'),
            cost: z
              .object({
                mean: z.number().describe('Mean over the replications'),
                interval: z.array(z.number()).length(2).describe('95% confidence interval'),
              })
              .nullable()
              .describe('Cost per time unit, simulated; null where time ended first'),
            survives: z
              .number()
              .nullable()
              .describe(
                'How much of what seeing the phases saves against the queue length alone is left; null where nothing is saved',
              ),
          }),
        )
        .describe('What the two ways of acting cost'),
    })
    .optional()
    .describe('With `filter`: how to follow the phases by what is seen, and what that is worth'),
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

export const thresholdPolicyConflict = limitsConflictSchema.extend({
  nearest: z
    .object({
      crawlersByQueueLength: z.array(z.number()).describe('Active crawlers at queue lengths 0..K'),
      measures: z.object(queueMeasures).describe('Its measures'),
    })
    .nullable()
    .describe('The policy that exceeds the limits least (sum of relative excesses)'),
});
