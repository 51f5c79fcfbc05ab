/** Builds a crawl-plan request from a crawl log, and a table of fetches from its answer. */

import { csvCell } from '../schemas/words/csv-cell.ts';
import { sawPage } from '../solvers/estimation/index.ts';
import { LogRefusal } from './log-record.ts';
import { type CrawlLog, findFailingPages, type LoggedPage } from './read-log.ts';

export const planOperation = 'crawl-plan';

/** A target, in place of a number of fetches: one of the fields; times in seconds. */
export interface LogTarget {
  readonly freshness?: number | undefined;
  readonly meanDelay?: number | undefined;
}

/** Settings of a plan; times in seconds. */
export interface PlanSettings {
  readonly now: number;
  readonly interval: number;
  /** Number of fetches, or a target to reach with the fewest; undefined if the caller adds either. */
  readonly crawls: number | LogTarget | undefined;
  readonly minInterval?: number | undefined;
  readonly maxInterval?: number | undefined;
  /** Minimum time between two fetches of any host. */
  readonly hostDelay?: number | undefined;
}

/** A page with its fetches in columns (page-fetches.ts), or with its events. */
export type PlannedPage = Omit<LoggedPage, 'observations'> & Partial<Pick<LoggedPage, 'observations'>>;

/** A request with pages in rows. */
export interface PlanRequest extends Readonly<Record<string, unknown>> {
  readonly pages: readonly PlannedPage[];
}

/** @throws LogRefusal if every page is gone */
export function planRequest(log: CrawlLog, settings: PlanSettings): PlanRequest {
  const { now, interval, crawls, minInterval, maxInterval, hostDelay } = settings;
  const pages = plannedPages(log.pages, settings);
  if (pages.length === 0) throw new LogRefusal('every page of the log is gone (410, or 404 twice in a row)');
  const hosts = new Set(pages.flatMap(({ host }) => (host === undefined ? [] : [host])));
  return {
    now,
    interval,
    ...(typeof crawls === 'number' ? { crawls } : crawls && targetFields(crawls)),
    ...(pages.some(({ events }) => events !== undefined) && { objective: 'delay' }),
    ...(minInterval !== undefined && { minInterval }),
    ...(maxInterval !== undefined && { maxInterval }),
    ...(hostDelay !== undefined && { hosts: Array.from(hosts, (host) => ({ host, minDelay: hostDelay })) }),
    pages: pages.map(({ observations, ...page }) => (page.events === undefined ? { ...page, observations } : page)),
  };
}

/** The target and its objective as fields of crawl-plan. */
const targetFields = ({ freshness, meanDelay }: LogTarget): object =>
  freshness !== undefined ? { target: { freshness } } : { target: { meanDelay }, objective: 'delay' };

/**
 * The pages without those that are gone. Without a target, a gone page whose next retry is due within the interval is
 * kept. crawl-plan handles all other failures itself, from the observations.
 */
function plannedPages(pages: readonly LoggedPage[], { now, interval, crawls }: PlanSettings): readonly LoggedPage[] {
  const hasTarget = typeof crawls === 'object';
  const skippedPages = findFailingPages(pages).gonePages.filter(
    ({ notBefore }) => hasTarget || notBefore >= now + interval,
  );
  const absent = new Set(skippedPages.map(({ page }) => page));
  return pages.filter((_, i) => !absent.has(i));
}

const manyPages = 20_000;
const manyFetches = 500_000;
const longLimitMs = 60_000;

/** Raises the time limit of a request with many pages or fetches. */
export const raiseTimeLimit = (request: PlanRequest, { pages, fetches }: CrawlLog): PlanRequest =>
  pages.length > manyPages || fetches > manyFetches ? { ...request, options: { timeLimitMs: longLimitMs } } : request;

/** The fields used of a crawl-plan answer in rows. */
export interface PlanSolution {
  /** Number of fetches needed; only with a target. */
  readonly crawls?: number;
  readonly pages: readonly {
    readonly id: string;
    readonly fetchInterval: number | null;
    readonly intervalIfUnchanged: number | null;
    readonly intervalIfChanged: number | null;
  }[];
  readonly schedule: readonly { readonly time: number; readonly page: number }[];
}

const roundSeconds = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds));

/** CSV lines, one per fetch in order of time; times in ISO 8601 (UTC), intervals in seconds. */
export function* planLines({ pages, schedule }: PlanSolution): Generator<string> {
  yield 'time,page,fetchInterval,intervalIfUnchanged,intervalIfChanged';
  for (const { time, page } of schedule) {
    const { id, fetchInterval, intervalIfUnchanged, intervalIfChanged } = pages[page];
    const at = new Date(Math.round(time * 1000)).toISOString().replace('.000Z', 'Z');
    const intervals = [fetchInterval, intervalIfUnchanged, intervalIfChanged].map(roundSeconds);
    yield [at, id, ...intervals].map(csvCell).join(',');
  }
}

/** The fields used of an estimates/change-rates answer. */
export interface EstimatedRate {
  /** Changes a second. */
  readonly rate: number;
  readonly checks: number;
  readonly changes: number;
}

/** CSV lines, one per page: rate per second, last fetch (epoch seconds), and the checks and changes behind the rate. */
export function* pageLines({ pages }: CrawlLog, rates: readonly EstimatedRate[]): Generator<string> {
  yield 'page,host,rate,lastCrawl,checks,changes';
  for (const [i, { id, host, observations }] of pages.entries()) {
    const { rate, checks, changes } = rates[i];
    const last = observations.status.findLastIndex((status) => sawPage(status));
    yield [id, host ?? null, rate, observations.time[last] ?? null, checks, changes].map(csvCell).join(',');
  }
}
