/** A crawl log → a request for crawl-plan, and its answer → a table of fetches. */

import { sawPage } from '../solvers/estimation/changes/fetches.ts';
import { csvCell } from '../words/csv-cell.ts';
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

export function planRequest(log: CrawlLog, settings: PlanSettings): object {
  const { now, interval, crawls, curve } = settings;
  return {
    now,
    interval,
    ...(typeof crawls === 'number' ? { crawls } : crawls && targetFields(crawls)),
    ...(curve === true && { curve }),
    ...limitsOf(log.pages, settings),
    pages: typeof crawls === 'object' ? log.pages : log.pages.map((page) => resting(page, settings)),
  };
}

/**
 * A page whose last fetch failed waits as long again as it has failed. So the time between two tries doubles, and few
 * slots go to a page that is gone. Without any check there is nothing to wait from. Under a target no page waits: one
 * that is gone would keep all others from it.
 */
function resting(
  page: LoggedPage,
  { minInterval = 0, maxInterval = Number.POSITIVE_INFINITY }: PlanSettings,
): LoggedPage & { readonly minInterval?: number } {
  const { observations } = page;
  const last = observations.at(-1);
  if (last === undefined || sawPage(last.status)) return page;
  const first = observations.findLast(({ status }) => sawPage(status)) ?? observations[0];
  const pause = Math.min(2 * (last.time - first.time), maxInterval);
  return pause > minInterval ? { ...page, minInterval: pause } : page;
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
export const patient = (request: object, { pages }: CrawlLog): object =>
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
    const last = observations.findLast(({ status }) => sawPage(status));
    yield [id, host ?? null, rate, last?.time ?? null, checks, changes].map(csvCell).join(',');
  }
}
