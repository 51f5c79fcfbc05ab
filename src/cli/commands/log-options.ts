/** The options of `plan`, `import` and `compare`: how a log is read, and what is planned. */

import type { LogOptions } from '../../logs/log-record.ts';
import { readMoment } from '../../logs/log-times.ts';
import type { LogTarget } from '../../logs/plan-target.ts';
import { columnMap, columnPairForm } from '../../logs/requests/column-map.ts';
import { durationSeconds } from '../../schemas/words/durations.ts';
import { day } from '../../solvers/day.ts';
import { UsageError } from '../failures.ts';
import { type readOptions, text, texts } from '../options.ts';
import { type Setting, settingsOf } from './set-values.ts';
import { milliseconds } from './solve-options.ts';

/** Formats of logs, as `import`, `plan` and `compare` tell of them. */
export const logFormats = `Logs: access logs of nginx and Apache, CDX and CDXJ, WARC, Nutch (readdb -dump), StormCrawler (status index), Heritrix
(crawl.log), Browsertrix (pages.jsonl), Scrapy feeds, JSON lines, CSV and TSV; .gz is unpacked; without a file, or for -, stdin.`;

/** How a log is read. */
export const logOptions = {
  format: text(
    '<name>',
    'warc, nutch, heritrix, cdx, access-log, storm-crawler, browsertrix, json, csv or feeds (default: recognised)',
  ),
  map: texts('<field>=<column>', 'which column is page, time, status, signature, lastModified, changed or weight'),
  zone: text('<zone>', 'zone of times that name none: UTC (default), +02:00, Europe/Berlin'),
  agent: text('<text>', 'of an access log, only lines whose user agent contains this'),
  base: text('<url>', 'what to put before the paths of an access log'),
  signature: text('bytes', "take an access log's number of bytes for what tells a change"),
  fragments: text('keep', 'URLs that differ behind # are different pages, as in applications that route by it'),
} as const;

/** What is planned. */
export const planOptions = {
  crawls: text('<n>', 'how many fetches can be made in the interval'),
  freshness: text('<share>', 'in its place: as few as keep copies current so much of the time, such as 0.95'),
  'mean-delay': text('<time>', 'or as few as let a change wait no longer in the mean'),
  interval: text('<time>', 'how far ahead to plan: 3600, 90m, 6h, 1d, 2w (default 1d)'),
  now: text('<time>', 'when the interval starts (default: this moment)'),
  'min-interval': text('<time>', 'least time between two fetches of a page'),
  'max-interval': text('<time>', 'most time between two fetches of a page'),
  'host-delay': text('<time>', 'least time between two fetches of a host'),
  objective: text('<name>', 'freshness (default), delay or harmonic: what a stale copy costs'),
  'even-share': text('<share>', 'share of the fetches spread evenly over all pages (default 0.05)'),
  'weight-column': text('<name>', 'the column that says what a page counts for'),
  set: texts('<name>=<value>', 'any other value of the request: --set timeZone=Europe/Paris'),
  sitemap: texts(
    '<path>',
    'a sitemap, or a folder of sitemaps and their snapshots in time, trusted as far as the log shows',
  ),
  'time-limit': text('<time>', '30s, 2m or milliseconds'),
} as const;

type Values<Known extends Parameters<typeof readOptions>[1]> = ReturnType<typeof readOptions<Known>>['values'];
type PlanValues = Values<typeof planOptions>;

/** What a plan needs beside a log; seconds, epoch seconds. */
export interface PlanWishes {
  /** How many fetches, or what to keep with as few as will do. With neither, `plan` shows what fetches buy. */
  readonly crawls: number | LogTarget | undefined;
  readonly interval: number;
  readonly now: number | undefined;
  readonly minInterval: number | undefined;
  readonly maxInterval: number | undefined;
  /** Least seconds between two fetches of any host. */
  readonly hostDelay: number | undefined;
}

