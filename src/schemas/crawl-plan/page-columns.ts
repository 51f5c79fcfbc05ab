/** What `crawl-plan` takes of each page. */
import { checksOrCountsColumn } from '../parts/checks/checks-column.ts';
import { shortestSeconds } from '../parts/checks/checks-reader.ts';
import { observationsColumn } from '../parts/checks/observations-column.ts';
import { largestTime } from '../parts/epoch-times.ts';
import { eventsColumn } from '../parts/event-times.ts';
import { numberColumn, textColumn } from '../table/column.ts';
import { crawlPlanLimits } from './limits.ts';

/** Longer than any interval that is planned, in seconds. */
export const longest = 1e12;
/** Smaller rates never change a page. */
const leastChangeRate = 1e-15;
const seconds = { atLeast: 0, atMost: longest } as const;

export const pageColumns = {
  host: textColumn('Host of the page; hosts with a minDelay are named in hosts', { optional: true }),
  group: textColumn('With groups "group": the group of pages that this one may change together with', {
    optional: true,
  }),
  weight: numberColumn('What an hour of staleness of this page counts, beside others: 0, or 1e−100 and more', {
    atLeast: 0,
    atMost: 1e100,
    optional: true,
    absent: 1,
  }),
  lastCrawl: numberColumn('When the page was last fetched, epoch seconds; left out: its last observation, or never', {
    atLeast: 0,
    atMost: largestTime,
    optional: true,
  }),
  checks: checksOrCountsColumn(
    crawlPlanLimits.checksPerPage,
    'Past checks, oldest first: [[seconds since the check before, changed since then], …], empty for a new page; ' +
      'or of checks at one gap {checks, changes, gap (seconds)}',
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
    'With events: since when all of them are known, epoch seconds; left out: the first event, which then only starts it',
    { atLeast: 0, atMost: largestTime, optional: true },
  ),
  windowItems: numberColumn('How many items the page shows at most, as a feed does: older ones are lost', {
    atLeast: 1,
    atMost: 1e6,
    integer: true,
    optional: true,
  }),
  lossProbability: numberColumn(
    'With windowItems: the chance that more items than these come between two fetches, at most',
    { atLeast: 1e-9, atMost: 0.5, optional: true, absent: 0.01 },
  ),
  signals: eventsColumn(
    crawlPlanLimits.checksPerPage,
    'Beside a history: when the page was said to have changed, rightly or not, epoch seconds in order (sitemap lastmod, IndexNow, pings)',
  ),
  precision: numberColumn('With signals: the share of them that are right; default the host’s', {
    atLeast: 0.01,
    atMost: 1,
    optional: true,
  }),
  recall: numberColumn('With signals: the share of the page’s changes that they tell of; default the host’s', {
    atLeast: 0,
    atMost: 1,
    optional: true,
  }),
  changeRate: numberColumn('In place of a history: a known change rate, per second', {
    atLeast: leastChangeRate,
    atMost: 1e9,
    optional: true,
  }),
  notBefore: numberColumn('No fetch of the page before this, epoch seconds: a Retry-After, max-age or ttl', {
    atLeast: 0,
    atMost: largestTime,
    optional: true,
  }),
  cost: numberColumn('With budget: what a fetch of the page costs, in its unit; default 1', {
    atLeast: 1e-9,
    atMost: longest,
    optional: true,
  }),
  costIfChanged: numberColumn(
    'With budget: what is added where the fetch finds a change (304s are cheaper); default 0',
    {
      atLeast: 0,
      atMost: longest,
      optional: true,
    },
  ),
  minInterval: numberColumn('Least seconds between two fetches of this page; default the request’s', {
    ...seconds,
    optional: true,
  }),
  maxInterval: numberColumn('Most seconds between two fetches of this page; default the request’s', {
    above: 0,
    atMost: longest,
    optional: true,
  }),
};
