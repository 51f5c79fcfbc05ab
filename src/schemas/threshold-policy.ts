/** Request and answer of `threshold-policy`, with the measures of a policy and the laws that may be asked for. */
import * as z from 'zod';
import type { ConstraintName } from '../solvers/queue/measures.ts';
import type { ThresholdPolicyProblem } from '../solvers/threshold-policy/index.ts';
import { limitsConflictSchema, type SolvedAnswer } from './contract/answer.ts';
import {
  costRate,
  crawlerCount,
  type Field,
  number,
  pageCount,
  plain,
  position,
  probability,
  rate,
  share,
  time,
} from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { numberOrNull, real } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { choice, object, strictObject } from './contract/strict-object.ts';
import { costFields, queueMeasures, upperLimits } from './parts/queue/measures.ts';
import { evaluatedPolicy, policyOf } from './parts/queue/policy.ts';
import { availableCrawlers, crawlerLimit, queueDescription, queueLimits, queueShape } from './parts/queue/queue.ts';
import { sweepAnswerSchema, sweepSchema } from './parts/series/sweep.ts';
import { countText, figure, share as inPercent } from './words/numbers.ts';

const limits = upperLimits();
/** Exactly the measures that the solver can limit. */
const constraints = strictObject('ThresholdPolicyConstraints', {
  lossProbability: limits.lossProbability,
  obsolescenceProbability: limits.obsolescenceProbability,
  starvationProbability: limits.starvationProbability,
  responseTime: limits.responseTime,
  activeCrawlers: limits.activeCrawlers,
} satisfies Record<ConstraintName, z.ZodType>);
export const limitedMeasures = constraints.keyof().options;

const pointsSize = { minItems: 1, maxItems: queueLimits.quantiles };

/** The points at which to give the law of a time in the system. */
const timeRequest = strictObject('ThresholdPolicyResponse', {
  quantiles: list(real({ above: 0, below: 1 }), pointsSize)
    .optional()
    .meta(probability('Probabilities at which quantiles are wanted')),
  times: list(real({ atLeast: 0 }), pointsSize)
    .optional()
    .meta(time('Times at which to answer P(T ≤ time)')),
  transformAt: list(real({ atLeast: 0 }), pointsSize)
    .optional()
    .meta(rate('Points s at which to answer E e^(−sT)')),
}).optional();
const timeOfPages = 'Time in the system of pages that';

const flag = (description: string) => z.boolean().default(false).meta(plain(description));

const wireRequest = requestSchema({
  ...queueShape,
  costs: strictObject('ThresholdPolicyCosts', costFields).describe('Prices that make up the cost per time unit'),
  crawlers: availableCrawlers(crawlerLimit, 'as many as the arrivals know; with crawlerRate it must be given'),
  constraints: constraints.optional().describe('Upper limits that the policy must keep'),
  evaluate: evaluatedPolicy.optional(),
  observe: choice('ThresholdPolicyObserve', ['queue-length', 'phases'])
    .optional()
    .meta(
      plain('What the controller sees; left out: queue-length. With phases the answer is a table', {
        role: 'advanced',
      }),
    ),
  measures: strictObject('ThresholdPolicyMeasures', {
    distribution: flag('The probabilities of queue lengths'),
    phases: flag('Shares of the phases of arrivals and indexing'),
    modes: flag('The arrivals of each mode by themselves'),
    response: timeRequest.describe(`${timeOfPages} are indexed: mean, variance, and what is asked here`),
    expired: timeRequest.describe(`${timeOfPages} expire: mean, variance, and what is asked here`),
  })
    .optional()
    .meta(plain('Measures to answer beside the usual ones', { role: 'advanced' })),
  sweep: sweepSchema.optional(),
});

/** A checked request: the problem as the solver takes it. */
type CheckedThresholdPolicy = ThresholdPolicyProblem & Pick<z.output<typeof wireRequest>, 'options' | 'sweep'>;

export const thresholdPolicyRequest = wireRequest.transform((request, context): CheckedThresholdPolicy => {
  const { costs, constraints, evaluate, observe, measures, options, sweep, ...queue } = request;
  const description = queueDescription(queue, refusals(context.issues));
  if (description === null) return z.NEVER;
  return {
    ...description,
    costs,
    constraints,
    evaluate: evaluate === undefined ? undefined : policyOf(evaluate, request.capacity),
    observe,
    measures,
    options,
    sweep,
  };
});

const timeLaw = object('TimeInSystem', {
  mean: z.number().meta(time()),
  variance: z.number().meta(number({ unit: 'time²' })),
  quantiles: z
    .array(
      object('ThresholdPolicyQuantile', {
        probability: z.number().meta(number()),
        time: z.number().meta(time('Time not exceeded with that probability')),
      }),
    )
    .optional()
    .describe('Where `quantiles` were asked for'),
  distribution: z
    .array(
      object('ThresholdPolicyDistribution', {
        time: z.number().meta(number()),
        probability: z.number().meta(probability('P(T ≤ time)')),
      }),
    )
    .optional()
    .describe('Where `times` were asked for'),
  transform: z
    .array(
      object('ThresholdPolicyTransform', {
        at: z.number().meta(rate('s, as asked')),
        value: z.number().meta(number('E e^(−sT)')),
      }),
    )
    .optional()
    .describe('Where `transformAt` was asked for'),
});

const views = <View extends z.ZodType>(id: string, view: View, field: (description: string) => Field) =>
  object(id, {
    atAnyTime: view.meta(field('At any time')),
    atArrivals: view.meta(field('As arriving batches find it')),
    atDepartures: view.meta(field('As indexed pages leave it behind')),
  }).optional();

