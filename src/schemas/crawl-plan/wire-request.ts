/** The wire shape of `crawl-plan`'s request. */

import type * as z from 'zod';
import { maxPlanCrawls } from '../../solvers/crawl-plan/index.ts';
import { count, epochMoment, id, plain, probability, rate, share, time, weight } from '../contract/field.ts';
import { list } from '../contract/list.ts';
import { requestSchema } from '../contract/options.ts';
import { chance, integer, nameText, real } from '../contract/range.ts';
import { strictObject } from '../contract/strict-object.ts';
import { timeZoneName, windowList } from '../parts/clock/time-windows.ts';
import { earliestTime, largestTime, latestTime } from '../parts/epoch-times.ts';
import { checksOrCounts, momentList, observationList } from '../parts/histories.ts';
import { objectiveName, targetFields } from '../parts/target.ts';
import { table } from '../table/table.ts';

export const crawlPlanLimits = {
  pages: 1_000_000,
  checksPerPage: 100_000,
  crawlers: 100_000,
  crawls: maxPlanCrawls,
  hosts: 1_000_000,
} as const;

/** Largest length of time accepted, in seconds. */
const longest = 1e12;
const duration = real({ atLeast: 0, atMost: longest });
const longestInterval = real({ above: 0, atMost: longest });
const epochTime = real({ atLeast: 0, atMost: largestTime });
const fetches = { unit: 'fetches' } as const;
const inSeconds = { unit: 'seconds' } as const;
const { checksPerPage } = crawlPlanLimits;

const feed = strictObject('CrawlPlanFeed', {
  items: integer({ atLeast: 1, atMost: 1e6 }).meta(count('Most items that the feed shows', { unit: 'items' })),
  loss: real({ atLeast: 1e-9, atMost: 0.5 })
    .default(0.01)
    .meta(probability('Largest chance that items are missed between fetches')),
});

const pageColumns = {
  host: nameText.optional().describe('Host of the page, or any group'),
  weight: real({ atLeast: 0, atMost: 1e100 })
    .default(1)
    .meta(weight('What staleness of this page costs beside others’')),
  lastCrawl: epochTime.optional().meta(epochMoment('Last fetch; left out: the last observation, or never')),
  checks: checksOrCounts(checksPerPage)
    .optional()
    .describe('Past checks, oldest first: [seconds since the one before, changed], or their counts'),
  observations: observationList(checksPerPage).optional().describe('In place of checks: past fetches'),
  events: momentList(checksPerPage)
    .optional()
    .meta(epochMoment('In place of checks: all changes since observedFrom, in order')),
  observedFrom: epochTime.optional().meta(epochMoment('With events: since when all are known')),
  signals: momentList(checksPerPage).optional().meta(epochMoment('Signals that it had changed, in order')),
  // a page with a smaller rate never changes
  changeRate: real({ atLeast: 1e-15, atMost: 1e9 })
    .optional()
    .meta(rate('In place of a history: the known rate', { unit: '1/second' })),
  notBefore: epochTime.optional().meta(epochMoment('No fetch before this (a Retry-After, max-age)')),
  feed: feed.optional().describe('For a feed that shows only its latest items'),
  minInterval: duration.optional().meta(time('Least time between its fetches; left out: the request’s', inSeconds)),
  maxInterval: longestInterval
    .optional()
    .meta(time('Most time between its fetches; left out: the request’s', inSeconds)),
};

export const wireRequest = requestSchema({
  // readHistories refuses a time outside of these years, and names the likely cause
  now: epochTime.meta({
    minimum: earliestTime,
    maximum: latestTime,
    ...epochMoment('Start of the interval; everything observed lies before it'),
  }),
  interval: real({ atLeast: 1, atMost: longest }).meta(time('Length of the interval planned', inSeconds)),
  crawls: integer({ atLeast: 1, atMost: crawlPlanLimits.crawls })
    .optional()
    .meta(
      count('Fetches in the interval, evenly spaced', {
        ...fetches,
        lever: { factor: 4 },
      }),
    ),
  crawlers: list(
    strictObject('CrawlPlanCrawler', {
      id: nameText.optional().meta(id()),
      slots: integer({ atLeast: 0, atMost: crawlPlanLimits.crawls }).meta(
        count('Fetches in the interval, evenly spaced', { ...fetches, lever: { factor: 4 } }),
      ),
    }),
    { minItems: 1, maxItems: crawlPlanLimits.crawlers },
  )
    .optional()
    .meta(plain('In place of crawls: the crawlers')),
  ...targetFields,
  pages: table('CrawlPlanPage', crawlPlanLimits.pages, 'The pages and their histories', pageColumns),
  minInterval: duration.optional().meta(time('Least time between fetches of a page', inSeconds)),
  maxInterval: longestInterval
    .optional()
    .meta(time('Most time between fetches of a page, to within one slot', inSeconds)),
  windows: windowList.optional().meta(plain('When fetches are allowed; left out: always')),
  timeZone: timeZoneName.default('UTC').meta(plain('IANA time zone of windows, e.g. Europe/Berlin')),
  hosts: list(
    strictObject('CrawlPlanHost', {
      host: nameText.min(1).meta(id()),
      minDelay: duration.default(0).meta(time('Least time between two fetches of the host', inSeconds)),
      maxRate: real({ atLeast: 1e-12, atMost: 1e9 })
        .optional()
        .meta(rate('Most fetches of the host on average; ten may come early', { unit: '1/second' })),
      notBefore: epochTime.optional().meta(epochMoment('No fetch of the host before this (a Retry-After)')),
      precision: real({ atLeast: 0.01, atMost: 1 })
        .optional()
        .meta(share('Share of its signals that are right', { unit: 'of the signals' })),
      recall: chance.optional().meta(share('Share of its changes that are signalled', { unit: 'of the changes' })),
    }),
    { minItems: 0, maxItems: crawlPlanLimits.hosts },
  )
    .optional()
    .meta(plain('Hosts, or other groups of pages, with their limits')),
  objective: objectiveName.meta(plain('What staleness costs: share of time, delay, or harmonic (no page starves)')),
  evenShare: chance
    .default(0.05)
    .meta(share('Share of the fetches spread evenly over all pages', { unit: 'of the crawls', role: 'advanced' })),
});

export type WireRequest = z.output<typeof wireRequest>;