/** The text of an option that takes one word alone. @throws UsageError */
function only<Word extends string>(name: string, word: Word, text: string | undefined): Word | undefined {
  if (text === undefined || text === word) return text === undefined ? undefined : word;
  throw new UsageError(`--${name} can only be ${word}; got ${JSON.stringify(text)}`);
}

function refusePair(pair: string): never {
  throw new UsageError(`--map must be ${columnPairForm}; got ${JSON.stringify(pair)}`);
}

/** @throws UsageError */
export function readingOf(values: Values<typeof logOptions>, weightColumn?: string): LogOptions {
  const { map = [], zone, agent, base } = values;
  const signature = only('signature', 'bytes', values.signature);
  const fragments = only('fragments', 'keep', values.fragments);
  return {
    map: columnMap([...map, ...(weightColumn === undefined ? [] : [`weight=${weightColumn}`])], refusePair),
    ...(zone !== undefined && { zone }),
    ...(agent !== undefined && { agent }),
    ...(base !== undefined && { base }),
    ...(signature !== undefined && { signature }),
    ...(fragments !== undefined && { fragments }),
  };
}

function duration(name: string, text: string | undefined): number | undefined {
  const seconds = text === undefined ? undefined : durationSeconds(text);
  if (text === undefined || seconds !== undefined) return seconds;
  throw new UsageError(`--${name} must be a time such as 3600, 90m, 6h, 1d or 2w; got ${JSON.stringify(text)}`);
}

/** The number of fetches or the target; undefined where neither is given. @throws UsageError */
function crawlsOf(values: PlanValues): number | LogTarget | undefined {
  const { crawls, freshness, 'mean-delay': meanDelay } = values;
  if ([crawls, freshness, meanDelay].filter((each) => each !== undefined).length > 1) {
    throw new UsageError('give one of --crawls, --freshness and --mean-delay');
  }
  if (crawls !== undefined) {
    if (/^\d+$/.test(crawls) && Number(crawls) >= 1) return Number(crawls);
    throw new UsageError(`--crawls must be a whole number, at least 1; got ${JSON.stringify(crawls)}`);
  }
  if (freshness !== undefined) {
    if (Number(freshness) >= 0 && Number(freshness) <= 1) return { freshness: Number(freshness) };
    throw new UsageError(
      `--freshness must be a share of the time, 0 to 1, such as 0.95; got ${JSON.stringify(freshness)}`,
    );
  }
  return meanDelay === undefined ? undefined : { meanDelay: duration('mean-delay', meanDelay) };
}

function momentOf(text: string | undefined, zone: string | undefined): number | undefined {
  const time = text === undefined ? undefined : readMoment(text, zone);
  if (time === undefined || Number.isFinite(time)) return time;
  throw new UsageError(
    `--now must be a time such as 2026-06-11T00:00:00Z or epoch seconds; got ${JSON.stringify(text)}`,
  );
}

/** @throws UsageError */
export function wishesOf(values: PlanValues, zone: string | undefined): PlanWishes {
  return {
    crawls: crawlsOf(values),
    interval: duration('interval', values.interval) ?? day,
    now: momentOf(values.now, zone),
    minInterval: duration('min-interval', values['min-interval']),
    maxInterval: duration('max-interval', values['max-interval']),
    hostDelay: duration('host-delay', values['host-delay']),
  };
}

/** What the options change in the request; --set has the last word. @throws UsageError */
export function settingsIn(values: PlanValues): Setting[] {
  const timeLimitMs = milliseconds(values['time-limit']);
  return settingsOf([
    ...(values.objective === undefined ? [] : [`objective=${values.objective}`]),
    ...(values['even-share'] === undefined ? [] : [`evenShare=${values['even-share']}`]),
    ...(timeLimitMs === undefined ? [] : [`options.timeLimitMs=${timeLimitMs}`]),
    ...(values.set ?? []),
  ]);
}
