/** Request and answer of simulations/queue: one of two queues, told apart by the properties that are given. */
import * as z from 'zod';
import { maxReplications, minReplications } from '../solvers/simulation/index.ts';
import { requestSchema } from './contract/options.ts';
import { conditions } from './contract/refusals.ts';
import { policySchema, queueLimits, queueShape } from './parts/controlled-queue.ts';
import { numberList } from './parts/number-list.ts';

const controlled = ['arrivals', 'service', 'obsolescence', 'policy'] as const;
const controlledOnly = [...controlled, 'admission', 'discipline', 'repairDiagonal', 'modes'] as const;
const activation = ['crawlerRate', 'indexingRate', 'crawlers', 'targets'] as const;

export const simulationsQueueRequest = requestSchema({
  capacity: queueShape.capacity,
  horizon: z
    .number()
    .positive()
    .describe('Time units each replication is observed, after a warm-up of a tenth of that'),
  replications: z
    .int()
    .min(minReplications)
    .max(maxReplications)
    .default(20)
    .describe('Independent replications; the intervals are by Student’s t over them (default 20)'),
  arrivals: queueShape.arrivals.optional(),
  service: queueShape.service.optional(),
  obsolescence: queueShape.obsolescence.optional(),
  admission: queueShape.admission,
  discipline: queueShape.discipline,
  repairDiagonal: queueShape.repairDiagonal,
  modes: numberList(
    'Crawler counts that may be used (default: all the arrivals know); 0: all crawlers off, but never while the queue is empty; thresholds are about these',
    { minItems: 1, maxItems: queueLimits.modes },
    { atLeast: 0, integer: true },
  ).optional(),
  policy: policySchema.optional(),
  crawlerRate: z
    .number()
    .positive()
    .optional()
    .describe('As in activation-policy: pages per time unit of one active crawler'),
  indexingRate: z.number().positive().optional().describe('As in activation-policy: pages indexed per time unit'),
  crawlers: z.int().min(1).max(1_000_000).optional().describe('As in activation-policy: crawlers available'),
  targets: numberList(
    'As in activation-policy: K + 1 integers in 0..crawlers, the first at least 1; activate iff fewer than targets[new queue length] are active',
    { minItems: 2, maxItems: queueLimits.capacity + 1 },
    { integer: true, atLeast: 0, atMost: 1_000_000 },
  ).optional(),
}).check(
  conditions((value, refuse) => {
    const activates = activation.some((name) => value[name] !== undefined);
    const [needed, foreign, queue, other] = activates
      ? [activation, controlledOnly, 'the activation-policy queue', 'the threshold-policy queue']
      : [controlled, activation, 'the threshold-policy queue', 'the activation-policy queue'];
    for (const name of needed) {
      if (value[name] === undefined) {
        const all = needed.join(', ');
        refuse(
          [name],
          'needed-by-queue',
          `is required: ${queue} needs ${all} (${other}: ${otherNeeds(activates)})`,
          undefined,
        );
      }
    }
    for (const name of foreign) {
      if (value[name] !== undefined) {
        refuse(
          [name],
          'not-applicable',
          `belongs to ${other}, and the request describes ${queue}: leave one of them out`,
          value[name],
        );
      }
    }
    const { targets, crawlers, capacity } = value;
    if (targets === undefined || crawlers === undefined) return;
    if (targets.length !== capacity + 1) {
      const message = `must have ${capacity + 1} items, one for each queue length 0..${capacity}; got ${targets.length}`;
      refuse(['targets'], 'wrong-length', message, targets);
    } else if (targets[0] < 1) {
      const message = 'must be at least 1: a controller that idles on an empty queue never wakes';
      refuse(['targets', 0], 'first-target-zero', message, targets[0]);
    } else {
      const over = targets.findIndex((target) => target > crawlers);
      if (over >= 0) {
        const message = `must be at most crawlers (${crawlers}); got ${targets[over]}`;
        refuse(['targets', over], 'above-crawlers', message, targets[over]);
      }
    }
  }),
);

function otherNeeds(activates: boolean): string {
  return (activates ? controlled : activation).join(', ');
}

const estimate = z.object({
  mean: z.number().describe('Mean over the replications'),
  interval: z.array(z.number()).length(2).describe('95% confidence interval of the mean: [low, high]'),
});
const measured = (description: string) => estimate.nullable().optional().describe(description);

export const simulationsQueueSolution = z.object({
  measures: z
    .object({
      arrivalRate: measured('Pages that arrive per time unit, lost ones included'),
      lossProbability: measured('Share of the arriving pages that find no room'),
      obsolescenceProbability: measured('Share of the arriving pages that expire while waiting'),
      successProbability: measured('Share of the arriving pages that are indexed'),
      starvationProbability: measured('Share of time in which the system is empty'),
      activeCrawlers: measured('Mean number of active crawlers'),
      queueLength: measured('Mean number of pages in the system'),
      responseTime: measured('V1: mean time in the system of the pages that are indexed'),
      obsoleteSojournTime: measured('V2: mean time in the system of the pages that expire; null when none did'),
      sojournTime: measured('Mean time in the system over all arriving pages, lost ones counting 0'),
      lossRate: measured('activation-policy queue: pages lost per time unit'),
      meanQueueLength: measured('activation-policy queue: mean number of pages in the system'),
    })
    .describe('Named as in the operation that is simulated: those of threshold-policy, or those of activation-policy'),
});
