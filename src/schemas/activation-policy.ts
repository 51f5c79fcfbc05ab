/** Request and answer of `activation-policy`. */

import * as z from 'zod';
import { type LimitedAverage, maxCapacity, maxCrawlersAt, maxStates } from '../solvers/activation-policy/index.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { costRate, crawlerCount, pageCount, plain, rate, share } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { integer, numberOrNull, real } from './contract/range.ts';
import { conditions } from './contract/refusals.ts';
import { object, strictObject } from './contract/strict-object.ts';
import { queueAverages, queueCosts, upperLimits } from './parts/queue/measures.ts';
import { checkTargets, targetList } from './parts/queue/policy.ts';
import { availableCrawlers, exponentialOrRate, rateOfCrawler } from './parts/queue/queue.ts';
import { maxSweepValues, sweepAnswerSchema, sweepSchema } from './parts/series/sweep.ts';
import { countText, figure, share as inPercent } from './words/numbers.ts';

export const activationLimits = { maxCapacity, maxCrawlers: maxCrawlersAt(1), maxStates, sweepValues: maxSweepValues };

/** Rates and limits outside this range are surely a mistake of units. */
const [smallest, largest] = [1e-15, 1e15];

const limits = upperLimits(() => real({ atLeast: 0, atMost: largest }).optional());

const wireRequest = requestSchema({
  capacity: integer({ atLeast: 1, atMost: maxCapacity }).meta(
    pageCount('K: most pages in the system, including the one being indexed', { lever: { factor: 4 } }),
  ),
  crawlerRate: rateOfCrawler(smallest, largest),
  service: exponentialOrRate,
  costs: queueCosts,
  crawlers: availableCrawlers(activationLimits.maxCrawlers, 'as many as the optimum can use, or as evaluate names'),
  evaluate: z
    .union([
      integer({ atLeast: 1, atMost: activationLimits.maxCrawlers }).meta(crawlerCount()),
      strictObject('ActivationPolicyEvaluate', {
        targets: targetList('TargetCrawlers', maxCapacity, activationLimits.maxCrawlers).meta(
          crawlerCount(
            'K + 1 integers: after an event activate one crawler if fewer than targets[new queue length] are active',
          ),
        ),
      }),
    ])
    .optional()
    .meta(plain('A policy to evaluate instead: a constant number, or targets')),
  constraints: strictObject('ActivationPolicyConstraints', {
    lossRate: limits.lossRate,
    lossProbability: limits.lossProbability,
    starvationProbability: limits.starvationProbability,
    activeCrawlers: limits.activeCrawlers,
    meanQueueLength: limits.meanQueueLength,
  } satisfies Record<LimitedAverage, z.ZodType>)
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

const activeCrawlers = {
  min: z.number().meta(crawlerCount('Fewest in the recurrent class')),
  mean: z.number().meta(crawlerCount({ role: 'first' })),
  max: z.number().meta(crawlerCount('Most in the recurrent class')),
};

const averages = {
  starvationProbability: queueAverages.starvationProbability,
  lossRate: z.number().meta(rate({ unit: 'pages/time', role: 'first' })),
  meanQueueLength: queueAverages.meanQueueLength,
};

export const activationSolution = object('ActivationPolicySolution', {
  crawlers: z.int().meta(crawlerCount('N, given or chosen')),
  targets: z
    .array(z.int())
    .meta(crawlerCount('After an event, activate one crawler if fewer than targets[new queue length] are active')),
  activeCrawlers: object('ActivationPolicyActiveCrawlers', {
    ...activeCrawlers,
    maxActivating: z.int().meta(crawlerCount('Most crawlers active from which a departure still activates one')),
  }).describe('How many crawlers are active'),
  ...averages,
  switchingCurve: object('ActivationPolicySwitchingCurve', {
    monotone: z.boolean().describe('Whether targets never rise with the queue length'),
    afterArrival: z
      .array(z.int().nullable())
      .meta(pageCount('By number active: longest queue before an arrival at which its crawler stays on')),
    afterDeparture: z
      .array(z.int())
      .meta(pageCount('By number active: longest queue before a departure at which one more is activated')),
  }).describe('The policy as switching curves; null: the event cannot happen; −1: never'),
});

export const activationSupplement = {
  evaluation: activationSolution
    .extend({
      recurrentClasses: z
        .array(
          object('ActivationPolicyRecurrentClass', {
            cost: z.number().meta(costRate()),
            activeCrawlers: object('ActivationPolicyCrawlerRange', activeCrawlers).describe(
              'How many crawlers are active',
            ),
            ...averages,
          }),
        )
        .describe('Each recurrent class in the long run, most expensive first'),
    })
    .meta({ id: 'ActivationPolicyEvaluation' })
    .optional()
    .describe('With `evaluate`: measures of that policy, in its most expensive recurrent class'),
  sweep: sweepAnswerSchema('ActivationPolicySweep', activationSolution, activationSolution),
  baseline: object('ActivationPolicyBaseline', {
    crawlers: z.int().meta(crawlerCount()),
    cost: z.number().meta(costRate()),
  }).describe('The best constant number of crawlers'),
  relativeImprovement: numberOrNull.meta(share('(baseline cost − cost)/cost; null at cost 0')),
};

type AnsweredPolicy = SolvedAnswer<typeof activationSolution>;

export function activationSentence({ solution, objective }: AnsweredPolicy): string {
  const { targets, activeCrawlers: active, starvationProbability, lossRate } = solution;
  const rule = `Keep up to ${countText(targets[0], 'crawler')} active while the queue is empty and ${figure(targets[targets.length - 1])} while it is full`;
  const gives = `${figure(active.mean, 3)} are active on average, there is nothing to index for ${inPercent(starvationProbability)} of the time, and ${figure(lossRate, 3)} pages are lost per time unit`;
  return `${rule}, at a cost of ${figure(objective?.value)} per time unit: ${gives}.`;
}
