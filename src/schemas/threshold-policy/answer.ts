/** The answer of `threshold-policy`. */
import * as z from 'zod';
import { limitsConflictSchema, type SolvedAnswer } from '../contract/answer.ts';
import { costRate, crawlerCount, pageCount, position, share } from '../contract/field.ts';
import { queueMeasures } from '../parts/queue/measures.ts';
import { sweepAnswerSchema } from '../parts/series/sweep.ts';
import { countText, figure, share as inPercent } from '../words/numbers.ts';
import { policyMeasures } from './measures.ts';

const crawlersByState = z
  .object({
    phases: z
      .array(z.array(z.number()).length(2))
      .meta(position('The columns: [arrival phase, service phase], from 0')),
    table: z.array(z.array(z.number())).meta(crawlerCount('table[queue length][column]: active crawlers')),
  })
  .optional()
  .describe('With observed phases: active crawlers by state');

export const thresholdPolicySolution = z.object({
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

export const thresholdPolicyBeside = {
  evaluation: thresholdPolicySolution.optional().describe('With `evaluate`: measures of that policy'),
  fixedModes: z
    .array(
      z.object({
        crawlers: z.number().meta(crawlerCount('Always this many active')),
        cost: z.number().meta(costRate('Cost per time unit')),
        measures: z.object(queueMeasures).describe('Exact measures'),
      }),
    )
    .describe('Cost of each mode when always on'),
  subsets: z
    .array(
      z.object({
        modes: z.array(z.number()).meta(crawlerCount('The modes of the subset, most active first')),
        thresholds: z.array(z.number()).meta(pageCount('Their best thresholds; equal ones leave a mode unused')),
        cost: z.number().meta(costRate('Cost per time unit')),
      }),
    )
    .optional()
    .describe('With all policies enumerated: the best thresholds of each subset'),
  relativeProfit: z
    .number()
    .nullable()
    .optional()
    .meta(share('1 − cost/(cost of the best fixed mode within limits); null: none')),
  byQueueLength: z
    .object({
      crawlersByQueueLength: z.array(z.number()).meta(crawlerCount('Active crawlers at queue lengths 0..K')),
      cost: z.number().meta(costRate('Its cost per time unit')),
    })
    .optional()
    .describe('With `observe`: the best policy found by queue length alone'),
  sweep: sweepAnswerSchema(thresholdPolicySolution, thresholdPolicySolution),
};

export const thresholdPolicyConflict = limitsConflictSchema.extend({
  nearest: z
    .object({
      crawlersByQueueLength: z.array(z.number()).meta(crawlerCount('Active crawlers at queue lengths 0..K')),
      measures: z.object(queueMeasures).describe('Its measures'),
    })
    .nullable()
    .describe('The policy that exceeds the limits least, relatively'),
});

export function thresholdPolicySentence({ solution, objective }: SolvedAnswer<typeof thresholdPolicySolution>): string {
  const { measures, modes, thresholds, crawlersByState } = solution;
  const gives =
    `${figure(measures.activeCrawlers, 3)} are active on average, there is nothing to index for ` +
    `${inPercent(measures.starvationProbability)} of the time, ${inPercent(measures.lossProbability)} of the pages are ` +
    `lost and ${inPercent(measures.obsolescenceProbability)} expire`;
  const steps = Array.from(thresholds ?? [], (last, i) => `${figure(modes[i])} up to ${countText(last, 'page')}`);
  const byLength = [...steps, `${figure(modes[modes.length - 1])} crawlers beyond`].join(', ');
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
