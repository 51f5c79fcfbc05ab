/** The wire shapes of `crawler-count`. */

import * as z from 'zod';
import type { CrawlerCountAnswer, LimitedMeasure } from '../solvers/crawler-count/index.ts';
import { createLaw, exponentialRate } from '../solvers/laws/index.ts';
import { conflictSchema } from './contract/answer.ts';
import { costRate, crawlerCount, number, pageCount, plain, rate } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { integer, numberOrNull } from './contract/range.ts';
import { conditions } from './contract/refusals.ts';
import { object, strictObject } from './contract/strict-object.ts';
import { distributionLimits } from './parts/distribution.ts';
import { queueAverages, queueCosts, upperLimits } from './parts/queue/measures.ts';
import { anyService, rateOfCrawler } from './parts/queue/queue.ts';
import { maxSweepValues, sweepAnswerSchema, sweepSchema } from './parts/series/sweep.ts';
import { countText, figure, share as inPercent } from './words/numbers.ts';

export const crawlerCountLimits = {
  ...distributionLimits,
  /** Largest capacity with exponential service (closed form). */
  capacity: 1_000_000_000_000,
  /** Largest capacity with any other law (a recursion over the capacity). */
  capacityGeneralLaw: 5_000,
  /** Largest count to evaluate. */
  evaluate: 1_000_000_000_000,
  evaluatedCounts: 10_000,
  sweepValues: maxSweepValues,
};

const limits = upperLimits();
/** Exactly the measures that the solver can limit. */
const constraints = strictObject('CrawlerCountConstraints', {
  starvationProbability: limits.starvationProbability,
  lossRate: limits.lossRate,
  lossProbability: limits.lossProbability,
  meanQueueLength: limits.meanQueueLength,
} satisfies Record<LimitedMeasure, z.ZodType>);
export const limitedCountMeasures = constraints.keyof().options;

const wireRequest = requestSchema({
  capacity: integer({ atLeast: 1, atMost: crawlerCountLimits.capacity }).meta(
    pageCount(
      `K: most pages in the system, including the one being indexed; ${crawlerCountLimits.capacityGeneralLaw} unless service is exponential`,
      { lever: { factor: 8 } },
    ),
  ),
  crawlerRate: rateOfCrawler(1e-15, 1e15),
  service: anyService,
  costs: queueCosts,
  crawlers: integer({ atLeast: 1 }).optional().meta(crawlerCount('Crawlers at most; left out: no limit')),
  evaluate: z
    .union([
      integer({ atLeast: 1, atMost: crawlerCountLimits.evaluate }).meta(crawlerCount()),
      strictObject('CrawlerCountEvaluate', {
        from: integer({ atLeast: 1, atMost: crawlerCountLimits.evaluate }).meta(crawlerCount()),
        to: integer({ atLeast: 1, atMost: crawlerCountLimits.evaluate }).meta(
          crawlerCount('Last count, at least from'),
        ),
      }),
    ])
    .optional()
    .meta(
      plain(
        `Counts to evaluate as well: a number, or every count from..to, at most ${crawlerCountLimits.evaluatedCounts}`,
      ),
    ),
  constraints: constraints.optional().describe('Upper limits that the count must keep'),
  sweep: sweepSchema.optional(),
});

