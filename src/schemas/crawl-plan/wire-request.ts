/** The wire shape of `crawl-plan`'s request. */

import * as z from 'zod';
import { objectiveNames } from '../../solvers/pages/objectives/index.ts';
import { count, epochMoment, id, moment, plain, rate, share, time } from '../contract/field.ts';
import { requestSchema } from '../contract/options.ts';
import { integer, real } from '../contract/range.ts';
import { strictObject } from '../contract/strict-object.ts';
import { windowList } from '../parts/clock/time-windows.ts';
import { timeZoneName } from '../parts/clock/wall-clock.ts';
import { earliestTime, largestTime, latestTime } from '../parts/epoch-times.ts';
import { list } from '../parts/list.ts';
import { targetFields } from '../parts/targets/request.ts';
import { table } from '../table/table.ts';
import { crawlPlanLimits } from './limits.ts';
import { longest, pageColumns } from './page-columns.ts';

const intervalField = real({ atLeast: 0, atMost: longest });
const host = z.string().min(1).max(2048).meta(id('Name of the host'));
const fetches = { unit: 'fetches' } as const;
const inSeconds = { unit: 'seconds' } as const;

export const wireRequest = requestSchema({
  now: real({ atLeast: 0, atMost: largestTime })
    // refused by refuseImplausibleTimes, which can name the likely cause
    .meta({
      minimum: earliestTime,
      maximum: latestTime,
      ...moment('Start of the interval; everything observed lies before it', { unit: 'epoch seconds' }),
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
    strictObject({
      id: z.string().max(2048).optional().meta(id('Name of the crawler')),
      slots: integer({ atLeast: 0, atMost: crawlPlanLimits.crawls }).meta(
        count('Fetches in the interval, evenly spaced', { ...fetches, lever: { factor: 4 } }),
      ),
    }),
    { minItems: 1, maxItems: crawlPlanLimits.crawlers },
    'crawlers {slots}',
  )
    .optional()
    .meta(plain('In place of crawls: the crawlers')),
  ...targetFields,
  pages: table(pageColumns, { maxRows: crawlPlanLimits.pages, description: 'The pages and their histories' }),
  minInterval: intervalField.optional().meta(time('Least time between fetches of a page', inSeconds)),
  maxInterval: real({ above: 0, atMost: longest })
    .optional()
    .meta(time('Most time between fetches of a page, to within one slot', inSeconds)),
  windows: windowList.optional().meta(plain('When fetches are allowed; left out: always')),
  timeZone: timeZoneName.default('UTC').meta(plain('IANA time zone of windows, e.g. Europe/Berlin')),
  hosts: list(
    strictObject({
      host,
      minDelay: intervalField.default(0).meta(time('Least time between two fetches of the host', inSeconds)),
      maxRate: real({ atLeast: 1e-12, atMost: 1e9 })
        .optional()
        .meta(rate('Most fetches of the host on average; ten may come early', { unit: '1/second' })),
      notBefore: real({ atLeast: 0, atMost: largestTime })
        .optional()
        .meta(epochMoment('No fetch of the host before this (a Retry-After)')),
      precision: real({ atLeast: 0.01, atMost: 1 })
        .optional()
        .meta(share('Share of its signals that are right', { unit: 'of the signals' })),
      recall: real({ atLeast: 0, atMost: 1 })
        .optional()
        .meta(share('Share of its changes that are signalled', { unit: 'of the changes' })),
    }),
    { minItems: 0, maxItems: crawlPlanLimits.hosts },
    'hosts {host, minDelay?, maxRate?, notBefore?, precision?, recall?}',
  )
    .optional()
    .meta(plain('Hosts, or other groups of pages, with their limits')),
  objective: z
    .enum(objectiveNames)
    .default('freshness')
    .meta(plain('What staleness costs: share of time, delay, or harmonic (no page starves)')),
  evenShare: real({ atLeast: 0, atMost: 1 })
    .default(0.05)
    .meta(share('Share of the fetches spread evenly over all pages', { unit: 'of the crawls', role: 'advanced' })),
});

export type WireRequest = z.output<typeof wireRequest>;
