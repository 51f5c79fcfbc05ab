/** The words after `import` and `plan`. */
import { columnMap, columnPairSaid } from '../logs/asked/column-map.ts';
import type { LogOptions } from '../logs/log-record.ts';
import { readMoment } from '../logs/log-times.ts';
import type { LogTarget } from '../logs/plan-target.ts';
import { readOptions } from '../options/read-options.ts';
import { day } from '../solvers/day.ts';
import { durationSeconds } from '../words/durations.ts';
import { milliseconds, UsageError } from './arguments.ts';

export interface LogCommand {
  readonly kind: 'import' | 'plan' | 'compare';
  readonly files: readonly string[];
  readonly format: string | undefined;
  readonly log: LogOptions;
  /** Files and folders of sitemaps. */
  readonly sitemaps: readonly string[];
  /** `import` only: say what the log is, and write nothing. */
  readonly preview: boolean;
  /** `import` only: write a table of pages with their estimated rates in place of a request. */
  readonly table: boolean;
  /** Write the operation's answer in place of a table. */
  readonly json: boolean;
  readonly plan: PlanWishes;
  /** Changes to the request, each as `--set` takes it. */
  readonly set: readonly string[];
  /** `plan` only: pages to explain. */
  readonly explain: readonly string[];
}

/** What a plan needs beside a log; seconds, epoch seconds. */
interface PlanWishes {
  /** How many fetches, or what to keep with as few as will do. With neither, `plan` shows what fetches buy. */
  readonly crawls: number | LogTarget | undefined;
  readonly interval: number;
  readonly now: number | undefined;
  readonly minInterval: number | undefined;
  readonly maxInterval: number | undefined;
  /** Least seconds between two fetches of any host. */
  readonly hostDelay: number | undefined;
}

export const logHelp = `crawl-optimizer plan <log ...> --crawls <n> | --freshness <share> [--interval 1d] > plan.csv
crawl-optimizer import <log ...> [--preview | --table] [--crawls <n>] > request.json

plan reads crawl logs and writes what to fetch next, one fetch a line (CSV: time, page, and what to do after it);
with --json the answer of crawl-plan. import writes the request for crawl-plan instead, or with --preview only says what
the log is. Logs: access logs of nginx and Apache, CDX and CDXJ, WARC, Nutch (readdb -dump), StormCrawler (status index),
Heritrix (crawl.log), Browsertrix (pages.jsonl), Scrapy feeds, JSON lines, CSV and TSV; .gz is unpacked; without a file,
or for -, stdin. Entries of feeds: FreshRSS's SQLite database, or --format feeds for a table of feed, published and
lastFetch (an export of CommaFeed); they are planned under delay.

Options
  --crawls <n>             how many fetches can be made in the interval
  --freshness <share>      in its place: as few as keep copies current so much of the time, such as 0.95
  --mean-delay <time>      or as few as let a change wait no longer in the mean
  --interval <time>        how far ahead to plan: 3600, 90m, 6h, 1d, 2w (default 1d)
  --now <time>             when the interval starts (default: this moment)
  --min-interval <time>    least time between two fetches of a page
  --max-interval <time>    most time between two fetches of a page
  --host-delay <time>      least time between two fetches of a host
  --objective <name>       freshness (default), delay or harmonic: what a stale copy costs
  --even-share <share>     share of the fetches spread evenly over all pages (default 0.05)
  --weight-column <name>   the column that says what a page counts for
  --set <name>=<value>     any other value of the request: --set timeZone=Europe/Paris; may be repeated
  --explain <page>         of plan: why this page is fetched when it is; may be repeated
  --format <name>          warc, nutch, heritrix, cdx, access-log, storm-crawler, browsertrix, json, csv or feeds (default:
                           recognised)
  --map <field>=<column>   which column is page, time, status, signature, lastModified, changed or weight
  --zone <zone>            zone of times that name none: UTC (default), +02:00, Europe/Berlin
  --agent <text>           of an access log, only lines whose user agent contains this
  --base <url>             what to put before the paths of an access log
  --signature bytes        take an access log's number of bytes for what tells a change
  --fragments keep         URLs that differ behind # are different pages, as in applications that route by it
  --sitemap <path>         a sitemap, or a folder of sitemaps and their snapshots in time: what they say of changes, with
                           how far that can be trusted by the log; may be repeated
  --preview                only say what the log is
  --table                  of import: a table of pages with their change rates a second (CSV), for crawl-optimizer tables
  --json                   of plan: the answer as JSON
  --time-limit <time>      of plan: 30s, 2m or milliseconds

Exit codes: 0 a plan, 1 no such plan, 2 refused, 3 the time limit, 4 a fault of this program, 130 interrupted.
`;

