/** The wire shape of `crawl-plan`'s answer. */
import * as z from 'zod';
import { tableAnswerSchema } from '../table/table-answer.ts';
import { burstFigures, groupFigures, rhythmFigures, siblingShape } from './learning.ts';

const pageShape = {
  changeRate: z.number().describe('Changes per second, as estimated or given'),
  changeRateInterval: z
    .tuple([z.number(), z.number().nullable()])
    .describe('95% interval [low, high] of the change rate'),
  crawls: z.int().describe('Fetches in this interval'),
  fetchInterval: z
    .number()
    .nullable()
    .describe('Seconds between two fetches that the budget can keep up; null: none at this price'),
  intervalIfUnchanged: z
    .number()
    .nullable()
    .describe('From the next fetch on, if it finds no change: seconds to the one after; null: never'),
  intervalIfChanged: z
    .number()
    .nullable()
    .describe('From the next fetch on, if it finds a change: seconds to the one after; null: never'),
  nextFetch: z
    .number()
    .nullable()
    .describe('Epoch seconds; after the interval where the page gets none in it; null: never'),
  staleness: z.number().describe('Expected share of the interval in which the copy is stale'),
  uniformStaleness: z.number().describe('The same if all pages took turns on the same slots, within the same limits'),
  ...siblingShape,
  meanDelay: z
    .number()
    .optional()
    .describe('Under objective delay: seconds that a change of the interval waits for its fetch, in the mean'),
  meanAge: z
    .number()
    .optional()
    .describe('Under objective age: seconds since the first change that the copy lacks, in the mean over the interval'),
};

export const crawlPlanSolution = z.object({
  pages: tableAnswerSchema(pageShape, 'The pages, in the order and form of the request'),
  schedule: tableAnswerSchema(
    {
      time: z.number().describe('When the slot starts, epoch seconds'),
      crawler: z.int().describe('Position of the crawler'),
      page: z.int().describe('Position of the page'),
    },
    'The slots used, in time order, in the form of the pages',
  ),
  shadowPrice: z
    .number()
    .describe(
      'What the objective falls by with one more crawl: Σ weight·staleness per crawl, or Σ weight·cost under another objective',
    ),
  spent: z.number().optional().describe('With budget: what the fetches are expected to cost together'),
  withoutCrawl: z.array(z.int()).describe('Positions of the pages that get no crawl in this interval'),
  probed: z
    .array(z.int())
    .optional()
    .describe('With exploration: positions of the pages fetched sooner, or once more, for what that teaches'),
  idleSlots: z.int().describe('Slots in which no page may be fetched; those outside of windows are not counted'),
});

export const crawlPlanBeside = {
  longRun: z
    .object({
      value: z
        .number()
        .describe('Σ weight·staleness (or weight·cost) if every page is fetched at its fetchInterval for ever'),
      bound: z
        .number()
        .nullable()
        .describe('What no fetch intervals within the same limits can beat; null where no bound is known'),
      gap: z.number().nullable().describe('(value − bound)/max(|bound|, 1e−12)'),
    })
    .nullable()
    .optional()
    .describe(
      'The same objective for ever; null where the longest intervals ask for more fetches than there are, and where no bound is known',
    ),
  bursts: burstFigures
    .optional()
    .describe('With bursts: those that explain the earlier four fifths of the checks best'),
  rhythm: rhythmFigures
    .optional()
    .describe('With rhythm: when in the day and the week pages change, as far as the log shows'),
  groups: groupFigures
    .optional()
    .describe('With groups: how strongly their pages change together, as far as the log shows'),
  baselines: z
    .object({
      uniform: z
        .number()
        .describe(
          'The objective (Σ weight·staleness, or Σ weight·cost) if all pages took turns on the same slots, within the same limits',
        ),
    })
    .optional()
    .describe('What simpler plans reach; absent when infeasible'),
};

export const crawlPlanConflict = z.object({
  detail: z.string().describe('What cannot be kept, with the numbers'),
  pages: z.array(z.int()).describe('Positions of the pages concerned, at most 100'),
  host: z.string().nullable().describe('The host whose delay clashes; null when it is the slots'),
  crawlsNeeded: z.int().describe('Fetches due up to `by`'),
  slots: z.int().describe('Fetches possible up to then'),
  by: z.number().describe('Epoch seconds'),
  byLocal: z.string().describe('The same by the clock of timeZone'),
  page: z
    .int()
    .nullable()
    .describe('Position of the page whose fetch is the first too many; null where it is all of them together'),
  possibleBy: z
    .number()
    .nullable()
    .describe(
      'Epoch seconds to which that fetch’s deadline would have to move, one slot of grace beside; null: past the interval',
    ),
  possibleByLocal: z.string().nullable().describe('The same by the clock of timeZone'),
  costNeeded: z
    .number()
    .optional()
    .describe('Where the budget cannot pay for the fetches due: what they cost together, at least'),
  repair: z.string().describe('What would make it possible, with the numbers'),
  repairs: z
    .array(
      z.object({
        change: z
          .enum(['maxInterval', 'crawls', 'budget', 'minDelay', 'maxRate'])
          .describe('What to change; crawls are slots of all crawlers together'),
        factor: z.number().describe('By how many times, at least (minDelay: at most); of maxInterval all pages’'),
        to: z
          .number()
          .nullable()
          .describe('The value that will do; null for maxInterval, of which pages have their own'),
        host: z.string().nullable().describe('The host whose minDelay or maxRate it is'),
      }),
    )
    .describe('Each single change that would make it possible, the least to a hundredth; empty where none was found'),
});
