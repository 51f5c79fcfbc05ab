/** The wire shapes of `crawler-count`. */
import * as z from 'zod';
import { exponentialRate } from '../solvers/crawler-count/index.ts';
import { createLaw } from '../solvers/distributions/index.ts';
import { conflictSchema } from './contract/answer.ts';
import { requestSchema } from './contract/options.ts';
import { conditions } from './contract/refusals.ts';
import { distribution, distributionLimits } from './parts/distribution.ts';
import { frontAnswerSchema, frontSchema } from './parts/series/front.ts';
import { maxSweepValues, sweepAnswerSchema, sweepSchema } from './parts/series/sweep.ts';
import { strictObject } from './parts/strict-object.ts';

/** Rates and weights outside this range are surely a mistake of units. */
const minValue = 1e-15;
const maxValue = 1e15;

/** What `GET /v1/limits` publishes. */
export const crawlerCountLimits = {
  ...distributionLimits,
  /** Largest capacity with exponential indexing (closed form). */
  capacity: 1_000_000_000_000,
  /** Largest capacity with any other law (a recursion over the capacity). */
  capacityGeneralLaw: 100_000,
  curvePoints: 10_000,
  sweepValues: maxSweepValues,
};

const limit = (description: string) => z.number().min(0).optional().describe(description);
const count = (description: string) => z.int().min(1).describe(description);

export const crawlerCountRequest = requestSchema({
  crawlerRate: z
    .number()
    .min(minValue)
    .max(maxValue)
    .describe('λ: pages per time unit that one crawler brings (Poisson)'),
  indexing: distribution,
  capacity: z
    .int()
    .min(1)
    .max(crawlerCountLimits.capacity)
    .describe(
      `K: pages the indexing queue holds, the one in service included; at most ${crawlerCountLimits.capacityGeneralLaw} unless indexing is exponential`,
    ),
  starvationWeight: z
    .number()
    .min(0)
    .max(maxValue)
    .describe('γ: cost per time unit during which there is nothing to index; a lost page costs 1'),
  crawlerCost: z.number().min(0).max(maxValue).default(0).describe('Cost per crawler and time unit'),
  maxCrawlers: count('Largest count allowed (default: no cap)').default(Number.MAX_SAFE_INTEGER),
  crawlers: count('Evaluate this count beside the optimum').optional(),
  sweep: sweepSchema.optional(),
  constraints: strictObject({
    starvationProbability: limit('At most this share of time with nothing to index'),
    lossRate: limit('At most so many pages lost per time unit'),
    lossProbability: limit('At most this share of the pages lost'),
    meanQueueLength: limit('At most so many pages in the system on average'),
  })
    .optional()
    .describe('Upper limits the count must keep; a limit on the count itself is maxCrawlers'),
  front: frontSchema(
    ['loss', 'starvation', 'response', 'crawlers'],
    'pages lost per time unit, share of time with nothing to index, mean time in the system, crawlers',
  ).optional(),
  curve: strictObject({
    from: count('First count'),
    to: count('Last count, at least from'),
  })
    .optional()
    .describe(`Evaluate every count from..to beside the optimum; at most ${crawlerCountLimits.curvePoints} counts`),
}).check(
  conditions(({ capacity, curve, crawlerRate, indexing }, refuse) => {
    const largest = crawlerCountLimits.capacityGeneralLaw;
    if (capacity > largest && exponentialRate(indexing) === null) {
      const message = `must be at most ${largest} for a law of type ${indexing.type} (only exponential indexing has a closed form); got ${capacity}`;
      refuse(['capacity'], 'capacity-too-large', message, capacity);
    }
    const load = crawlerRate * createLaw(indexing).mean;
    if (!(load >= 1e-100 && load <= 1e100)) {
      const message = `one crawler would offer a load of ${load} (crawlerRate × mean indexing time), which must be between 1e-100 and 1e100: check the time units`;
      refuse(['crawlerRate'], 'out-of-range', message, crawlerRate);
    }
    if (curve === undefined) return;
    if (curve.to < curve.from) {
      refuse(['curve', 'to'], 'out-of-range', `must be at least from (${curve.from}); got ${curve.to}`, curve.to);
    } else if (curve.to - curve.from >= crawlerCountLimits.curvePoints) {
      const message = `must be at most from + ${crawlerCountLimits.curvePoints - 1} (a curve has at most ${crawlerCountLimits.curvePoints} counts); got ${curve.to}`;
      refuse(['curve', 'to'], 'curve-too-long', message, curve.to);
    }
  }),
);

const measures = {
  offeredLoad: z.number().describe('ρ = crawlers × crawlerRate × mean indexing time'),
  starvationProbability: z.number().describe('Share of time with nothing to index'),
  lossRate: z.number().describe('Pages lost per time unit'),
  lossProbability: z.number().describe('Share of the pages brought that are lost'),
  throughput: z.number().describe('Pages indexed per time unit'),
  meanQueueLength: z.number().describe('Mean number of pages in the system, the one in service included'),
};

export const crawlerCountSolution = z.object({
  crawlers: z.number().describe('The number of crawlers with the least cost'),
  ...measures,
  continuous: z
    .object({
      offeredLoad: z.number().describe('ρ*: the load with the least cost'),
      crawlers: z.number().describe('ρ*·μ/λ'),
    })
    .nullable()
    .describe('The optimum over real counts, whatever maxCrawlers is; exponential indexing only, else null'),
  criticalStarvationWeight: z
    .number()
    .nullable()
    .describe(
      'The starvation weight at which ρ* = 1: μ(K + 2)/K without crawler cost; exponential indexing only, else null',
    ),
  largeCapacityApproximation: z
    .object({
      crawlers: z.number().describe('⌈μ/λ⌉ or ⌊μ/λ⌋, at least 1'),
      cost: z.number().describe('What this count costs at the capacity given'),
    })
    .nullable()
    .describe('Approximation (1.12) of Liu & Nain for large capacity; exponential indexing only, else null'),
});

export const crawlerCountBeside = {
  sweep: sweepAnswerSchema(crawlerCountSolution),
  front: frontAnswerSchema(z.object({ crawlers: z.number().describe('This many') })),
  dualPrices: z
    .record(z.string(), z.number())
    .optional()
    .describe(
      'With `constraints`, for each: the cost that the next count would save, by how much more of the limited measure it has; ' +
        '0 where the limit does not bind',
    ),
  evaluation: z
    .object({
      crawlers: z.number(),
      cost: z.number().describe('Cost per time unit of the count asked for'),
      ...measures,
    })
    .optional()
    .describe('The count given as `crawlers`, evaluated'),
  curve: z
    .array(
      z.object({
        crawlers: z.number(),
        cost: z.number().describe('Cost per time unit'),
        starvationProbability: z.number().describe('Share of time with nothing to index'),
        lossRate: z.number().describe('Pages lost per time unit'),
      }),
    )
    .optional()
    .describe('The counts from..to; ends early, with a warning, where the time limit did'),
};

export const crawlerCountConflict = conflictSchema.extend({
  limits: z
    .array(
      z.object({
        constraint: z.string().describe('Which limit'),
        limit: z.number().describe('Its value'),
        smallest: z.number().describe('The least value any count reaches'),
        from: z.number().nullable().describe('The fewest crawlers that keep this limit alone; null where none does'),
        to: z.number().nullable().describe('The most crawlers that keep this limit alone; null where none does'),
      }),
    )
    .describe('The limits, and which counts keep each alone'),
  nearest: z.object({ crawlers: z.number(), ...measures }).describe('The count that exceeds the limits least'),
});
