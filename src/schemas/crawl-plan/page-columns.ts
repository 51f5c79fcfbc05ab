/** What `crawl-plan` takes of each page. */

import { count, epochMoment, plain, probability, rate, time, weight } from '../contract/field.ts';
import { integer, real } from '../contract/range.ts';
import { strictObject } from '../contract/strict-object.ts';
import { checksOrCountsColumn } from '../parts/checks/checks-column.ts';
import { shortestSeconds } from '../parts/checks/checks-reader.ts';
import { observationsColumn } from '../parts/checks/observations-column.ts';
import { largestTime } from '../parts/epoch-times.ts';
import { eventsColumn } from '../parts/event-times.ts';
import { numberColumn, schemaColumn, textColumn } from '../table/column.ts';
import { crawlPlanLimits } from './limits.ts';

/** Longer than any interval that is planned, in seconds. */
export const longest = 1e12;
/** Smaller rates never change a page. */
const leastChangeRate = 1e-15;
const inSeconds = { unit: 'seconds' } as const;
const epochTime = { atLeast: 0, atMost: largestTime, optional: true } as const;

const feed = strictObject({
  items: integer({ atLeast: 1, atMost: 1e6 }).meta(count('Most items that the feed shows', { unit: 'items' })),
  loss: real({ atLeast: 1e-9, atMost: 0.5 })
    .default(0.01)
    .meta(probability('Largest chance that items are missed between fetches')),
});

export const pageColumns = {
  host: textColumn('Host of the page, or any group', { optional: true }),
  weight: numberColumn(weight('What staleness of this page costs beside others’'), {
    atLeast: 0,
    atMost: 1e100,
    optional: true,
    absent: 1,
  }),
  lastCrawl: numberColumn(epochMoment('Last fetch; left out: the last observation, or never'), epochTime),
  checks: checksOrCountsColumn(
    crawlPlanLimits.checksPerPage,
    'Past checks, oldest first: [seconds since the one before, changed], or their counts',
  ),
  observations: observationsColumn(crawlPlanLimits.checksPerPage, 'In place of checks: past fetches', shortestSeconds),
  events: eventsColumn(
    crawlPlanLimits.checksPerPage,
    'In place of checks: all changes since observedFrom, epoch seconds',
  ),
  observedFrom: numberColumn(epochMoment('With events: since when all are known'), epochTime),
  signals: eventsColumn(crawlPlanLimits.checksPerPage, 'Signals that it had changed, epoch seconds in order'),
  changeRate: numberColumn(rate('In place of a history: the known rate', { unit: '1/second' }), {
    atLeast: leastChangeRate,
    atMost: 1e9,
    optional: true,
  }),
  notBefore: numberColumn(epochMoment('No fetch before this (a Retry-After, max-age)'), epochTime),
  feed: schemaColumn(plain('For a feed that shows only its latest items'), feed, { optional: true, broadcasts: true }),
  minInterval: numberColumn(time('Least time between its fetches; left out: the request’s', inSeconds), {
    atLeast: 0,
    atMost: longest,
    optional: true,
  }),
  maxInterval: numberColumn(time('Most time between its fetches; left out: the request’s', inSeconds), {
    above: 0,
    atMost: longest,
    optional: true,
  }),
};
