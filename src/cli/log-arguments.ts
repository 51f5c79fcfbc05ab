/** The words after `import` and `plan`. */
import type { LogOptions, LogRecord } from '../logs/log-record.ts';
import { logClock } from '../logs/log-times.ts';
import { readOptions } from '../options/read-options.ts';
import { UsageError } from './arguments.ts';
import { durationSeconds } from './durations.ts';

export interface LogCommand {
  readonly kind: 'import' | 'plan';
  readonly files: readonly string[];
  readonly format: string | undefined;
  readonly log: LogOptions;
  /** `import` only: say what the log is, and write nothing. */
  readonly preview: boolean;
  /** `import` only: write a table of pages with their estimated rates in place of a request. */
  readonly table: boolean;
  /** Write the operation's answer in place of a table. */
  readonly json: boolean;
  readonly plan: PlanWishes;
}

/** What a plan needs beside a log; seconds, epoch seconds. */
export interface PlanWishes {
  readonly crawls: number | undefined;
  readonly interval: number;
  readonly now: number | undefined;
  readonly minInterval: number | undefined;
  readonly maxInterval: number | undefined;
  /** Least seconds between two fetches of any host. */
  readonly hostDelay: number | undefined;
}

export const logHelp = `crawl-optimizer plan <log ...> --crawls <n> [--interval 1d] > plan.csv
crawl-optimizer import <log ...> [--preview | --table] [--crawls <n>] > request.json

plan reads crawl logs and writes what to fetch next, one fetch a line (CSV: time, page, and what to do after it);
with --json the answer of crawl-plan. import writes the request for crawl-plan instead, or with --preview only says what
the log is. Logs: access logs of nginx and Apache, CDX and CDXJ, WARC, Nutch (readdb -dump), StormCrawler (status index),
Scrapy feeds, JSON lines, CSV and TSV; .gz is unpacked; without a file, or for -, stdin.

Options
  --crawls <n>             how many fetches can be made in the interval
  --interval <time>        how far ahead to plan: 3600, 90m, 6h, 1d, 2w (default 1d)
  --now <time>             when the interval starts (default: this moment)
  --min-interval <time>    least time between two fetches of a page
  --max-interval <time>    most time between two fetches of a page
  --host-delay <time>      least time between two fetches of a host
  --format <name>          warc, nutch, cdx, access-log, storm-crawler, json or csv (default: recognised)
  --map <field>=<column>   which column is page, time, status, signature, lastModified or changed; may be repeated
  --zone <zone>            zone of times that name none: UTC (default), +02:00
  --agent <text>           of an access log, only lines whose user agent contains this
  --base <url>             what to put before the paths of an access log
  --signature bytes        take an access log's number of bytes for what tells a change
  --preview                only say what the log is
  --table                  of import: a table of pages with their change rates a second (CSV), for crawl-optimizer tables
  --json                   of plan: the answer as JSON
`;

const options = {
  crawls: { type: 'string' },
  interval: { type: 'string' },
  now: { type: 'string' },
  'min-interval': { type: 'string' },
  'max-interval': { type: 'string' },
  'host-delay': { type: 'string' },
  format: { type: 'string' },
  map: { type: 'string', multiple: true },
  zone: { type: 'string' },
  agent: { type: 'string' },
  base: { type: 'string' },
  signature: { type: 'string' },
  preview: { type: 'boolean' },
  table: { type: 'boolean' },
  json: { type: 'boolean' },
} as const;

const secondsPerDay = 86_400;
const fields: readonly (keyof LogRecord)[] = ['page', 'time', 'status', 'signature', 'lastModified', 'changed'];

function duration(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = durationSeconds(text);
  if (seconds !== undefined) return seconds;
  throw new UsageError(`--${name} must be a time such as 3600, 90m, 6h, 1d or 2w; got ${JSON.stringify(text)}`);
}

function columnMap(pairs: readonly string[]): Partial<Record<keyof LogRecord, string>> {
  const map: Partial<Record<keyof LogRecord, string>> = {};
  for (const pair of pairs.flatMap((each) => each.split(','))) {
    const [name, ...column] = pair.split('=');
    const field = fields.find((each) => each === name);
    if (field === undefined || column.length === 0) {
      throw new UsageError(`--map must be <field>=<column>, of ${fields.join(', ')}; got ${JSON.stringify(pair)}`);
    }
    map[field] = column.join('=');
  }
  return map;
}

function crawlsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= 1) return Number(text);
  throw new UsageError(`--crawls must be a whole number, at least 1; got ${JSON.stringify(text)}`);
}

function momentOf(text: string | undefined, zone: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = logClock([text], zone).read(text);
  if (Number.isFinite(time)) return time;
  throw new UsageError(
    `--now must be a time such as 2026-06-11T00:00:00Z or epoch seconds; got ${JSON.stringify(text)}`,
  );
}

/** @throws UsageError */
export function readLogArguments(kind: 'import' | 'plan', words: readonly string[]): LogCommand {
  const { values, positionals } = readOptions(words, options, (reason) => new UsageError(reason));
  const { zone, agent, base, signature, format } = values;
  if (signature !== undefined && signature !== 'bytes') {
    throw new UsageError(`--signature can only be bytes; got ${JSON.stringify(signature)}`);
  }
  const crawls = crawlsOf(values.crawls);
  if (kind === 'plan' && crawls === undefined && values.preview !== true) {
    throw new UsageError('plan needs --crawls: how many fetches can be made in the interval');
  }
  if (kind === 'plan' && values.table === true)
    throw new UsageError('--table is of import; plan writes a table anyway');
  return {
    kind,
    files: positionals.length > 0 ? positionals : ['-'],
    format,
    log: {
      map: columnMap(values.map ?? []),
      ...(zone !== undefined && { zone }),
      ...(agent !== undefined && { agent }),
      ...(base !== undefined && { base }),
      ...(signature === 'bytes' && { signature }),
    },
    preview: values.preview ?? false,
    table: values.table ?? false,
    json: values.json ?? false,
    plan: {
      crawls,
      interval: duration('interval', values.interval) ?? secondsPerDay,
      now: momentOf(values.now, zone),
      minInterval: duration('min-interval', values['min-interval']),
      maxInterval: duration('max-interval', values['max-interval']),
      hostDelay: duration('host-delay', values['host-delay']),
    },
  };
}
