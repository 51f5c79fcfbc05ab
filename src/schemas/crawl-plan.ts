/** The wire shapes of `crawl-plan`, and its request as the solver takes it. */
import * as z from 'zod';
import { type Availability, type CrawlPlanProblem, nextOpen } from '../solvers/crawl-plan/index.ts';
import { objectiveNames } from '../solvers/objectives/index.ts';
import { requestSchema } from './contract/options.ts';
import { type Refuse, refusals } from './contract/refusals.ts';
import { type ChecksReader, checksOrCountsColumn, historyOf, observationsColumn } from './parts/check-columns.ts';
import {
  earliestTime,
  largestTime,
  latestTime,
  nowFault,
  refuseDuplicateIds,
  refuseImplausibleTimes,
} from './parts/epoch-times.ts';
import { checksOfEvents, eventsColumn } from './parts/event-times.ts';
import { list } from './parts/list.ts';
import { strictObject } from './parts/strict-object.ts';
import { timeZoneName, WindowSpans, windowList } from './parts/time-windows.ts';
import { numberColumn, textColumn } from './table/column.ts';
import { type Columns, type Table, table } from './table/table.ts';
import { tableAnswerSchema } from './table/table-answer.ts';

/** Sizes this operation accepts. */
export const crawlPlanLimits = {
  pages: 1_000_000,
  checksPerPage: 100_000,
  crawlers: 100_000,
  crawls: 5_000_000,
  hosts: 1_000_000,
} as const;

/** Where the drifting rate is the default; it accepts more when asked for. */
const mostDriftingPages = 100_000;
/** Smaller rates never change a page; smaller weights, but 0, leave nothing of a sum beside them. */
const leastChangeRate = 1e-15;
const leastWeight = 1e-100;
const longest = 1e12;
const seconds = { atLeast: 0, atMost: longest } as const;

const intervalField = z.number().min(0).max(longest);
const host = z.string().min(1).max(2048);

