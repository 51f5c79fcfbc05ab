/** The answer of `activation-policy`. */
import * as z from 'zod';
import { compared, counted, figure, share as inPercent } from '../../words/numbers.ts';
import { limitsConflictSchema, type Wire } from '../contract/answer.ts';
import { cost, count, position, probability, rate, share } from '../contract/field.ts';
import { queueAverages } from '../parts/queue/measures.ts';
import { frontAnswerSchema } from '../parts/series/front.ts';
import { sweepAnswerSchema } from '../parts/series/sweep.ts';

const crawlers = { unit: 'crawlers' } as const;
const pages = { unit: 'pages' } as const;

const activeCrawlers = {
  min: z.number().meta(count('Fewest in the recurrent class', crawlers)),
  mean: z.number().meta(count('Time average', { ...crawlers, role: 'first' })),
  max: z.number().meta(count('Most in the recurrent class', crawlers)),
};

const averages = {
  starvationProbability: queueAverages.starvationProbability,
  lossRate: z.number().meta(rate('Pages lost per time unit', { unit: 'pages/time', role: 'first' })),
  meanQueueLength: queueAverages.meanQueueLength,
};

export const activationSolution = z.object({
  crawlers: z.int().meta(count('N, as given or as many as the optimum can use', crawlers)),
  targets: z
    .array(z.int())
    .meta(
      count(
        'R[0..K]: after an event, activate one crawler iff fewer than R[new queue length] are active; beside targetsByState or ' +
          'decisionsByState only the nearest to them, as is switchingCurve',
        crawlers,
      ),
    ),
  activeCrawlers: z
    .object({
      ...activeCrawlers,
      maxActivating: z
        .int()
        .meta(count('Largest number active from which a departure still activates: max R − 1', crawlers)),
    })
    .describe('How many crawlers are active'),
  ...averages,
  switchingCurve: z
    .object({
      monotone: z.boolean().describe('Whether the targets never rise with the queue length'),
      afterArrival: z.array(z.int().nullable()).meta(
        count('For r = 0..N active: largest queue length before the arrival at which its crawler is reactivated', {
          unit: 'pages',
        }),
      ),
      afterDeparture: z.array(z.int()).meta(
        count('For r = 0..N active: largest queue length before the departure at which one more is activated', {
          unit: 'pages',
        }),
      ),
    })
    .describe('Queue lengths and r before the event; null where the event cannot happen, −1 where never'),
  targetsByState: z
    .object({
      phases: z.array(z.int()).meta(position('The columns of the table: phases of indexing, from 0 as in service')),
      table: z.array(z.array(z.int())).meta(
        count('table[queue length][column]: activate one crawler iff fewer than this are active', {
          unit: 'crawlers',
        }),
      ),
    })
    .optional()
    .describe('With `observe: "phases"`: the policy, by the phase of indexing after the event'),
  decisionsByState: z
    .object({
      columns: z
        .array(
          z.object({
            service: z.int().meta(position('Phase of indexing after the event')),
            arrival: z
              .int()
              .nullable()
              .meta(position('Phase in which the crawler that brought a batch would go on; null after a departure')),
          }),
        )
        .describe('The columns of the table'),
      active: z.array(z.array(z.int())).meta(
        count('Crawlers active in each phase before the decision, the one that brought a batch left out', {
          unit: 'crawlers',
        }),
      ),
      table: z
        .array(z.array(z.string()))
        .describe('table[queue length][column]: character i is 1 iff one is activated where active[i] are'),
    })
    .optional()
    .describe('The policy decision by decision, where crawlers have phases or it is no table of targets'),
});

export const activationConflict = limitsConflictSchema;

export const activationBeside = {
  evaluation: activationSolution
    .extend({
      recurrentClasses: z
        .array(
          z.object({
            cost: z.number().meta(cost('Its cost', { unit: 'cost/time' })),
            activeCrawlers: z.object(activeCrawlers).describe('How many crawlers are active'),
            ...averages,
          }),
        )
        .describe('What each recurrent class does in the long run, the dearest first'),
    })
    .optional()
    .describe('With `evaluate`: what that policy does, the dearest recurrent class where there are several'),
  mixture: z
    .array(
      z.object({
        share: z.number().meta(share('Share of the time')),
        targets: z.array(z.int()).meta(count('Its targets', crawlers)),
        cost: z.number().meta(cost('Its own cost', { unit: 'cost/time' })),
        ...averages,
      }),
    )
    .optional()
    .describe('With `constraints`: the policies whose mixture in time is best, where no single one is'),
  mixedDecision: z
    .object({
      queueLength: z.int().meta(count('An event that leaves so many pages …', pages)),
      activeCrawlers: z.int().meta(count('… with so many crawlers active before it is decided …', crawlers)),
      probability: z.number().meta(probability('… activates one more with this probability')),
    })
    .optional()
    .describe('The same mixture as one policy: `targets` but for one decision, which is left to chance'),
  dualPrices: z
    .record(z.string(), z.number())
    .optional()
    .meta(
      cost('With `constraints`, for each: what a unit more of it would save per time unit; 0 where it does not bind'),
    ),
  byQueueLength: z
    .object({
      targets: z.array(z.int()).meta(count('Its targets', crawlers)),
      cost: z.number().meta(cost('Its cost', { unit: 'cost/time' })),
    })
    .optional()
    .describe('With `observe: "phases"`: the best targets found for a controller that does not see the phases'),
  fullInformation: z
    .object({
      cost: z.number().meta(cost('Cost of the best policy found that sees the phases', { unit: 'cost/time' })),
      relativeImprovement: z.number().meta(share('1 − that cost/cost of the answer')),
    })
    .optional()
    .describe('Where there are phases that are not seen: how far seeing them could go'),
  sweep: sweepAnswerSchema(activationSolution, activationSolution),
  front: frontAnswerSchema(activationSolution.pick({ targets: true })),
  baseline: z
    .object({
      crawlers: z.int().meta(count('How many', crawlers)),
      cost: z.number().meta(cost('Their cost', { unit: 'cost/time' })),
    })
    .describe('The best number of always-active crawlers, at most `crawlers`, and its cost'),
  relativeImprovement: z
    .number()
    .nullable()
    .meta(share('(baseline cost − cost)/cost; null when the cost is 0, or too small to divide by')),
};

/** What the sentence reads. */
interface Said {
  readonly solution: Wire<z.input<typeof activationSolution>>;
  readonly objective?: { readonly value: number } | undefined;
  readonly beside?: { readonly baseline: { readonly crawlers: number; readonly cost: number } } | undefined;
}

/** The answer in words. */
export function activationSentence({ solution, objective, beside }: Said): string {
  const { targets, activeCrawlers: active, starvationProbability, lossRate } = solution;
  const value = objective?.value ?? Number.NaN;
  const rule = `Keep up to ${counted(targets[0], 'crawler')} active while the queue is empty and ${figure(targets[targets.length - 1])} while it is full`;
  const gives = `${figure(active.mean, 3)} are active on average, there is nothing to index for ${inPercent(starvationProbability)} of the time, and ${figure(lossRate, 3)} pages are lost per time unit`;
  const fixed =
    beside === undefined
      ? ''
      : `; ${counted(beside.baseline.crawlers, 'crawler')} always active would cost ${compared(beside.baseline.cost, value)}`;
  return `${rule}: ${gives}. It costs ${figure(value)} per time unit${fixed}.`;
}
