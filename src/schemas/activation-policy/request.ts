/** The request of `activation-policy`. */

import * as z from 'zod';
import { maxCapacity } from '../../solvers/activation-policy/index.ts';
import { crawlerCount, pageCount, plain, rate } from '../contract/field.ts';
import { requestSchema } from '../contract/options.ts';
import { integer, real } from '../contract/range.ts';
import { conditions } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';
import { availableCrawlers } from '../parts/queue/arrivals.ts';
import { costFields } from '../parts/queue/costs.ts';
import { upperLimits } from '../parts/queue/measures.ts';
import { exponentialOrRate } from '../parts/queue/service.ts';
import { checkTargets, targetList } from '../parts/queue/targets.ts';
import { sweepSchema } from '../parts/series/sweep.ts';
import { activationLimits } from './limits.ts';

/** Rates and limits outside this range are surely a mistake of units. */
const [smallest, largest] = [1e-15, 1e15];

const limits = upperLimits(() => real({ atLeast: 0, atMost: largest }).optional());

const wireRequest = requestSchema({
  capacity: integer({ atLeast: 1, atMost: maxCapacity }).meta(
    pageCount('K: most pages in the system, including the one being indexed', { lever: { factor: 4 } }),
  ),
  crawlerRate: real({ atLeast: smallest, atMost: largest }).meta(
    rate('λ: pages that one active crawler brings (Poisson)', { unit: 'pages/time' }),
  ),
  service: exponentialOrRate,
  costs: strictObject({
    loss: costFields.loss,
    starvation: costFields.starvation,
    crawler: costFields.crawler,
  }).meta({ description: 'Prices of starvation, loss and active crawlers', 'x-class': 'Costs' }),
  crawlers: availableCrawlers(activationLimits.maxCrawlers, 'as many as the optimum can use'),
  evaluate: z
    .union([
      integer({ atLeast: 1, atMost: activationLimits.maxCrawlers }).meta(crawlerCount('So many always active')),
      strictObject({
        targets: targetList(maxCapacity, activationLimits.maxCrawlers).meta(
          crawlerCount(
            'K + 1 integers: after an event activate one crawler if fewer than targets[new queue length] are active',
          ),
        ),
      }),
    ])
    .optional()
    .meta(plain('A policy to evaluate instead: a constant number, or targets')),
  constraints: strictObject({
    lossRate: limits.lossRate,
    lossProbability: limits.lossProbability,
    starvationProbability: limits.starvationProbability,
    activeCrawlers: limits.activeCrawlers,
    meanQueueLength: limits.meanQueueLength,
  })
    .optional()
    .describe('Upper limits on long-run averages'),
  sweep: sweepSchema.optional(),
});

type Wire = z.output<typeof wireRequest>;

export const activationRequest = wireRequest.check(
  conditions((request, refuse) => {
    if (request.costs.loss > 0) return;
    const message = 'must be above 0 here: a lost page is what the other costs are weighed against; got 0';
    refuse(['costs', 'loss'], 'out-of-range', message, 0);
  }),
  conditions(({ evaluate, capacity, crawlers }: Wire, refuse) => {
    if (evaluate === undefined) return;
    if (typeof evaluate === 'number') {
      if (crawlers === undefined || evaluate <= crawlers) return;
      refuse(['evaluate'], 'above-crawlers', `must be at most crawlers (${crawlers}); got ${evaluate}`, evaluate);
      return;
    }
    checkTargets(evaluate.targets, capacity, crawlers, refuse);
  }),
);
