/** Parses the arguments of `crawl-optimizer tables`. */
import { rareOption, readOptions, textOption } from '../cli/options.ts';
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

export interface TablesCommand {
  readonly action: 'price' | 'plan' | 'sql';
  readonly sources: readonly string[];
  /** Names of the columns; the engine knows the table. */
  readonly columns: Omit<PageTable, 'from'>;
  readonly lastCrawl: string | undefined;
  readonly lastCrawlFormat: TimeFormat;
  readonly secondsPerUnit: number;
  /** Crawls per time unit of the rate, or the target to reach with the fewest crawls. */
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

const units = 'second, minute, hour, day or week';

const options = {
  help: { type: 'boolean', short: 'h' },
  id: textOption('<column>', 'the page'),
  rate: textOption('<column>', 'its change rate'),
  'rate-unit': textOption('<unit>', `the rate is per ${units}`),
  weight: textOption('<column>', 'its weight (default 1)'),
  'last-crawl': rareOption(textOption('<column>', 'its last crawl: the plan then has nextFetch')),
  'last-crawl-format': rareOption(textOption('<format>', `${timeFormats.join(', ')} (default epoch-seconds)`)),
  crawls: textOption('<n>', 'crawls that may be made in every --per'),
  freshness: textOption('<share>', 'or the fewest that keep copies current for this share of the time: 0.95'),
  'mean-delay': rareOption(
    textOption('<time>', 'or the fewest with which a change waits at most this long on average: 2hours'),
  ),
  per: textOption('<unit>', units),
  host: rareOption(textOption('<column>', 'its host, with --hosts')),
  hosts: rareOption(textOption('<table>', 'host, maxRate: the most crawls of its pages in every --per')),
  'min-interval': rareOption(textOption('<time>', 'least time between two crawls of a page: 6hours')),
  'max-interval': rareOption(
    textOption('<time>', 'most time between two crawls of a page: 30days; then every page is crawled'),
  ),
  objective: rareOption(textOption('<name>', `${statementObjectives.join(', ')} (default freshness)`)),
  'bucket-width': rareOption(
    textOption(
      '<width>',
      'of ln(weight/rate) (default 0.001; past ten hosts a ten-thousandth of their number, at most 0.1)',
    ),
  ),
  out: textOption('<target>', '.parquet, .csv, .ndjson or a table of postgres://'),
  table: rareOption(textOption('<name>', 'the table of postgres:// and of sql, with its schema')),
  memory: rareOption(textOption('<size>', 'most memory for DuckDB (default 2GB)')),
  dialect: rareOption(textOption('<name>', dialectNames.join(', '))),
  price: rareOption(textOption('<price>', 'the price to write into the statements of sql')),
} as const;

export const ratesOptions = {
  id: options.id,
  time: textOption('<column>', 'of rates: when the fetch was made'),
  'time-format': rareOption(textOption('<format>', timeFormats.join(', '))),
  changed: textOption('<column>', 'of rates: whether it found the page changed'),
  signature: rareOption(textOption('<column>', 'in place of changed: a signature, which is compared')),
  status: rareOption(textOption('<column>', 'the HTTP status: fetches other than 2xx and 304 are left out')),
  'rate-unit': options['rate-unit'],
  out: options.out,
  table: options.table,
  memory: options.memory,
  dialect: options.dialect,
} as const;

export const tablesHelp = {
  usage: 'tables rates|price|plan|sql <file …> or postgres://…',
  example: 'tables price pages.csv --id url --rate rate --rate-unit day --crawls 30 --per day',
  description: `Page tables in Parquet, CSV or NDJSON files, or in PostgreSQL: change rates from a log of fetches, the price of a
crawl, the plan by that price, or the SQL of both for a warehouse.`,
  options: { ...options, ...ratesOptions },
  page: 'docs/how-to/large-tables.md',
};

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
