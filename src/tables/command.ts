/** Parses the arguments of `crawl-optimizer tables`. */
import { readOptions } from '../cli/options.ts';
import { durationSeconds } from '../schemas/words/durations.ts';
import {
  type DialectName,
  dialectNames,
  type IntervalBounds,
  type PageTable,
  type StatementObjective,
  statementObjectives,
  type TimeFormat,
  timeFormats,
} from '../statements/index.ts';
import { TablesError } from './engine.ts';
import type { TableTarget } from './price/pages.ts';

export const unitSeconds = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 } as const;

export type Unit = keyof typeof unitSeconds;

/** @throws TablesError */
export const parseUnit = (value: string | undefined, option: string): Unit =>
  parseChoice(value, ['second', 'minute', 'hour', 'day', 'week'], option);

export const tablesHelp = `crawl-optimizer tables: page tables in files and databases

Usage
  crawl-optimizer tables rates <log> --id C --time C --time-format F --changed C | --signature C --rate-unit U --out <file or table>
  crawl-optimizer tables rates --dialect D --table T …the same… without --out: the statement, for a warehouse
  crawl-optimizer tables price <source> --id C --rate C --rate-unit U --crawls N --per U
  crawl-optimizer tables plan  <source> …the same… --out <file or table>
  crawl-optimizer tables sql --dialect D --price P …the same…

<source>   Parquet, CSV or NDJSON files or globs, read by DuckDB; or postgres://… with --table, its password in
           PGPASSWORD or in the file that PGPASSFILE names (in the URL every user of the machine could read it)
<log>             fetches, a row each, in files or in postgres:// with --table; rates makes of it the table of the others
--time C          column of the time of a fetch; --time-format is ${timeFormats.join(', ')}
--changed C       column that says whether the fetch found the page changed; or --signature C, which is then compared
--status C        column of the HTTP status: fetches other than 2xx and 304 are left out
--id C            column that names a page
--rate C          column of its change rate
--rate-unit U     the rate is per second, minute, hour, day or week
--weight C        column of its weight (left out: every page weighs 1)
--last-crawl C    column of its last crawl: the plan then has nextFetch, in epoch seconds (UTC)
--last-crawl-format F  ${timeFormats.join(', ')} (default epoch-seconds)
--crawls N        crawls that may be made, in every --per second, minute, hour, day or week
--freshness S     in its place: as few crawls as keep copies current so much of the time, as 0.95
--mean-delay D    or as few as let a change wait no longer in the mean, as 2hours
--host C          column of a page's host; with --hosts T: file or table with the columns host and maxRate, the most crawls
                  of that host's pages together in every --per
--min-interval D  least time between two crawls of a page, as 6hours
--max-interval D  most time between two crawls of a page, as 30days: then every page is crawled
--objective O     ${statementObjectives.join(', ')} (default freshness)
--bucket-width W  of ln(weight/rate) (default 0.001; past ten hosts a ten-thousandth of their number, at most 0.1)
--out T           where the plan goes: .parquet, .csv, .ndjson; for postgres:// a table. Replaced when it is whole
--table T         the table of postgres:// and of sql, with its schema where dots part them
--memory M        most memory for DuckDB (default 2GB)
--dialect D       ${dialectNames.join(', ')}
--price P         the price to write into the statements of sql

price answers on stdout: the price, its bracket, the exact scale, the cost with its bound and gap. The plan's rate and interval are in
the unit of the rate; a page that is never crawled has the rate 0 and no interval.
`;

export interface TablesCommand {
  readonly action: 'price' | 'plan' | 'sql';
  readonly sources: readonly string[];
  /** Names of the columns; the engine knows the table. */
  readonly columns: Omit<PageTable, 'from'>;
  readonly lastCrawl: string | undefined;
  readonly lastCrawlFormat: TimeFormat;
  readonly secondsPerUnit: number;
  /** Crawls per time unit of the rate, or the target to reach with the fewest. */
  readonly rateOrTarget: number | TableTarget;
  /**
   * Table of host limits, in crawls per --per; `persPerUnit` is how many of these periods the rate's time unit has.
   */
  readonly hosts: string | undefined;
  readonly persPerUnit: number;
  readonly objective: StatementObjective;
  readonly bucketWidth: number | undefined;
  /** Minimum and maximum time between two crawls of a page, in the time unit of the rate. */
  readonly intervalBounds: IntervalBounds | undefined;
  readonly out: string | undefined;
  readonly table: string | undefined;
  readonly memory: string;
  readonly dialect: DialectName;
  readonly price: number | undefined;
}

