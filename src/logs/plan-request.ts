/** A crawl log → a request for crawl-plan, and its answer → a table of fetches. */

import { sawPage } from '../solvers/estimation/index.ts';
import { csvCell } from '../words/csv-cell.ts';
import { failingPages } from './failing-pages.ts';
import { LogRefusal } from './log-record.ts';
import { type LogTarget, targetFields } from './plan-target.ts';
import type { CrawlLog, LoggedPage } from './read-log.ts';

export const planOperation = 'crawl-plan';

/** What a plan needs beside a log; times in seconds. */
export interface PlanSettings {
  readonly now: number;
  readonly interval: number;
  /** A number of fetches, or what is to be kept with as few as will do; undefined where the caller adds either. */
  readonly crawls: number | LogTarget | undefined;
  /** Whether to say what fetches buy. */
  readonly curve?: boolean | undefined;
  readonly minInterval?: number | undefined;
  readonly maxInterval?: number | undefined;
  /** Least seconds between two fetches of any host. */
  readonly hostDelay?: number | undefined;
}

/** A request in rows, its fetches in columns (page-fetches.ts). */
export interface PlanRequest extends Readonly<Record<string, unknown>> {
  readonly pages: readonly PlannedPage[];
}

/** @throws LogRefusal where every page is gone */
export function planRequest(log: CrawlLog, settings: PlanSettings): PlanRequest {
  const { now, interval, crawls, curve } = settings;
  const pages = typeof crawls === 'object' ? promisedPages(log.pages) : plannedPages(log.pages, settings);
  if (pages.length === 0) throw new LogRefusal('every page of the log is gone (410, or 404 twice in a row)');
  return {
    now,
    interval,
    ...(typeof crawls === 'number' ? { crawls } : crawls && targetFields(crawls)),
    ...(curve === true && { curve }),
    ...limitsOf(pages, settings),
    pages,
  };
}

/** Pages that a promise is made for: not those that are gone. None waits, for its wait would keep all others from it. */
function promisedPages(pages: readonly LoggedPage[]): readonly LoggedPage[] {
  const gone = new Set(failingPages(pages).gone.map(({ page }) => page));
  return pages.filter((page) => !gone.has(page));
}

export interface PlannedPage extends LoggedPage {
  readonly notBefore?: number;
  readonly minInterval?: number;
}

/**
 * Pages with what their failures ask for: a wait delays the next fetch alone. Those that are gone are left out, unless a
 * try is due: one then, in the second half of the interval.
 */
function plannedPages(pages: readonly LoggedPage[], { now, interval }: PlanSettings): PlannedPage[] {
  const { gone, waiting } = failingPages(pages);
  const later = new Map(waiting.map(({ page, notBefore }) => [page, notBefore]));
  const absent = new Map(gone.map(({ page, notBefore }) => [page, notBefore]));
  return pages.flatMap((page): PlannedPage[] => {
    const tried = absent.get(page);
    if (tried !== undefined) {
      const notBefore = Math.max(tried, now + interval / 2);
      return tried >= now + interval ? [] : [{ ...page, weight: 0, notBefore, minInterval: interval }];
    }
    const notBefore = later.get(page) ?? now;
    return [notBefore > now ? { ...page, notBefore } : page];
  });
}

/** The limits that hold for all pages, and for every host among them. */
export function limitsOf(
  pages: readonly { readonly host?: string | undefined }[],
  { minInterval, maxInterval, hostDelay }: PlanSettings,
): object {
  const hosts = new Set(pages.flatMap(({ host }) => (host === undefined ? [] : [host])));
  return {
    ...(minInterval !== undefined && { minInterval }),
    ...(maxInterval !== undefined && { maxInterval }),
    ...(hostDelay !== undefined && { hosts: Array.from(hosts, (host) => ({ host, minDelay: hostDelay })) }),
  };
}

const manyPages = 20_000;
const longLimitMs = 60_000;

/** The request with the time that planning many pages takes; one of few pages as it is. */
export const patient = (request: PlanRequest, { pages }: CrawlLog): PlanRequest =>
  pages.length > manyPages ? { ...request, options: { timeLimitMs: longLimitMs } } : request;

/** What is read of an answer of crawl-plan to a request in rows. */
export interface PlanSolution {
  /** Of a plan that was asked how few fetches will do. */
  readonly crawls?: number;
  readonly pages: readonly {
    readonly id: string;
    readonly fetchInterval: number | null;
    readonly intervalIfUnchanged: number | null;
    readonly intervalIfChanged: number | null;
  }[];
  readonly schedule: readonly { readonly time: number; readonly page: number }[];
}

const whole = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds));

/** One fetch a line, in order of time; times in ISO 8601 (UTC), intervals in seconds. */
export function* planLines({ pages, schedule }: PlanSolution): Generator<string> {
  yield 'time,page,fetchInterval,intervalIfUnchanged,intervalIfChanged';
  for (const { time, page } of schedule) {
    const { id, fetchInterval, intervalIfUnchanged, intervalIfChanged } = pages[page];
    const at = new Date(Math.round(time * 1000)).toISOString().replace('.000Z', 'Z');
    const cells = [at, id, whole(fetchInterval), whole(intervalIfUnchanged), whole(intervalIfChanged)];
    yield cells.map(csvCell).join(',');
  }
}

/** What is read of an answer of estimates/change-rates. */
export interface EstimatedRate {
  /** Changes a second. */
  readonly rate: number;
  readonly checks: number;
  readonly changes: number;
}

/** One page a line: its rate a second, when it was last fetched (epoch seconds), and what the rate rests on. */
export function* pageLines({ pages }: CrawlLog, rates: readonly EstimatedRate[]): Generator<string> {
  yield 'page,host,rate,lastCrawl,checks,changes';
  for (const [i, { id, host, observations }] of pages.entries()) {
    const { rate, checks, changes } = rates[i];
    const last = observations.status.findLastIndex((status) => sawPage(status));
    yield [id, host ?? null, rate, observations.time[last] ?? null, checks, changes].map(csvCell).join(',');
  }
}
