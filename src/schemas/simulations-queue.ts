/** Request and answer of `simulations/queue`: a queue and a policy for it, as the other queue operations take them. */

import * as z from 'zod';
import { exponentialRate } from '../solvers/laws/index.ts';
import { maxReplications, minReplications, type QueueSimulationProblem } from '../solvers/simulation/index.ts';
import type { Wire as AnswerWire } from './contract/answer.ts';
import { count, crawlerCount, type Field, pageCount, plain, rate, share, time } from './contract/field.ts';
import { requestSchema } from './contract/options.ts';
import { integer, interval, real } from './contract/range.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { object } from './contract/strict-object.ts';
import { measureFields } from './parts/queue/measures.ts';
import {
  alwaysActive,
  checkTargets,
  exactlyOnePolicyForm,
  policyForms,
  policyOf,
  targetList,
} from './parts/queue/policy.ts';
import {
  availableCrawlers,
  crawlerLimit,
  poissonCounts,
  queueDescription,
  queueLimits,
  queueShape,
} from './parts/queue/queue.ts';
import { figure, share as inPercent } from './words/numbers.ts';

export const simulationsQueueLimits = { ...queueLimits, replications: maxReplications };

const targets = targetList('QueueSimulationTargetCrawlers', queueLimits.capacity, crawlerLimit).meta(
  crawlerCount('As activation-policy answers: for crawlerRate and exponential service'),
);

const wireRequest = requestSchema({
  ...queueShape,
  crawlers: availableCrawlers(crawlerLimit, 'as many as the policy or the arrivals know'),
  evaluate: z
    .union([
      alwaysActive,
      exactlyOnePolicyForm('QueueSimulationEvaluate', { targets: targets.optional(), ...policyForms }),
    ])
    .meta(plain('The policy to simulate: a constant number, or by queue length or state')),
  duration: real({ above: 0 }).meta(time('Length of each replication, after a warm-up of a tenth')),
  replications: integer({ atLeast: minReplications, atMost: maxReplications })
    .default(20)
    .meta(count({ unit: 'replications' })),
});

type Wire = z.output<typeof wireRequest>;

/** A checked request: the problem as the solver takes it. */
type CheckedQueueSimulation = QueueSimulationProblem & Pick<Wire, 'options'>;

export const simulationsQueueRequest = wireRequest.transform((request, context): CheckedQueueSimulation => {
  const refuse = refusals(context.issues);
  const { evaluate, options } = request;
  const problem =
    typeof evaluate === 'object' && evaluate.targets !== undefined
      ? switchedQueue(request, evaluate.targets, refuse)
      : controlledQueue(request, refuse);
  return problem === null ? z.NEVER : { ...problem, options };
});

/** The queue of threshold-policy; null where it is refused. */
function controlledQueue(request: Wire, refuse: Refuse): QueueSimulationProblem | null {
  const { evaluate, duration, replications, options: _, ...queue } = request;
  const policy = policyOf(typeof evaluate === 'number' ? evaluate : { ...evaluate }, request.capacity);
  const { crawlerRate, arrivals } = queue;
  const poisson =
    crawlerRate !== undefined && arrivals === undefined && 'crawlersByQueueLength' in policy
      ? { crawlerRate: undefined, arrivals: poissonCounts(crawlerRate, policy.crawlersByQueueLength) }
      : {};
  const description = queueDescription({ ...queue, ...poisson }, refuse);
  return description && { queue: 'threshold-policy', description, policy, duration, replications };
}

/** The queue of activation-policy; null where it is refused. */
function switchedQueue(request: Wire, targets: readonly number[], refuse: Refuse): QueueSimulationProblem | null {
  const { capacity, crawlerRate, service, duration, replications } = request;
  const foreign = (['arrivals', 'modes', 'admission'] as const).find((name) => request[name] !== undefined);
  const extraField = request.obsolescence === null ? foreign : 'obsolescence';
  if (extraField !== undefined) {
    const message = 'does not go with targets, whose crawlers bring single pages that never expire: leave it out';
    refuse([extraField], 'not-applicable', message, request[extraField]);
    return null;
  }
  const serviceRate = exponentialRate(service);
  if (crawlerRate === undefined || serviceRate === null) {
    const [name, what] = crawlerRate === undefined ? ['crawlerRate', undefined] : ['service', service];
    const message =
      crawlerRate === undefined
        ? 'is required: targets are for crawlers with a rate'
        : 'must be exponential with targets; give a number, its rate';
    refuse([name], 'needed-by-queue', message, what);
    return null;
  }
  const crawlers = request.crawlers ?? targets.reduce((a, b) => Math.max(a, b));
  if (!checkTargets(targets, capacity, crawlers, refuse)) return null;
  return { queue: 'activation-policy', capacity, crawlerRate, serviceRate, crawlers, targets, duration, replications };
}

const estimate = (id: string, field: Field) =>
  object(id, { mean: z.number().meta(field), interval: interval.meta(field) });
const estimates: Readonly<Record<string, ReturnType<typeof estimate>>> = {
  share: estimate('QueueSimulationShare', share()),
  'pages/time': estimate('QueueSimulationRate', rate({ unit: 'pages/time' })),
  crawlers: estimate('QueueSimulationCrawlers', crawlerCount()),
  pages: estimate('QueueSimulationPages', pageCount()),
  time: estimate('QueueSimulationTime', time()),
};

const measureSchema = ({ description = 'Mean over time', 'x-unit': unit = 'share', 'x-role': role }: Field) =>
  estimates[unit].nullable().optional().meta({ description, 'x-role': role });

export const simulationsQueueSolution = object('QueueSimulationSolution', {
  measures: object('QueueSimulationMeasures', {
    ...measureFields(measureSchema),
    lossRate: measureSchema(rate('With targets: pages lost', { unit: 'pages/time' })),
    meanQueueLength: measureSchema(pageCount('With targets: mean number of pages')),
  }).describe(
    'Long-run measures of the policy: the mean of each over the replications, and its 95% interval [low, high]',
  ),
});

type Solution = AnswerWire<z.input<typeof simulationsQueueSolution>>;
type MeasureEstimate = Solution['measures'][keyof Solution['measures']];

export function simulationsQueueSentence({ solution }: { readonly solution: Solution }): string {
  const { starvationProbability, activeCrawlers } = solution.measures;
  const describe = (measure: MeasureEstimate, say: (value: number) => string): string =>
    measure ? `${say(measure.mean)} (${say(measure.interval[0])} to ${say(measure.interval[1])})` : '–';
  const idle = describe(starvationProbability, (value) => inPercent(value, 3));
  const active = describe(activeCrawlers, (value) => figure(value, 3));
  return `There is nothing to index for ${idle} of the time, and ${active} crawlers are active on average.`;
}
