/** The request of `activation-policy`. */
import * as z from 'zod';
import { maxBatch, maxCapacity, maxCrawlerPhases } from '../../solvers/activation-policy/index.ts';
import { requestSchema } from '../contract/options.ts';
import { conditions } from '../contract/refusals.ts';
import { phaseTypeDistribution } from '../parts/distribution.ts';
import { list } from '../parts/list.ts';
import { numberList, squareMatrix } from '../parts/number-list.ts';
import { frontSchema } from '../parts/series/front.ts';
import { sweepSchema } from '../parts/series/sweep.ts';
import { strictObject } from '../parts/strict-object.ts';
import { activationLimits } from './limits.ts';

/** Rates and weights outside this range are surely a mistake of units. */
const minValue = 1e-15;
const maxValue = 1e15;

const limit = (description: string) => z.number().min(0).max(maxValue).optional().describe(description);
const rate = (description: string) => z.number().min(minValue).max(maxValue).describe(description);

/** What goes beyond single pages and exponential times. */
const phased = {
  service: phaseTypeDistribution.optional().describe('Time to index a page, in place of indexingRate'),
  batchSizes: list(
    strictObject({
      size: z.int().min(1).max(maxBatch).describe('Pages'),
      probability: z.number().min(0).max(1).describe('Share of the batches that have so many'),
    }),
    { minItems: 1, maxItems: maxBatch },
    'batch sizes {size, probability}',
  )
    .optional()
    .describe('Crawlers bring batches: crawlerRate counts batches then; what does not fit into the queue is lost'),
  arrivals: strictObject({
    matrices: list(
      squareMatrix(
        'D_k: rates per unit time of batches of k pages, from phase (row) to phase (column)',
        maxCrawlerPhases,
      ),
      { minItems: 2, maxItems: maxBatch + 1 },
      'matrices',
    ).describe(
      'D0, D1, D2, …: square matrices of one size (the phases of a crawler). D0: phase changes without pages, its diagonal minus ' +
        'the total rate out of the phase; D_k: changes that bring k pages. Rows of ΣD_k sum to 0',
    ),
  })
    .optional()
    .describe(
      'Correlated arrivals of each active crawler, in place of crawlerRate; a crawler that is switched on begins in the phases that ' +
        'batches leave in the long run',
    ),
  observe: z
    .enum(['queue-length', 'phases'])
    .optional()
    .describe(
      'With service, batchSizes or arrivals: what the controller sees beside the active crawlers. queue-length (default): targets by ' +
        'local search, with the bound of seeing the phases; phases: of indexing and of each crawler too, answered as a table, proved',
    ),
};

export const activationRequest = requestSchema({
  crawlerRate: rate('λ: pages per unit time that one active crawler brings').optional(),
  indexingRate: rate('μ: pages per unit time that the index takes in (exponential times)').optional(),
  capacity: z.int().min(1).max(maxCapacity).describe('K: pages the indexing queue holds, the one in service included'),
  starvationWeight: z
    .number()
    .min(0)
    .max(maxValue)
    .describe('γ: cost per unit time of an empty queue; a lost page costs 1'),
  crawlers: z
    .int()
    .min(1)
    .max(activationLimits.maxCrawlers)
    .optional()
    .describe('N: crawlers available; left out: as many as the optimum can use'),
  crawlerCost: z.number().min(0).max(maxValue).default(0).describe('Cost per unit time of one active crawler'),
  algorithm: z
    .enum(['policy-iteration', 'relative-value-iteration'])
    .default('policy-iteration')
    .describe('policy-iteration proves its answer; relative-value-iteration is the paper’s own, kept for comparison'),
  tolerance: z
    .number()
    .min(1e-15)
    .max(1)
    .optional()
    .describe(
      'policy-iteration: relative gap to prove (default 1e−9; above 0.01 it may end the search earlier, and the answer ' +
        'is then feasible); relative-value-iteration: largest relative change of the ' +
        'paper’s stopping rule (default 1e−5)',
    ),
  relaxation: z.number().gt(0).lt(1).optional().describe('τ of the paper’s relative value iteration (default 0.99999)'),
  targets: numberList(
    'Evaluate this policy instead of optimising: K + 1 integers in 0..crawlers, the first at least 1; after an event a ' +
      'crawler is activated iff fewer than targets[new queue length] are active',
    { minItems: 2, maxItems: maxCapacity + 1 },
    { integer: true, atLeast: 0, atMost: activationLimits.maxCrawlers },
  ).optional(),
  constraints: strictObject({
    lossRate: limit('At most so many pages lost per unit time'),
    lossProbability: limit('At most this share of the pages lost'),
    starvationProbability: limit('At most this share of time with an empty queue'),
    activeCrawlers: limit('At most so many active crawlers on average'),
    meanQueueLength: limit('At most so many pages in the queue on average, the one in service included'),
  })
    .optional()
    .describe('Upper limits on long-run averages; the best policy under them may leave one decision to chance'),
  ...phased,
  sweep: sweepSchema.optional(),
  front: frontSchema(
    ['loss', 'starvation', 'crawlers', 'queueLength'],
    'pages lost per unit time, share of time with an empty queue, mean active crawlers, mean queue length',
  ).optional(),
}).check(
  conditions((request, refuse) => {
    const { crawlerRate, arrivals, indexingRate, service, batchSizes, observe } = request;
    if ((crawlerRate === undefined) === (arrivals === undefined)) {
      refuse(
        [],
        'one-of',
        'must have crawlerRate (pages of one crawler per unit time) or arrivals, one of them',
        request,
      );
    }
    if ((indexingRate === undefined) === (service === undefined)) {
      refuse([], 'one-of', 'must have indexingRate or service (the law of indexing times), one of them', request);
    }
    if (batchSizes !== undefined) {
      if (arrivals !== undefined) {
        refuse(
          ['batchSizes'],
          'not-applicable',
          'does not go with arrivals, whose matrices say the batches',
          batchSizes,
        );
      }
      const again = batchSizes.findIndex(({ size }, i) => batchSizes.findIndex((other) => other.size === size) < i);
      if (again >= 0) {
        const message = `is ${batchSizes[again].size}, given before; give each size once`;
        refuse(['batchSizes', again, 'size'], 'duplicate', message, batchSizes[again].size);
      }
      const sum = batchSizes.reduce((total, { probability }) => total + probability, 0);
      if (!(Math.abs(sum - 1) <= 1e-6)) {
        refuse(['batchSizes'], 'sum-not-one', `has probabilities that sum to ${sum}; they must sum to 1`, batchSizes);
      }
    }
    if (observe !== undefined && service === undefined && arrivals === undefined && batchSizes === undefined) {
      const message = 'goes with service, batchSizes or arrivals: without them there are no phases to see';
      refuse(['observe'], 'not-applicable', message, observe);
    }
  }),
  conditions(({ targets, capacity, crawlers }, refuse) => {
    if (targets === undefined) return;
    if (targets.length !== capacity + 1) {
      const message = `must have ${capacity + 1} items, one for each queue length 0..${capacity}; got ${targets.length}`;
      refuse(['targets'], 'wrong-length', message, targets);
      return;
    }
    if (targets[0] < 1) {
      refuse(
        ['targets', 0],
        'first-target-zero',
        'must be at least 1: a controller that idles on an empty queue never wakes',
        targets[0],
      );
    }
    if (crawlers === undefined) return;
    const over = targets.findIndex((target) => target > crawlers);
    if (over >= 0) {
      refuse(
        ['targets', over],
        'above-crawlers',
        `must be at most crawlers (${crawlers}); got ${targets[over]}`,
        targets[over],
      );
    }
  }),
);