const wireRequest = requestSchema({
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
    .describe('The crawlers; give these or crawls'),
  crawls: z
    .int()
    .min(1)
    .max(crawlPlanLimits.crawls)
    .optional()
    .describe('In place of crawlers: how many fetches can be made in the interval, evenly spaced, by one crawler'),
  pages: table(
    {
      host: textColumn('Host of the page; hosts with a minDelay are named in hosts', { optional: true }),
      weight: numberColumn('What an hour of staleness of this page counts, beside others: 0, or 1e−100 and more', {
        atLeast: 0,
        atMost: 1e100,
        optional: true,
        absent: 1,
      }),
      lastCrawl: numberColumn(
        'When the page was last fetched, epoch seconds; left out: its last observation, or never',
        {
          atLeast: 0,
          atMost: largestTime,
          optional: true,
        },
      ),
      checks: checksOrCountsColumn(
        crawlPlanLimits.checksPerPage,
        'Past checks, oldest first: [[seconds since the check before, changed since then], …], empty for a new page; ' +
          'or of checks at one gap {checks, changes, gap (seconds)}',
      ),
      observations: observationsColumn(
        crawlPlanLimits.checksPerPage,
        'In place of checks: past fetches, {time (epoch seconds), changed | lastModified | signature | status}',
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
      minInterval: numberColumn('Least seconds between two fetches of this page; default the request’s', {
        ...seconds,
        optional: true,
      }),
      maxInterval: numberColumn('Most seconds between two fetches of this page; default the request’s', {
        above: 0,
        atMost: longest,
        optional: true,
      }),
    },
    { maxRows: crawlPlanLimits.pages, description: 'The pages with what is known of them' },
  ),
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
    .describe('Time zone of windows, by its IANA name, such as Europe/Berlin; clock changes are kept'),
  hosts: list(
    strictObject({
      host,
      minDelay: intervalField.default(0).describe('Least seconds between two fetches of the host'),
      notBefore: z
        .number()
        .min(0)
        .max(largestTime)
        .optional()
        .describe('No fetch of the host before this, epoch seconds: a Retry-After'),
      windows: windowList.optional().describe('When the host may be fetched; left out: always'),
    }),
    { minItems: 0, maxItems: crawlPlanLimits.hosts },
    'hosts {host, minDelay?, notBefore?, windows?}',
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
  estimator: z
    .enum(['maximum-likelihood', 'drifting-rate'])
    .optional()
    .describe(
      'maximum-likelihood: observations fade over a year; drifting-rate: a belief over rates that drift, better on real histories and the default up to 100,000 pages',
    ),
});

/** A checked request: the solver's problem, and the lists as they came, for the answer. */
export interface CheckedCrawlPlan {
  readonly options?: z.output<typeof wireRequest>['options'];
  readonly problem: CrawlPlanProblem;
  readonly pages: Pick<Table<Columns>, 'form' | 'length' | 'ids'>;
  readonly checks: ChecksReader;
  readonly observations: ChecksReader;
}

export const crawlPlanRequest = wireRequest.transform((request, context): CheckedCrawlPlan => {
  const refuse = refusals(context.issues);
  const { pages, crawlers, crawls } = request;
  const { columns, length, form } = pages;
  const at = (i: number, name: string): PropertyKey[] => (form === 'rows' ? ['pages', i, name] : ['pages', name, i]);
  if ((crawlers === undefined) === (crawls === undefined)) {
    refuse(['crawls'], 'one-of', 'give crawls or crawlers, one of the two', crawls);
  }
  const slotsByCrawler = crawlers ? Uint32Array.from(crawlers, ({ slots }) => slots) : Uint32Array.of(crawls ?? 1);
  let slots = 0;
  for (const count of slotsByCrawler) slots += count;
  if (slots < 1 || slots > crawlPlanLimits.crawls) {
    const message = `the crawlers must have 1 to ${crawlPlanLimits.crawls} slots together; got ${slots}`;
    refuse(['crawlers'], 'out-of-range', message, slots);
  }
  const hostAt = new Map<string, number>();
  for (const [h, entry] of (request.hosts ?? []).entries()) {
    if (hostAt.has(entry.host))
      refuse(['hosts', h, 'host'], 'duplicate', `host ${entry.host} is listed twice`, entry.host);
    hostAt.set(entry.host, h);
  }
  const hosts = Int32Array.from({ length }, (_, i) => hostAt.get(columns.host[i] ?? '') ?? -1);
  const { checks, observations, changeRate } = columns;
  const minInterval = columns.minInterval.map((own) => (Number.isNaN(own) ? (request.minInterval ?? 0) : own));
  const maxInterval = columns.maxInterval.map((own) => (Number.isNaN(own) ? (request.maxInterval ?? Infinity) : own));
  const lastCrawl = columns.lastCrawl.map((own, i) => (Number.isNaN(own) ? observations.lastSeen[i] : own));
  const events = checksOfEvents(
    { now: request.now, events: columns.events, observedFrom: columns.observedFrom, lastCrawl },
    at,
    refuse,
  );
  for (let i = 0; i < length; i++) {
    const evidence = [checks, observations, events].filter(({ counts }) => counts[i] >= 0);
    const histories = evidence.length;
    if (histories > 1) {
      const second = observations.counts[i] >= 0 ? 'observations' : 'events';
      refuse(at(i, second), 'one-of', 'give checks, observations or events, one of the three', null);
    }
    if (histories === 0 && Number.isNaN(changeRate[i])) {
      const message = 'must have checks (an empty list for a new page), observations, events or changeRate';
      refuse(form === 'rows' ? ['pages', i] : ['pages', 'checks', i], 'history-missing', message, null);
    }
    if (columns.weight[i] > 0 && columns.weight[i] < leastWeight) {
      const message = `must be 0 or at least ${leastWeight}; got ${columns.weight[i]}`;
      refuse(at(i, 'weight'), 'out-of-range', message, columns.weight[i]);
    }
    if (minInterval[i] > maxInterval[i]) {
      const message = `must be at least the page's minInterval of ${minInterval[i]}; got ${maxInterval[i]}`;
      refuse(
        Number.isNaN(columns.maxInterval[i]) ? ['maxInterval'] : at(i, 'maxInterval'),
        'out-of-range',
        message,
        maxInterval[i],
      );
    }
  }
  const history = historyOf(checks, observations, events);
  refuseDuplicateIds(pages.ids, at, refuse);
  refuseImplausibleTimes({ now: request.now, lastCrawl, observations, events, history }, at, refuse);
  const problem: CrawlPlanProblem = {
    now: request.now,
    interval: request.interval,
    slotsByCrawler,
    history,
    changeRate,
    lastCrawl,
    weight: columns.weight,
    minInterval,
    maxInterval,
    host: hosts,
    hostName: (request.hosts ?? []).map(({ host: name }) => name),
    hostDelay: Float64Array.from(request.hosts ?? [], ({ minDelay }) => minDelay),
    floor: request.floor,
    objective: request.objective,
    availability: availabilityOf(request, columns.notBefore, hosts, refuse),
    windowItems: columns.windowItems,
    lossProbability: columns.lossProbability,
    knownEvents: events.counts.map((count) => (count >= 0 ? 1 : 0)),
    estimator: request.estimator ?? (length <= mostDriftingPages ? 'drifting-rate' : 'maximum-likelihood'),
  };
  return { options: request.options, problem, pages, checks, observations };
});

/** When fetches are allowed; undefined where nothing is asked for. */
function availabilityOf(
  { now, interval, windows, timeZone, hosts = [] }: z.output<typeof wireRequest>,
  notBefore: Float64Array,
  host: Int32Array,
  refuse: Refuse,
): Availability | undefined {
  if (nowFault(now) !== null) return undefined;
  const asked = hosts.some((each) => each.windows !== undefined || each.notBefore !== undefined);
  if (windows === undefined && !asked && notBefore.every((time) => Number.isNaN(time))) return undefined;
  const spans = new WindowSpans(now, interval, refuse);
  const hostSpans = hosts.map((each, h) =>
    each.windows === undefined ? null : spans.of(each.windows, timeZone, ['hosts', h, 'windows']),
  );
  const pageFrom = notBefore.map((time, i) => {
    const own = Number.isNaN(time) ? 0 : Math.max(0, time - now);
    if (host[i] < 0) return own;
    return nextOpen(hostSpans[host[i]], Math.max(own, (hosts[host[i]].notBefore ?? now) - now));
  });
  return { spans: windows === undefined ? null : spans.of(windows, timeZone, ['windows']), pageFrom, hostSpans };
}

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
  withoutCrawl: z.array(z.int()).describe('Positions of the pages that get no crawl in this interval'),
  idleSlots: z.int().describe('Slots in which no page may be fetched; those outside of windows are not counted'),
});

export const crawlPlanBeside = {
  longRun: z
    .object({
      value: z.number().describe('Σ weight·staleness if every page is fetched at its fetchInterval for ever'),
      bound: z
        .number()
        .nullable()
        .describe('What no fetch intervals within the same limits can beat; null where no bound is known'),
      gap: z.number().nullable().describe('(value − bound)/max(|bound|, 1e−12)'),
    })
    .nullable()
    .optional()
    .describe(
      'The same objective for ever; null where the longest intervals ask for more fetches than there are, and for other objectives than freshness',
    ),
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
});
