/** What `crawl-plan` takes of each page. */
import * as z from 'zod';
import { count, moment, plain, probability, rate, time, weight } from '../contract/field.ts';
import { strictObject } from '../contract/strict-object.ts';
import { checksOrCountsColumn } from '../parts/checks/checks-column.ts';
import { shortestSeconds } from '../parts/checks/checks-reader.ts';
import { observationsColumn } from '../parts/checks/observations-column.ts';
import { largestTime } from '../parts/epoch-times.ts';
import { eventsColumn } from '../parts/event-times.ts';
import { classColumn } from '../parts/targets/request.ts';
import { numberColumn, schemaColumn, textColumn } from '../table/column.ts';
import { fetchCostColumn } from './fetch-cost-column.ts';
import { crawlPlanLimits } from './limits.ts';

/** Longer than any interval that is planned, in seconds. */
export const longest = 1e12;
/** Smaller rates never change a page. */
const leastChangeRate = 1e-15;
const inSeconds = { unit: 'seconds' } as const;
const epochTime = { atLeast: 0, atMost: largestTime, optional: true } as const;

const feed = strictObject({
  items: z
    .int()
    .min(1)
    .max(1e6)
    .meta(count('Items that the feed shows at most; older ones are lost', { unit: 'items' })),
  loss: z
    .number()
    .min(1e-9)
    .max(0.5)
    .default(0.01)
    .meta(probability('Chance, at most, that more items than these come between two fetches')),
});

export const pageColumns = {
  host: textColumn('Host of the page; hosts with limits of their own are named in hosts', { optional: true }),
  class: classColumn,
  weight: numberColumn(weight('What an hour of staleness of this page counts beside others: 0, or 1e−100 and more'), {
    atLeast: 0,
    atMost: 1e100,
    optional: true,
    absent: 1,
  }),
  lastCrawl: numberColumn(
    moment('When the page was last fetched; left out: its last observation, or never', { unit: 'epoch seconds' }),
    epochTime,
  ),
  checks: checksOrCountsColumn(
    crawlPlanLimits.checksPerPage,
    'Past checks, oldest first: [[seconds since the check before, changed since then], …], empty for a new page; ' +
      'or, of checks at one gap, {checks, changes, gap (seconds)}',
  ),
  observations: observationsColumn(
    crawlPlanLimits.checksPerPage,
    'In place of checks: past fetches, {time (epoch seconds), changed | lastModified | signature | status}',
    shortestSeconds,
  ),
  events: eventsColumn(
    crawlPlanLimits.checksPerPage,
    'In place of checks: when the page is known to have changed, epoch seconds in order (entries of a feed, releases)',
  ),
  observedFrom: numberColumn(
    moment('With events: since when all of them are known; left out: the first event, which then only starts it', {
      unit: 'epoch seconds',
    }),
    epochTime,
  ),
  signals: eventsColumn(
    crawlPlanLimits.checksPerPage,
    'Beside a history: when somebody said that the page had changed, rightly or not, epoch seconds in order ' +
      '(sitemap lastmod, IndexNow, pings)',
  ),
  changeRate: numberColumn(rate('In place of a history: a known change rate', { unit: '1/second' }), {
    atLeast: leastChangeRate,
    atMost: 1e9,
    optional: true,
  }),
  notBefore: numberColumn(
    moment('No fetch of the page before this: a Retry-After, max-age or ttl', { unit: 'epoch seconds' }),
    epochTime,
  ),
  cost: fetchCostColumn(
    plain(
      'With spending: what a fetch of the page costs, in its unit (default 1); {unchanged, changed} where a fetch that ' +
        'finds a change costs more',
    ),
  ),
  feed: schemaColumn(plain('The page is a feed that shows only its latest items: {items, loss}'), feed, {
    optional: true,
    broadcasts: true,
  }),
  minInterval: numberColumn(time('Least time between two fetches of this page; default the request’s', inSeconds), {
    atLeast: 0,
    atMost: longest,
    optional: true,
  }),
  maxInterval: numberColumn(time('Most time between two fetches of this page; default the request’s', inSeconds), {
    above: 0,
    atMost: longest,
    optional: true,
  }),
};