const options = {
  crawls: { type: 'string' },
  freshness: { type: 'string' },
  'mean-delay': { type: 'string' },
  interval: { type: 'string' },
  now: { type: 'string' },
  'min-interval': { type: 'string' },
  'max-interval': { type: 'string' },
  'host-delay': { type: 'string' },
  objective: { type: 'string' },
  'even-share': { type: 'string' },
  'weight-column': { type: 'string' },
  set: { type: 'string', multiple: true },
  explain: { type: 'string', multiple: true },
  format: { type: 'string' },
  map: { type: 'string', multiple: true },
  zone: { type: 'string' },
  agent: { type: 'string' },
  base: { type: 'string' },
  signature: { type: 'string' },
  fragments: { type: 'string' },
  sitemap: { type: 'string', multiple: true },
  preview: { type: 'boolean' },
  table: { type: 'boolean' },
  json: { type: 'boolean' },
  'time-limit': { type: 'string' },
} as const;

function duration(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = durationSeconds(text);
  if (seconds !== undefined) return seconds;
  throw new UsageError(`--${name} must be a time such as 3600, 90m, 6h, 1d or 2w; got ${JSON.stringify(text)}`);
}

function refusePair(pair: string): never {
  throw new UsageError(`--map must be ${columnPairSaid}; got ${JSON.stringify(pair)}`);
}

function crawlsOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) >= 1) return Number(text);
  throw new UsageError(`--crawls must be a whole number, at least 1; got ${JSON.stringify(text)}`);
}

/** What is to be kept; undefined where nothing is said of it. */
function targetOf(values: Readonly<Record<'freshness' | 'mean-delay', string | undefined>>) {
  const { freshness: text } = values;
  const freshness = text === undefined ? undefined : Number(text);
  if (freshness !== undefined && !(freshness >= 0 && freshness <= 1)) {
    throw new UsageError(`--freshness must be a share of the time, 0 to 1, such as 0.95; got ${JSON.stringify(text)}`);
  }
  const target = {
    freshness,
    meanDelay: duration('mean-delay', values['mean-delay']),
  };
  return Object.values(target).some((each) => each !== undefined) ? target : undefined;
}

/** The one of crawls and targets that is given. @throws UsageError */
function wishedCrawls(crawls: number | undefined, target: LogTarget | undefined): number | LogTarget | undefined {
  const told = [crawls, ...Object.values(target ?? {})].filter((each) => each !== undefined);
  if (told.length > 1) {
    throw new UsageError('give one of --crawls, --freshness and --mean-delay');
  }
  return crawls ?? target;
}

function momentOf(text: string | undefined, zone: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = readMoment(text, zone);
  if (Number.isFinite(time)) return time;
  throw new UsageError(
    `--now must be a time such as 2026-06-11T00:00:00Z or epoch seconds; got ${JSON.stringify(text)}`,
  );
}

/** @throws UsageError */
export function readLogArguments(kind: LogCommand['kind'], words: readonly string[]): LogCommand {
  const { values, positionals } = readOptions(words, options, (reason) => new UsageError(reason));
  const { zone, agent, base, signature, fragments, format, 'weight-column': weight } = values;
  if (fragments !== undefined && fragments !== 'keep') {
    throw new UsageError(`--fragments can only be keep; got ${JSON.stringify(fragments)}`);
  }
  if (signature !== undefined && signature !== 'bytes') {
    throw new UsageError(`--signature can only be bytes; got ${JSON.stringify(signature)}`);
  }
  const crawls = wishedCrawls(
    crawlsOf(values.crawls),
    targetOf({ freshness: values.freshness, 'mean-delay': values['mean-delay'] }),
  );
  if (kind === 'plan' && values.table === true)
    throw new UsageError('--table is of import; plan writes a table anyway');
  const timeLimitMs = milliseconds(values['time-limit']);
  return {
    kind,
    files: positionals.length > 0 ? positionals : ['-'],
    format,
    log: {
      map: columnMap([...(values.map ?? []), ...(weight === undefined ? [] : [`weight=${weight}`])], refusePair),
      ...(zone !== undefined && { zone }),
      ...(agent !== undefined && { agent }),
      ...(base !== undefined && { base }),
      ...(signature === 'bytes' && { signature }),
      ...(fragments === 'keep' && { fragments }),
    },
    sitemaps: values.sitemap ?? [],
    preview: values.preview ?? false,
    table: values.table ?? false,
    json: values.json ?? false,
    set: [
      ...(values.objective === undefined ? [] : [`objective=${values.objective}`]),
      ...(values['even-share'] === undefined ? [] : [`evenShare=${values['even-share']}`]),
      ...(timeLimitMs === undefined ? [] : [`options.timeLimitMs=${timeLimitMs}`]),
      ...(values.set ?? []),
    ],
    explain: values.explain ?? [],
    plan: {
      crawls,
      interval: duration('interval', values.interval) ?? day,
      now: momentOf(values.now, zone),
      minInterval: duration('min-interval', values['min-interval']),
      maxInterval: duration('max-interval', values['max-interval']),
      hostDelay: duration('host-delay', values['host-delay']),
    },
  };
}
