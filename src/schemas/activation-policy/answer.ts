/** The answer of `activation-policy`. */

import * as z from 'zod';
import { limitsConflictSchema, type SolvedAnswer } from '../contract/answer.ts';
import { costRate, crawlerCount, pageCount, rate, share } from '../contract/field.ts';
import { numberOrNull } from '../contract/range.ts';
import { queueAverages } from '../parts/queue/measures.ts';
import { sweepAnswerSchema } from '../parts/series/sweep.ts';
import { countText, figure, share as inPercent } from '../words/numbers.ts';

const activeCrawlers = {
  min: z.number().meta(crawlerCount('Fewest in the recurrent class')),
  mean: z.number().meta(crawlerCount('Time average', { role: 'first' })),
  max: z.number().meta(crawlerCount('Most in the recurrent class')),
};

const averages = {
  starvationProbability: queueAverages.starvationProbability,
  lossRate: z.number().meta(rate('Pages lost per time unit', { unit: 'pages/time', role: 'first' })),
  meanQueueLength: queueAverages.meanQueueLength,
};

export const activationSolution = z.object({
  crawlers: z.int().meta(crawlerCount('N, given or chosen')),
  targets: z
    .array(z.int())
    .meta(crawlerCount('After an event, activate one crawler if fewer than targets[new queue length] are active')),
  activeCrawlers: z
    .object({
      ...activeCrawlers,
      maxActivating: z.int().meta(crawlerCount('Most crawlers active from which a departure still activates one')),
    })
    .describe('How many crawlers are active'),
  ...averages,
  switchingCurve: z
    .object({
      monotone: z.boolean().describe('Whether targets never rise with the queue length'),
      afterArrival: z
        .array(z.int().nullable())
        .meta(pageCount('By number active: longest queue before an arrival at which its crawler stays on')),
      afterDeparture: z
        .array(z.int())
        .meta(pageCount('By number active: longest queue before a departure at which one more is activated')),
    })
    .describe('The policy as switching curves; null: the event cannot happen; −1: never'),
});

export const activationConflict = limitsConflictSchema;

export const activationBeside = {
  evaluation: activationSolution
    .extend({
      recurrentClasses: z
        .array(
          z.object({
            cost: z.number().meta(costRate('Its cost')),
            activeCrawlers: z.object(activeCrawlers).describe('How many crawlers are active'),
            ...averages,
          }),
        )
        .describe('Each recurrent class in the long run, most expensive first'),
    })
    .optional()
    .describe('With `evaluate`: measures of that policy, in its most expensive recurrent class'),
  sweep: sweepAnswerSchema(activationSolution, activationSolution),
  baseline: z
    .object({ crawlers: z.int().meta(crawlerCount('How many')), cost: z.number().meta(costRate('Their cost')) })
    .describe('The best constant number of crawlers'),
  relativeImprovement: numberOrNull.meta(share('(baseline cost − cost)/cost; null at cost 0')),
};

type Answered = SolvedAnswer<typeof activationSolution>;

export function activationSentence({ solution, objective }: Answered): string {
  const { targets, activeCrawlers: active, starvationProbability, lossRate } = solution;
  const rule = `Keep up to ${countText(targets[0], 'crawler')} active while the queue is empty and ${figure(targets[targets.length - 1])} while it is full`;
  const gives = `${figure(active.mean, 3)} are active on average, there is nothing to index for ${inPercent(starvationProbability)} of the time, and ${figure(lossRate, 3)} pages are lost per time unit`;
  return `${rule}, at a cost of ${figure(objective?.value)} per time unit: ${gives}.`;
}
