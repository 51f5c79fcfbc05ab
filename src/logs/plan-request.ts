/** A crawl log → a request for crawl-plan, and its answer → a table of fetches. */
import type { CrawlLog } from './read-log.ts';

/** What a plan needs beside a log; times in seconds. */
export interface PlanSettings {
  readonly now: number;
  readonly interval: number;
  readonly crawls: number;
  readonly minInterval?: number | undefined;
  readonly maxInterval?: number | undefined;
  /** Least seconds between two fetches of any host. */
  readonly hostDelay?: number | undefined;
}

/** The request, as the service takes it. */
export function planRequest(log: CrawlLog, settings: PlanSettings): object {
  const { now, interval, crawls, minInterval, maxInterval, hostDelay } = settings;
  const hosts = new Set(log.pages.flatMap(({ host }) => (host === undefined ? [] : [host])));
  return {
    now,
    interval,
    crawls,
    ...(minInterval !== undefined && { minInterval }),
    ...(maxInterval !== undefined && { maxInterval }),
    ...(hostDelay !== undefined && { hosts: Array.from(hosts, (host) => ({ host, minDelay: hostDelay })) }),
    pages: log.pages,
  };
}

/** What is read of an answer of crawl-plan to a request in rows. */
export interface PlanSolution {
  readonly pages: readonly {
    readonly id: string;
    readonly fetchInterval: number | null;
    readonly intervalIfUnchanged: number | null;
    readonly intervalIfChanged: number | null;
  }[];
  readonly schedule: readonly { readonly time: number; readonly page: number }[];
}

/** A cell of CSV (RFC 4180); a text that a spreadsheet would take for a formula is quoted all the same. */
const cell = (value: string | number | null): string => {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const whole = (seconds: number | null): number | null => (seconds === null ? null : Math.round(seconds));

/** One fetch a line, in order of time; times in ISO 8601 (UTC), intervals in seconds. */
export function* planLines({ pages, schedule }: PlanSolution): Generator<string> {
  yield 'time,page,fetchInterval,intervalIfUnchanged,intervalIfChanged';
  for (const { time, page } of schedule) {
    const { id, fetchInterval, intervalIfUnchanged, intervalIfChanged } = pages[page];
    const at = new Date(Math.round(time * 1000)).toISOString().replace('.000Z', 'Z');
    const cells = [at, id, whole(fetchInterval), whole(intervalIfUnchanged), whole(intervalIfChanged)];
    yield cells.map(cell).join(',');
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
    const last = observations.findLast(({ status }) => status === undefined || status === 304 || isFetched(status));
    yield [id, host ?? null, rate, last?.time ?? null, checks, changes].map(cell).join(',');
  }
}

const isFetched = (status: number): boolean => status >= 200 && status <= 299;
