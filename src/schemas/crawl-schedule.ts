/** The wire shapes of `crawl-schedule`, and its request as the solver takes it. */
import * as z from 'zod';
import { maxTime } from '../solvers/crawl-allocation/index.ts';
import type { CrawlScheduleProblem } from '../solvers/crawl-schedule/index.ts';
import { requestSchema } from './contract/options.ts';
import { refusals } from './contract/refusals.ts';
import { allocationColumns, allocationOf, allocationRows, hostLimit } from './crawl-allocation.ts';
import { list } from './parts/list.ts';
import { strictObject } from './parts/strict-object.ts';
import { maxUpdateTimes } from './parts/update-process.ts';
import { type Columns, rowsOrColumns, type Table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';

/** Sizes this operation accepts. */
export const crawlScheduleLimits = {
  pages: 500_000,
  hosts: 500_000,
  crawlers: 100_000,
  slots: 5_000_000,
  updateTimesPerPage: maxUpdateTimes,
} as const;

const wireRequest = requestSchema({
  interval: z.number().positive().max(maxTime).describe('Length T of the interval, in time units'),
  crawls: z
    .int()
    .min(0)
    .max(crawlScheduleLimits.slots)
    .optional()
    .describe('Crawls to make in the interval; left out: as many as there are slots'),
  pages: rowsOrColumns(allocationRows, allocationColumns, {
    maxRows: crawlScheduleLimits.pages,
    description: 'The pages: how each changes, what it weighs, its limits, and how long ago it was crawled',
  }),
  crawlers: list(
    strictObject({
      id: z.string().max(2048).optional().describe('Name of the crawler'),
      slots: z
        .int()
        .min(0)
        .max(crawlScheduleLimits.slots)
        .describe('Slots S of the crawler in the interval: slot l (from 0) starts at l·interval/S'),
    }),
    { minItems: 1, maxItems: crawlScheduleLimits.crawlers },
    'crawlers {id?, slots}',
  ).describe('The crawlers; known by position from 0'),
  hosts: list(hostLimit, { minItems: 0, maxItems: crawlScheduleLimits.hosts }, 'hosts {host, maxCrawls}')
    .optional()
    .describe('Hosts whose pages together may take only so many crawls'),
});

/** A checked request: the solver's problem, and the list as it came, for the answer. */
export interface CheckedCrawlSchedule {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: CrawlScheduleProblem;
  readonly pages: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
}

export const crawlScheduleRequest = wireRequest.transform((request, context): CheckedCrawlSchedule => {
  const refuse = refusals(context.issues);
  const slotCounts = Int32Array.from(request.crawlers, ({ slots }) => slots);
  const slots = request.crawlers.reduce((sum, crawler) => sum + crawler.slots, 0);
  if (slots > crawlScheduleLimits.slots) {
    const message = `the crawlers must have at most ${crawlScheduleLimits.slots} slots together; got ${slots}`;
    refuse(['crawlers'], 'too-many-slots', message, slots);
  }
  const { problem, pages } = allocationOf(
    { ...request, crawls: request.crawls ?? slots, quasiDeterministic: 'exact', idealTimes: true, baselines: true },
    refuse,
  );
  return { options: request.options, problem: { allocation: problem, slotCounts }, pages };
});

export const crawlScheduleSolution = z.object({
  pages: tableAnswerSchema(
    {
      crawls: z.int().describe('Crawls in this interval, as scheduled'),
      times: z.array(z.number()).describe('When they are made, from the start of the interval, increasing'),
      idealTimes: z.array(z.number()).describe('When the allocation would make its crawls if times were free'),
      staleness: z.number().describe('Share of the interval with a stale copy, at the scheduled times'),
      idealStaleness: z.number().describe('The same at the ideal times'),
    },
    'The pages, in the order and form of the request',
  ),
  schedule: tableAnswerSchema(
    {
      time: z.number().describe('When the slot starts, from the start of the interval'),
      crawler: z.int().describe('Position of the crawler'),
      page: z.int().describe('Position of the page'),
    },
    'The slots used, in time order, in the form of the pages',
  ),
  idleSlots: z.int().describe('Slots without a crawl'),
  moved: z
    .int()
    .describe(
      'Crawls for which no slot was left after their update, and which were given to the next best page or time',
    ),
});

export const crawlScheduleBeside = {
  baselines: z
    .object({
      uniform: z
        .number()
        .describe('Objective with equal counts and free times: flattering, since slots take nothing away'),
      proportional: z.number().describe('The same with counts in proportion to update rates'),
    })
    .optional()
    .describe('The same objective under two plain allocations; absent when infeasible'),
};

export const crawlScheduleConflict = z.object({
  detail: z.string().describe('What cannot be done, with the numbers'),
  crawls: z.int().describe('Crawls to make'),
  slots: z.int().describe('Slots there are'),
  repair: z.string().describe('What would make it possible'),
});