const phaseShares = object('ThresholdPolicyPhaseShares', {
  arrival: z.array(z.number()).meta(share('Share of each arrival phase')),
  service: z.array(z.number()).meta(share('Share of each phase of indexing')),
});

const baseMeasures = object('ThresholdPolicyFixedModeMeasures', queueMeasures).describe('Exact measures');

const furtherMeasures = {
  queueLengths: views('ThresholdPolicyQueueLengths', z.array(z.number()), probability).describe(
    'With `measures.distribution`: probabilities of queue lengths',
  ),
  phases: views('ThresholdPolicyPhases', phaseShares, plain).describe(
    'With `measures.phases`: the shares of the phases',
  ),
  modes: z
    .array(
      object('ThresholdPolicyMode', {
        crawlers: z.number().meta(crawlerCount()),
        arrivalRate: z.number().meta(rate('λ: pages per time unit in this mode', { unit: 'pages/time' })),
        batchRate: z.number().meta(rate('λ_g: batches per time unit', { unit: 'batches/time' })),
        gapVariance: numberOrNull.meta(
          number('Variance of the gap between batches; null: no batches', { unit: 'time²' }),
        ),
        gapCorrelations: z.array(z.number()).nullable().meta(number('Correlation of gaps 1, 2, … apart')),
      }),
    )
    .optional()
    .describe('With `measures.modes`: arrivals of each mode'),
  response: timeLaw.optional().describe('With `measures.response`: time in the system of indexed pages'),
  expired: timeLaw
    .nullable()
    .optional()
    .meta(plain('With `measures.expired`: time in the system of expired pages; null: none')),
};

export const policyMeasures = object('ThresholdPolicySolutionMeasures', {
  ...queueMeasures,
  ...furtherMeasures,
}).describe('Exact measures of the policy');

const crawlersByState = object('ThresholdPolicySolutionCrawlersByState', {
  phases: z.array(z.array(z.number()).length(2)).meta(position('The columns: [arrival phase, service phase], from 0')),
  table: z.array(z.array(z.number())).meta(crawlerCount('table[queue length][column]: active crawlers')),
})
  .optional()
  .describe('With observed phases: active crawlers by state');

export const thresholdPolicySolution = object('ThresholdPolicySolution', {
  crawlersByQueueLength: z
    .array(z.number())
    .meta(crawlerCount('Active crawlers at queue lengths 0..K; a mean with crawlersByState')),
  modes: z.array(z.number()).meta(crawlerCount('Crawler counts used, most active first')),
  thresholds: z
    .array(z.number())
    .nullable()
    .meta(pageCount('Last queue length of each used mode but the least active; null: by state')),
  crawlersByState,
  measures: policyMeasures,
});

export const thresholdPolicySupplement = {
  evaluation: thresholdPolicySolution.optional().describe('With `evaluate`: measures of that policy'),
  fixedModes: z
    .array(
      object('ThresholdPolicyFixedMode', {
        crawlers: z.number().meta(crawlerCount('Always this many active')),
        cost: z.number().meta(costRate()),
        measures: baseMeasures,
      }),
    )
    .describe('Cost of each mode when always on'),
  subsets: z
    .array(
      object('ThresholdPolicySubset', {
        modes: z.array(z.number()).meta(crawlerCount('The modes of the subset, most active first')),
        thresholds: z.array(z.number()).meta(pageCount('Their best thresholds; equal ones leave a mode unused')),
        cost: z.number().meta(costRate()),
      }),
    )
    .optional()
    .describe('With all policies enumerated: the best thresholds of each subset'),
  relativeProfit: z
    .number()
    .nullable()
    .optional()
    .meta(share('1 − cost/(cost of the best fixed mode within limits); null: none')),
  byQueueLength: object('ThresholdPolicyByQueueLength', {
    crawlersByQueueLength: z.array(z.number()).meta(crawlerCount('Active crawlers at queue lengths 0..K')),
    cost: z.number().meta(costRate()),
  })
    .optional()
    .describe('With `observe`: the best policy found by queue length alone'),
  sweep: sweepAnswerSchema('ThresholdPolicySweep', thresholdPolicySolution, thresholdPolicySolution),
};

export const thresholdPolicyConflict = limitsConflictSchema
  .extend({
    nearest: object('ThresholdPolicyNearest', {
      crawlersByQueueLength: z.array(z.number()).meta(crawlerCount('Active crawlers at queue lengths 0..K')),
      measures: baseMeasures,
    })
      .nullable()
      .describe('The policy that exceeds the limits least, relatively'),
  })
  .meta({ id: 'ThresholdPolicyConflict' });

export function thresholdPolicySentence({ solution, objective }: SolvedAnswer<typeof thresholdPolicySolution>): string {
  const { measures, modes, thresholds, crawlersByState } = solution;
  const gives =
    `${figure(measures.activeCrawlers, 3)} are active on average, there is nothing to index for ` +
    `${inPercent(measures.starvationProbability)} of the time, ${inPercent(measures.lossProbability)} of the pages are ` +
    `lost and ${inPercent(measures.obsolescenceProbability)} expire`;
  const steps = Array.from(thresholds ?? [], (last, i) => `${figure(modes[i])} up to ${countText(last, 'page')}`);
  const byLength = [...steps, `${countText(modes[modes.length - 1], 'crawler')} beyond`].join(', ');
  const rule =
    crawlersByState !== undefined
      ? 'the numbers of the table active, by queue length and phases'
      : thresholds === null
        ? 'the listed number of crawlers active at each queue length'
        : steps.length === 0
          ? `${countText(modes[0], 'crawler')} active whatever the queue length`
          : `active by queue length ${byLength}`;
  return `Keep ${rule}, at a cost of ${figure(objective?.value)} per time unit: ${gives}.`;
}
