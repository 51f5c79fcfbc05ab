/** The wire shape of `crawl-plan`'s request. */
import * as z from 'zod';
import { objectiveNames } from '../../solvers/pages/objectives/index.ts';
import { cost, count, id, moment, plain, rate, share, time } from '../contract/field.ts';
import { requestSchema } from '../contract/options.ts';
import { strictObject } from '../contract/strict-object.ts';
import { windowList } from '../parts/clock/time-windows.ts';
import { timeZoneName } from '../parts/clock/wall-clock.ts';
import { earliestTime, largestTime, latestTime } from '../parts/epoch-times.ts';
import { list } from '../parts/list.ts';
import { targetFields } from '../parts/targets/request.ts';
import { table } from '../table/table.ts';
import { crawlPlanLimits } from './limits.ts';
import { longest, pageColumns } from './page-columns.ts';

const intervalField = z.number().min(0).max(longest);
const host = z.string().min(1).max(2048).meta(id('Name of the host, as pages give it'));
const fetches = { unit: 'fetches' } as const;
const inSeconds = { unit: 'seconds' } as const;

export const wireRequest = requestSchema({
  now: z
    .number()
    .min(0)
    .max(largestTime)
    // refused by refuseImplausibleTimes, which can name the likely cause
    .meta({
      minimum: earliestTime,
      maximum: latestTime,
      ...moment('When the interval starts; all that was seen lies before it', { unit: 'epoch seconds' }),
    }),
  interval: z.number().min(1).max(longest).meta(time('Length of the interval planned', inSeconds)),
  crawls: z
    .int()
    .min(1)
    .max(crawlPlanLimits.crawls)
    .optional()
    .meta(
      count('Fetches that can be made in the interval, evenly spaced, by one crawler', {
        ...fetches,
        lever: { factor: 4 },
      }),
    ),
  crawlers: list(
    strictObject({
      id: z.string().max(2048).optional().meta(id('Name of the crawler')),
      slots: z
        .int()
        .min(0)
        .max(crawlPlanLimits.crawls)
        .meta(count('Fetches it can make in the interval, evenly spaced', { ...fetches, lever: { factor: 4 } })),
    }),
    { minItems: 1, maxItems: crawlPlanLimits.crawlers },
    'crawlers {slots}',
  )
    .optional()
    .meta(plain('In place of crawls: the crawlers, each with its slots')),
  spending: z
    .number()
    .min(1e-9)
    .max(longest)
    .optional()
    .meta(
      cost('In place of crawls: what fetches may cost together in the interval, in any unit; prices are by that unit', {
        lever: { factor: 4 },
      }),
    ),
  ...targetFields,
  pages: table(pageColumns, {
    maxRows: crawlPlanLimits.pages,
    description: 'The pages with what is known of them',
  }),
  minInterval: intervalField
    .optional()
    .meta(time('Least time between two fetches of any page that does not say its own', inSeconds)),
  maxInterval: z
    .number()
    .positive()
    .max(longest)
    .optional()
    .meta(
      time('Most time between two fetches of any page that does not say its own; kept to within one slot', inSeconds),
    ),
  windows: windowList
    .optional()
    .meta(
      plain('When fetches are allowed at all, by the clock of timeZone; left out: always. Slots outside stay empty'),
    ),
  timeZone: timeZoneName
    .default('UTC')
    .meta(plain('Time zone of windows, by its IANA name, such as Europe/Berlin; clock changes are kept')),
  hosts: list(
    strictObject({
      host,
      minDelay: intervalField.default(0).meta(time('Least time between two fetches of the host', inSeconds)),
      maxRate: z
        .number()
        .min(1e-12)
        .max(1e9)
        .optional()
        .meta(
          rate('Most fetches of the host in the mean; for a while it may be ten fetches ahead of that', {
            unit: '1/second',
          }),
        ),
      notBefore: z
        .number()
        .min(0)
        .max(largestTime)
        .optional()
        .meta(moment('No fetch of the host before this: a Retry-After', { unit: 'epoch seconds' })),
      windows: windowList.optional().meta(plain('When the host may be fetched; left out: always')),
      precision: z
        .number()
        .min(0.01)
        .max(1)
        .optional()
        .meta(share('Share of its pages’ signals that are right', { unit: 'of the signals' })),
      recall: z
        .number()
        .min(0)
        .max(1)
        .optional()
        .meta(share('Share of its pages’ changes that are signalled', { unit: 'of the changes' })),
    }),
    { minItems: 0, maxItems: crawlPlanLimits.hosts },
    'hosts {host, minDelay?, maxRate?, notBefore?, windows?, precision?, recall?}',
  )
    .optional()
    .meta(plain('Hosts, or any groups that pages name as their host, with what they ask for')),
  objective: z
    .enum(objectiveNames)
    .default('freshness')
    .meta(
      plain(
        'What staleness costs: freshness (share of time with a stale copy), delay (how long items wait: feeds, news), ' +
          'age (how old what is shown is), harmonic (no page may starve)',
      ),
    ),
  leastMatters: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .meta(share('Changes of observations that count less than this (matters) are none', { role: 'advanced' })),
  planFor: z
    .enum(['ever', 'interval'])
    .default('ever')
    .meta(
      plain(
        'ever: the schedule keeps the fetch intervals that are best for ever; interval: it is the best found for this ' +
          'interval alone, whatever comes after it, without an even share',
        { role: 'advanced' },
      ),
    ),
  evenShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .meta(
      share(
        'Share of the crawls spread evenly: no page waits longer than 1/evenShare times interval·pages/crawls; 0: pages ' +
          'may get nothing for ever',
        { unit: 'of the crawls', role: 'advanced' },
      ),
    ),
});

export type WireRequest = z.output<typeof wireRequest>;
