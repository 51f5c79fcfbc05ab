/** The request of `threshold-policy`. */

import * as z from 'zod';
import type { ThresholdPolicyProblem } from '../../solvers/threshold-policy/index.ts';
import { plain, probability, rate, time } from '../contract/field.ts';
import { list } from '../contract/list.ts';
import { requestSchema } from '../contract/options.ts';
import { real } from '../contract/range.ts';
import { refusals } from '../contract/refusals.ts';
import { strictObject } from '../contract/strict-object.ts';
import { availableCrawlers } from '../parts/queue/arrivals.ts';
import { queueDescription, queueShape } from '../parts/queue/controlled-queue.ts';
import { costFields } from '../parts/queue/costs.ts';
import { crawlerLimit, queueLimits } from '../parts/queue/limits.ts';
import { upperLimits } from '../parts/queue/measures.ts';
import { evaluatedPolicy, givenPolicy } from '../parts/queue/policy.ts';
import { sweepSchema } from '../parts/series/sweep.ts';

const limits = upperLimits();
const pointsSize = { minItems: 1, maxItems: queueLimits.quantiles };

/** What is asked of the law of a time. */
const lawOf = (whose: string) =>
  strictObject({
    quantiles: list(real({ above: 0, below: 1 }), pointsSize)
      .optional()
      .meta(probability('Probabilities at which quantiles are wanted')),
    times: list(real({ atLeast: 0 }), pointsSize)
      .optional()
      .meta(time('Times at which to answer P(T ≤ time)')),
    transformAt: list(real({ atLeast: 0 }), pointsSize)
      .optional()
      .meta(rate('Points s at which to answer E e^(−sT)')),
  })
    .optional()
    .describe(`Time in the system of pages that ${whose}: mean, variance, and what is asked here`);

const flag = (description: string) => z.boolean().default(false).meta(plain(description));

const wireRequest = requestSchema({
  capacity: queueShape.capacity,
  crawlerRate: queueShape.crawlerRate,
  arrivals: queueShape.arrivals,
  service: queueShape.service,
  obsolescence: queueShape.obsolescence,
  costs: strictObject(costFields).describe('Prices that make up the cost per time unit'),
  crawlers: availableCrawlers(crawlerLimit, 'as many as the arrivals know; with crawlerRate it must be given'),
  modes: queueShape.modes,
  admission: queueShape.admission,
  constraints: strictObject({
    lossProbability: limits.lossProbability,
    obsolescenceProbability: limits.obsolescenceProbability,
    starvationProbability: limits.starvationProbability,
    responseTime: limits.responseTime,
    activeCrawlers: limits.activeCrawlers,
  })
    .optional()
    .describe('Upper limits that the policy must keep'),
  evaluate: evaluatedPolicy.optional(),
  observe: z
    .enum(['queue-length', 'phases'])
    .optional()
    .meta(
      plain('What the controller sees; left out: queue-length. With phases the answer is a table', {
        role: 'advanced',
      }),
    ),
  measures: strictObject({
    distribution: flag('The probabilities of queue lengths'),
    phases: flag('Shares of the phases of arrivals and indexing'),
    modes: flag('The arrivals of each mode by themselves'),
    response: lawOf('are indexed'),
    expired: lawOf('expire'),
  })
    .optional()
    .meta(plain('Measures to answer beside the usual ones', { role: 'advanced' })),
  sweep: sweepSchema.optional(),
});

type Wire = z.output<typeof wireRequest>;

/** A checked request: the problem as the solver takes it. */
type CheckedThresholdPolicy = ThresholdPolicyProblem & Pick<Wire, 'options' | 'sweep'>;

export const thresholdPolicyRequest = wireRequest.transform((request, context): CheckedThresholdPolicy => {
  const { costs, constraints, evaluate, observe, measures, options, sweep, ...queue } = request;
  const description = queueDescription(queue, refusals(context.issues));
  if (description === null) return z.NEVER;
  return {
    ...description,
    costs,
    constraints,
    evaluate: evaluate === undefined ? undefined : givenPolicy(evaluate, request.capacity),
    observe,
    measures,
    options,
    sweep,
  };
});
