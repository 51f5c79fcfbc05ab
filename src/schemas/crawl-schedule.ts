/** The wire shapes of `crawl-schedule`, and its request as the solver takes it. */

import * as z from 'zod';
import { maxTime } from '../solvers/crawl-allocation/index.ts';
import type { CrawlScheduleProblem, HostDelays } from '../solvers/crawl-schedule/index.ts';
import type { SolvedAnswer } from './contract/answer.ts';
import { count, crawlCount, id, moment, position, share, time } from './contract/field.ts';
import { list } from './contract/list.ts';
import { requestSchema } from './contract/options.ts';
import { integer, real, staleShare } from './contract/range.ts';
import { refusals } from './contract/refusals.ts';
import { object, strictObject } from './contract/strict-object.ts';
import { allocationOf, allocationTable } from './crawl-allocation.ts';
import { maxUpdateTimes } from './parts/update-process.ts';
import { cellsOf, tableAnswerSchema } from './table/table-answer.ts';
import { countText, figure } from './words/numbers.ts';

export const crawlScheduleLimits = {
  pages: 500_000,
  hosts: 500_000,
  crawlers: 100_000,
  slots: 5_000_000,
  updateTimesPerPage: maxUpdateTimes,
} as const;

const hostRule = strictObject('CrawlScheduleHost', {
  host: z.string().max(2048).meta(id('The host, as the pages name it')),
  maxCrawls: integer({ atLeast: 0, atMost: crawlScheduleLimits.slots })
    .optional()
    .meta(crawlCount('Most crawls of its pages together')),
  minDelay: real({ atLeast: 0, atMost: maxTime })
    .default(0)
    .meta(time('Least time between starts of its crawls, also since its last')),
});

const wireRequest = requestSchema({
  interval: real({ above: 0, atMost: maxTime }).meta(time()),
  crawls: integer({ atLeast: 0, atMost: crawlScheduleLimits.slots })
    .optional()
    .meta(crawlCount('Crawls to make; left out: as many as possible')),
  pages: allocationTable('CrawlSchedulePage', crawlScheduleLimits.pages),
  crawlers: list(
    strictObject('CrawlScheduleCrawler', {
      id: z.string().max(2048).optional().meta(id()),
      slots: integer({ atLeast: 0, atMost: crawlScheduleLimits.slots })
        .optional()
        .meta(
          count('Slots: slot l, from 0, starts at l·interval/slots', {
            unit: 'slots',
            lever: { factor: 4 },
          }),
        ),
      crawlTime: real({ above: 0, atMost: maxTime })
        .optional()
        .meta(time('In place of slots: the time of one crawl; slots = ⌊interval/crawlTime⌋')),
    }),
    { minItems: 1, maxItems: crawlScheduleLimits.crawlers },
  ).describe('The crawlers; known by position from 0'),
  hosts: list(hostRule, { minItems: 0, maxItems: crawlScheduleLimits.hosts })
    .optional()
    .describe('Hosts with limits or delays'),
});

export const crawlScheduleRequest = wireRequest.transform((request, context) => {
  const refuse = refusals(context.issues);
  const { interval, crawlers, hosts } = request;
  const slotCounts = new Int32Array(crawlers.length);
  let slots = 0;
  for (const [k, { slots: own, crawlTime }] of crawlers.entries()) {
    if ((own === undefined) === (crawlTime === undefined)) {
      refuse(['crawlers', k], 'one-of', 'give slots or crawlTime, one of the two', crawlers[k]);
    }
    const count = own ?? Math.floor((interval / (crawlTime ?? interval)) * (1 + 1e-12));
    slots += count;
    slotCounts[k] = Math.min(count, crawlScheduleLimits.slots);
  }
  if (slots > crawlScheduleLimits.slots) {
    const message = `the crawlers must have at most ${crawlScheduleLimits.slots} slots together; got ${slots}`;
    refuse(['crawlers'], 'too-many-slots', message, slots);
  }
  const limits = hosts?.map(({ host, maxCrawls }) => ({ host, maxCrawls: maxCrawls ?? crawlScheduleLimits.slots }));
  const { problem, pages } = allocationOf(
    {
      ...request,
      hosts: limits,
      crawls: request.crawls ?? Math.min(slots, crawlScheduleLimits.slots),
      quasiDeterministic: 'exact',
      objective: 'freshness',
      idealTimes: true,
      baselines: true,
    },
    refuse,
  );
  const hostDelays = hostDelaysOf(problem, hosts ?? []);
  const upTo = request.crawls === undefined;
  return { options: request.options, problem: { allocation: problem, upTo, slotCounts, hostDelays }, pages };
});

/** The delays that hosts ask for between two crawls; null if none asks for one. */
function hostDelaysOf(
  { hosts, lastCrawlAge }: CrawlScheduleProblem['allocation'],
  rules: readonly z.output<typeof hostRule>[],
): HostDelays | null {
  if (hosts === null || rules.every(({ minDelay }) => minDelay === 0)) return null;
  const delay = Float64Array.from(rules, ({ minDelay }) => minDelay);
  const from = new Float64Array(rules.length).fill(Number.NEGATIVE_INFINITY);
  for (const [i, h] of hosts.of.entries()) {
    const age = lastCrawlAge?.[i] ?? Number.NaN;
    if (h >= 0 && !Number.isNaN(age)) from[h] = Math.max(from[h], delay[h] - age);
  }
  // a page whose host asks for no delay counts as a page without a host
  const of = hosts.of.map((h) => (h >= 0 && delay[h] > 0 ? h : -1));
  return { of, delay, from };
}

export const crawlScheduleSolution = object('CrawlScheduleSolution', {
  pages: tableAnswerSchema('CrawlScheduleSolutionPage', 'The pages, in the order and form of the request', {
    crawls: z.int().meta(crawlCount('Crawls in this interval, as scheduled', { role: 'first' })),
    times: z.array(z.number()).meta(moment('Times of its crawls, from the start of the interval')),
    idealTimes: z.array(z.number()).meta(moment('Ideal times of its crawls, without slots')),
    staleness: staleShare('of the interval'),
    idealStaleness: z.number().meta(share('The same at the ideal times', { unit: 'of the interval' })),
  }),
  schedule: tableAnswerSchema('CrawlScheduleSlot', 'The crawls, in time order', {
    time: z.number().meta(moment('Start of the slot, from the start of the interval', { role: 'first' })),
    crawler: z.int().meta(position()),
    page: z.int().meta(position()),
  }),
  idleSlots: z.int().meta(count({ unit: 'slots' })),
});

export const crawlScheduleConflict = object('CrawlScheduleConflict', {
  detail: z.string(),
  crawls: z.int().meta(crawlCount()),
  slots: z.int().meta(count({ unit: 'slots' })),
  least: z.int().meta(crawlCount('Fewest crawls that limits allow')),
  most: z.int().nullable().meta(crawlCount('Most crawls that limits, delays and slots allow; null: only slots limit')),
  hosts: z.array(z.string()).describe('Hosts whose limits or delays clash, at most 20'),
});

export function crawlScheduleSentence({ solution, objective }: SolvedAnswer<typeof crawlScheduleSolution>): string {
  const crawls = countText(cellsOf(solution.schedule, 'time').length, 'crawl');
  const pages = Array.from(cellsOf(solution.pages, 'crawls')).filter((each) => each !== 0).length;
  return `Make ${crawls} of ${countText(pages, 'page')}; the objective is then ${figure(objective?.value)}.`;
}
