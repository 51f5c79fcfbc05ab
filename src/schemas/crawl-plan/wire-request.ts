/** The wire shape of `crawl-plan`'s request. */
import * as z from 'zod';
import { objectiveNames } from '../../solvers/objectives/index.ts';
import { requestSchema } from '../contract/options.ts';
import { windowList } from '../parts/clock/time-windows.ts';
import { timeZoneName } from '../parts/clock/wall-clock.ts';
import { earliestTime, largestTime, latestTime } from '../parts/epoch-times.ts';
import { list } from '../parts/list.ts';
import { strictObject } from '../parts/strict-object.ts';
import { table } from '../table/table.ts';
import { learningFields } from './learning.ts';
import { crawlPlanLimits } from './limits.ts';
import { longest, pageColumns } from './page-columns.ts';

const intervalField = z.number().min(0).max(longest);
const host = z.string().min(1).max(2048);

export const wireRequest = requestSchema({
  now: z
    .number()
    .min(0)
    .max(largestTime)
    // refused by refuseImplausibleTimes, which can name the likely cause
    .meta({ minimum: earliestTime, maximum: latestTime })
    .describe('When the interval starts, in epoch seconds; all that was seen lies before it'),
  interval: z.number().min(1).max(longest).describe('Length of the interval planned, in seconds'),
  crawlers: list(
    strictObject({
      id: z.string().max(2048).optional().describe('Name of the crawler'),
      slots: z.int().min(0).max(crawlPlanLimits.crawls).describe('Fetches it can make in the interval, evenly spaced'),
    }),
    { minItems: 1, maxItems: crawlPlanLimits.crawlers },
    'crawlers {id?, slots}',
  )
    .optional()
    .describe('The crawlers; give these, crawls or budget'),
  crawls: z
    .int()
    .min(1)
    .max(crawlPlanLimits.crawls)
    .optional()
    .describe('In place of crawlers: how many fetches can be made in the interval, evenly spaced, by one crawler'),
  budget: z
    .number()
    .min(1e-9)
    .max(longest)
    .optional()
    .describe(
      'In place of crawls: what fetches may cost together in the interval, in any unit (seconds, bytes, credits); prices are by unit',
    ),
  pages: table(pageColumns, {
    maxRows: crawlPlanLimits.pages,
    description: 'The pages with what is known of them',
  }),
  minInterval: intervalField
    .optional()
    .describe('Least seconds between two fetches of any page that does not say its own'),
  maxInterval: z
    .number()
    .positive()
    .max(longest)
    .optional()
    .describe('Most seconds between two fetches of any page that does not say its own; kept to within one slot'),
  windows: windowList
    .optional()
    .describe('When fetches are allowed at all, by the clock of timeZone; left out: always. Slots outside stay empty'),
  timeZone: timeZoneName
    .default('UTC')
    .describe('Time zone of windows and of rhythm, by its IANA name, such as Europe/Berlin; clock changes are kept'),
  hosts: list(
    strictObject({
      host,
      minDelay: intervalField.default(0).describe('Least seconds between two fetches of the host'),
      maxRate: z
        .number()
        .min(1e-12)
        .max(1e9)
        .optional()
        .describe('Most fetches of the host a second in the mean; for a while it may be ten fetches ahead of that'),
      notBefore: z
        .number()
        .min(0)
        .max(largestTime)
        .optional()
        .describe('No fetch of the host before this, epoch seconds: a Retry-After'),
      windows: windowList.optional().describe('When the host may be fetched; left out: always'),
      precision: z.number().min(0.01).max(1).optional().describe('Share of its pages’ signals that are right'),
      recall: z.number().min(0).max(1).optional().describe('Share of its pages’ changes that signals tell of'),
    }),
    { minItems: 0, maxItems: crawlPlanLimits.hosts },
    'hosts {host, minDelay?, maxRate?, notBefore?, windows?, precision?, recall?}',
  )
    .optional()
    .describe('Hosts, or any groups that pages name as their host, with what they ask for'),
  floor: z
    .number()
    .min(0)
    .max(1)
    .default(0.05)
    .describe(
      'Share of the crawls spread evenly: no page waits longer than 1/floor times interval·pages/crawls; 0: pages may get nothing for ever',
    ),
  objective: z
    .enum(objectiveNames)
    .default('freshness')
    .describe(
      'What staleness costs: freshness (share of time with a stale copy), delay (how long items wait: feeds, news), ' +
        'age (how old what is shown is), harmonic (no page may starve)',
    ),
  horizon: z
    .enum(['long-run', 'interval'])
    .default('long-run')
    .describe(
      'long-run: the schedule keeps the fetch intervals that are best for ever; interval: it is the best found for this interval ' +
        'alone, whatever comes after it, without a floor',
    ),
  ...learningFields,
});

export type WireRequest = z.output<typeof wireRequest>;
