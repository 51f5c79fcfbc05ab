/** A crawl log → a request for crawl-plan, and its answer → a table of fetches. */

import { csvCell } from '../schemas/words/csv-cell.ts';
import { sawPage } from '../solvers/estimation/index.ts';
import { findFailingPages } from './failing-pages.ts';
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
  readonly pages: readonly LoggedPage[];
}

/** @throws LogRefusal where every page is gone */
export function planRequest(log: CrawlLog, settings: PlanSettings): PlanRequest {
  const { now, interval, crawls, curve } = settings;
  const pages = plannedPages(log.pages, settings);
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

/**
 * The pages less those that are gone; where no promise is made, with one whose next try is due within the interval. What
 * failures ask for else, crawl-plan does by the observations.
 */
function plannedPages(pages: readonly LoggedPage[], { now, interval, crawls }: PlanSettings): readonly LoggedPage[] {
  const isPromise = typeof crawls === 'object';
  const left = findFailingPages(pages).gone.filter(({ notBefore }) => isPromise || notBefore >= now + interval);
  const absent = new Set(left.map(({ page }) => page));
  return pages.filter((_, i) => !absent.has(i));
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