const text = { type: 'string' } as const;
const options = {
  help: { type: 'boolean', short: 'h' },
  id: text,
  rate: text,
  'rate-unit': text,
  weight: text,
  'last-crawl': text,
  'last-crawl-format': text,
  crawls: text,
  freshness: text,
  'mean-delay': text,
  per: text,
  host: text,
  hosts: text,
  'min-interval': text,
  'max-interval': text,
  objective: text,
  'bucket-width': text,
  out: text,
  table: text,
  memory: text,
  dialect: text,
  price: text,
} as const;

type Values = ReturnType<typeof readOptions<typeof options>>['values'];

/** An option with a fixed set of values. @throws TablesError */
export function parseChoice<Word extends string>(
  value: string | undefined,
  words: readonly Word[],
  name: string,
): Word {
  const match = words.find((word) => word === value);
  if (match !== undefined) return match;
  throw new TablesError(
    `--${name} must be one of ${words.join(', ')}; got ${value === undefined ? 'none' : JSON.stringify(value)}`,
  );
}

function parsePositive(value: string | undefined, name: string): number {
  const number = Number(value);
  if (value !== undefined && value.trim() !== '' && number > 0 && number < 1e100) return number;
  throw new TablesError(
    `--${name} must be a positive number; got ${value === undefined ? 'none' : JSON.stringify(value)}`,
  );
}

/** A required option that names a column or table. @throws TablesError */
export function columnName(value: string | undefined, option: string): string {
  if (value === undefined) throw new TablesError(`--${option} is needed: it names a column or table`);
  if (/^\P{Cc}{1,300}$/u.test(value)) return value;
  throw new TablesError(
    `--${option} must name a column or table, in 1 to 300 characters; got ${JSON.stringify(value)}`,
  );
}

/** An optional option that names a column or table. @throws TablesError */
export const optionalName = (value: string | undefined, option: string) =>
  value === undefined ? undefined : columnName(value, option);

/** A duration with its unit, such as `6hours` or `6h`, in seconds. */
function parseDuration(value: string | undefined, option: string): number | undefined {
  if (value === undefined) return undefined;
  const short = /[smhdw]$/.test(value) ? durationSeconds(value) : undefined;
  if (short !== undefined && short > 0 && short < 1e12) return short;
  const [, digits, word] = /^([\d.]+(?:e[+-]?\d+)?) ?([a-z]+?)s?$/.exec(value) ?? [];
  for (const [unit, seconds] of Object.entries(unitSeconds)) {
    const time = Number(digits) * seconds;
    if (unit === word && time > 0 && time < 1e12) return time;
  }
  throw new TablesError(
    `--${option} must be a time in seconds, minutes, hours, days or weeks, as 6hours; got ${JSON.stringify(value)}`,
  );
}

function boundsOf(values: Values, action: TablesCommand['action']): IntervalBounds | undefined {
  const [min, max] = (['min-interval', 'max-interval'] as const).map((option) => parseDuration(values[option], option));
  if (min === undefined && max === undefined) return undefined;
  if (action === 'sql') {
    throw new TablesError('--min-interval and --max-interval are for price and plan: their price needs the pages');
  }
  if (min !== undefined && max !== undefined && min > max) {
    throw new TablesError(`--min-interval ${values['min-interval']} is above --max-interval ${values['max-interval']}`);
  }
  const unit = unitSeconds[parseUnit(values['rate-unit'], 'rate-unit')];
  return { min: min === undefined ? undefined : min / unit, max: max === undefined ? undefined : max / unit };
}

/** The option of each target and its objective. */
const targetOptions = [
  { option: 'freshness', measure: 'freshness', objective: 'freshness' },
  { option: 'mean-delay', measure: 'meanDelay', objective: 'delay' },
] as const;