export const crawlerCountRequest = wireRequest.check(
  conditions(({ capacity, evaluate, crawlerRate, service, costs, crawlers: available, constraints = {} }, refuse) => {
    const largest = crawlerCountLimits.capacityGeneralLaw;
    if (capacity > largest && exponentialRate(service) === null) {
      const message = `must be at most ${largest} for a law of type ${service.type} (only exponential service has a closed form); got ${capacity}`;
      refuse(['capacity'], 'capacity-too-large', message, capacity);
    }
    const load = crawlerRate * createLaw(service).mean;
    if (!(load >= 1e-100 && load <= 1e100)) {
      const message = `one crawler would offer a load of ${load} (crawlerRate × mean service time), which must be between 1e-100 and 1e100: check the time units`;
      refuse(['crawlerRate'], 'out-of-range', message, crawlerRate);
    }
    const { lossRate, lossProbability, meanQueueLength } = constraints;
    const isCapped = [available, lossRate, lossProbability, meanQueueLength].some((limit) => limit !== undefined);
    if (costs.loss === 0 && costs.crawler === 0 && !isCapped) {
      const message =
        'must have loss or crawler above 0: where neither costs anything, more crawlers are always as good. Give one of them a cost, ' +
        'limit the loss by constraints, or say how many crawlers there are';
      refuse(['costs'], 'out-of-range', message, costs);
    }
    if (typeof evaluate !== 'object') return;
    const { from, to } = evaluate;
    const maxCounts = crawlerCountLimits.evaluatedCounts;
    if (to < from) refuse(['evaluate', 'to'], 'out-of-range', `must be at least from (${from}); got ${to}`, to);
    else if (to - from >= maxCounts) {
      const message = `must be at most from + ${maxCounts - 1} (at most ${maxCounts} counts are evaluated); got ${to}`;
      refuse(['evaluate', 'to'], 'too-many-counts', message, to);
    }
  }),
);

const measures = {
  offeredLoad: z.number().meta(number('Load ρ = crawlers × crawlerRate × mean service time')),
  ...queueAverages,
  throughput: z.number().meta(rate({ unit: 'pages/time' })),
};

export const crawlerCountSolution = object('CrawlerCountSolution', {
  crawlers: z.number().meta(crawlerCount('The cheapest number of crawlers', { role: 'first' })),
  ...measures,
  continuous: object('CrawlerCountContinuous', {
    offeredLoad: z.number().meta(number('ρ*: the load with the least cost')),
    crawlers: z.number().meta(crawlerCount('ρ*·μ/λ')),
  })
    .nullable()
    .meta(plain('The optimum over real counts; null unless service is exponential', { role: 'advanced' })),
  criticalStarvationCost: numberOrNull.meta(
    costRate('Cost of starvation at which ρ* = 1, at loss 1; null unless service is exponential', { role: 'advanced' }),
  ),
  largeCapacityApproximation: object('CrawlerCountLargeCapacityApproximation', {
    crawlers: z.number().meta(crawlerCount('⌈μ/λ⌉ or ⌊μ/λ⌋, at least 1')),
    cost: z.number().meta(costRate('Cost of this count')),
  })
    .nullable()
    .meta(plain('Liu & Nain’s (1.12); null unless service is exponential', { role: 'advanced' })),
});

export const crawlerCountSupplement = {
  sweep: sweepAnswerSchema('CrawlerCountSweep', crawlerCountSolution),
  evaluation: z
    .array(
      object('CrawlerCountEvaluation', {
        crawlers: z.number().meta(crawlerCount()),
        cost: z.number().meta(costRate('What they cost per time unit')),
        ...measures,
      }),
    )
    .optional()
    .describe('With `evaluate`: those counts, ascending'),
};

export const crawlerCountConflict = conflictSchema
  .extend({
    limits: z
      .array(
        object('CrawlerCountLimit', {
          constraint: z.string().describe('Which limit'),
          limit: z.number().meta(number()),
          smallest: z.number().meta(number('The least value any count reaches')),
          from: numberOrNull.meta(crawlerCount('Fewest crawlers that keep this limit; null: none')),
          to: numberOrNull.meta(crawlerCount('Most crawlers that keep this limit; null: none')),
        }),
      )
      .describe('The limits, and the counts that keep each'),
    nearest: object('CrawlerCountNearest', { crawlers: z.number().meta(crawlerCount()), ...measures }).describe(
      'The count that exceeds the limits least',
    ),
  })
  .meta({ id: 'CrawlerCountConflict' });

export function crawlerCountSentence({
  solution,
  objective,
}: Pick<CrawlerCountAnswer, 'objective'> & { readonly solution: NonNullable<CrawlerCountAnswer['solution']> }): string {
  const { crawlers: best, starvationProbability, lossProbability } = solution;
  const per = objective === undefined ? '' : `, at a cost of ${figure(objective.value)} per time unit`;
  return `Run ${countText(best, 'crawler')}: there is nothing to index for ${inPercent(starvationProbability)} of the time, and ${inPercent(lossProbability)} of the pages are lost${per}.`;
}