/** The crawl budget or the target, and the objective. */
function readRateOrTarget(
  values: Values,
  action: TablesCommand['action'],
  [secondsPerUnit, secondsPerCrawls]: readonly [number, number],
): Pick<TablesCommand, 'rateOrTarget' | 'objective'> {
  const targets = targetOptions.filter(({ option }) => values[option] !== undefined);
  const target = targets.at(0);
  const objective = parseChoice(values.objective ?? target?.objective ?? 'freshness', statementObjectives, 'objective');
  if (target === undefined) {
    if (values.crawls === undefined) throw new TablesError('give --crawls, --freshness or --mean-delay');
    return { rateOrTarget: (parsePositive(values.crawls, 'crawls') * secondsPerUnit) / secondsPerCrawls, objective };
  }
  const { option, measure } = target;
  if (values.crawls !== undefined || targets.length > 1) {
    throw new TablesError('give one of --crawls, --freshness and --mean-delay');
  }
  if (action === 'sql') throw new TablesError(`--${option} is for price and plan: it needs the pages`);
  if (objective !== target.objective) throw new TablesError(`--${option} goes with --objective ${target.objective}`);
  if (measure !== 'freshness') {
    return {
      rateOrTarget: { measure, value: (parseDuration(values[option], option) ?? 0) / secondsPerUnit },
      objective,
    };
  }
  const freshness = Number(values.freshness);
  if (!(freshness > 0 && freshness < 1)) {
    throw new TablesError(`--freshness must lie between 0 and 1, as 0.95; got ${JSON.stringify(values.freshness)}`);
  }
  return { rateOrTarget: { measure, value: freshness }, objective };
}

function hostsOf(values: Values, action: TablesCommand['action']): string | undefined {
  const { host, hosts } = values;
  if (hosts === undefined && (host === undefined || action === 'sql')) return undefined;
  if (host === undefined || hosts === undefined) throw new TablesError('--host and --hosts need each other');
  if (action === 'sql') throw new TablesError('--hosts is for price and plan; sql writes the histogram by --host');
  for (const option of ['min-interval', 'max-interval'] as const) {
    if (values[option] !== undefined) throw new TablesError(`--${option} does not go with --hosts`);
  }
  return columnName(hosts, 'hosts');
}

function lastCrawlFormatOf(values: Values, action: TablesCommand['action']): TimeFormat {
  const format = parseChoice(values['last-crawl-format'] ?? 'epoch-seconds', timeFormats, 'last-crawl-format');
  const dialect = values.dialect ?? 'duckdb';
  if (action === 'sql' && format === 'utc' && dialect !== 'duckdb' && dialect !== 'postgres') {
    throw new TablesError(`--last-crawl-format utc is written for duckdb and postgres; cast the column for ${dialect}`);
  }
  return format;
}

/**
 * @returns null for --help
 * @throws TablesError
 */
export function readTablesCommand(words: readonly string[]): TablesCommand | null {
  const { values, positionals } = readOptions(words, options, (reason) => new TablesError(reason));
  const [first, ...sources] = positionals;
  if (values.help || first === undefined) return null;
  const action = parseChoice(first, ['price', 'plan', 'sql'] as const, 'help lists what there is; the first word');
  const secondsPerUnit = unitSeconds[parseUnit(values['rate-unit'], 'rate-unit')];
  const secondsPerCrawls = unitSeconds[parseUnit(values.per, 'per')];
  const persPerUnit = secondsPerUnit / secondsPerCrawls;
  const hosts = hostsOf(values, action);
  if (action !== 'sql' && sources.length === 0) throw new TablesError(`${action} needs files or a postgres:// URL`);
  if (action === 'plan' && values.out === undefined) throw new TablesError('plan needs --out');
  return {
    action,
    sources,
    columns: {
      id: columnName(values.id, 'id'),
      changeRate: columnName(values.rate, 'rate'),
      weight: optionalName(values.weight, 'weight'),
      host: optionalName(values.host, 'host'),
    },
    lastCrawl: optionalName(values['last-crawl'], 'last-crawl'),
    lastCrawlFormat: lastCrawlFormatOf(values, action),
    secondsPerUnit,
    ...readRateOrTarget(values, action, [secondsPerUnit, secondsPerCrawls]),
    hosts,
    persPerUnit,
    bucketWidth:
      values['bucket-width'] === undefined ? undefined : parsePositive(values['bucket-width'], 'bucket-width'),
    intervalBounds: boundsOf(values, action),
    out: values.out,
    table: optionalName(values.table, 'table'),
    memory: values.memory ?? '2GB',
    dialect: parseChoice(values.dialect ?? 'duckdb', dialectNames, 'dialect'),
    price: values.price === undefined ? undefined : parsePositive(values.price, 'price'),
  };
}
