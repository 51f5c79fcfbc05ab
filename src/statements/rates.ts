/**
 * Estimates each page's change rate from a crawl log, with an interval and the number of checks.
 *
 * Model: a page changes by a Poisson process of rate λ; a check τ after the one before finds it changed with
 * probability 1 − e^(−λτ). First and failed fetches are no checks. A 304 is an unchanged check; any other fetch is
 * compared with the last known signature, and is no check without one. A page without a check gets the pooled rate of
 * all pages, so that plans do not lose it; without any checks, one change a day. Half an unchanged check of the page's
 * mean spacing τ̄ is added: for n regular checks with X changes the estimate is −ln((n − X + ½)/(n + ½))/τ, the one
 * with reduced bias of Cho & Garcia-Molina (2003, section 4.2). The likelihood is greatest where Σ τ/(e^(λτ) − 1) over
 * the changed checks is the time S of the unchanged ones. Its logarithm as a function of ln λ is decreasing and
 * concave, and Newton's method starts from X/(S + half the time of the changed checks). A page seen unchanged at all
 * checks has the rate of half a change in the time it was watched. The interval is of 95%: normal in ln λ by the
 * observed information, for pages never seen changed from 0 to −ln(.025)/S. Changed checks are not binned, so irregular
 * logs lose no accuracy.
 */
import type { Dialect } from './dialects.ts';
import { changedGaps, newtonByArrays, newtonByJoins } from './maximum-likelihood.ts';
import { epochSeconds, type TimeFormat } from './times.ts';

export interface LogTable {
  readonly from: string;
  readonly page: string;
  readonly time: string;
  readonly timeFormat: TimeFormat;
  /** Column with whether a fetch found the page changed: true, or a number above 0. */
  readonly changed?: string | undefined;
  /** Column with the signature to compare, in place of `changed`. */
  readonly signature?: string | undefined;
  /** Column with the HTTP status; a fetch with a status other than 2xx and 304 failed. */
  readonly status?: string | undefined;
}

/**
 * SQL for the code of a status such as 200, "HTTP/1.1 200 OK" or "not modified"; null if the status is missing or not
 * understood, 0 for words of a failure.
 */
function codeOf({ quoteName, integer, string }: Dialect, status: string): string {
  const text = `LOWER(CAST(${quoteName(status)} AS ${string}))`;
  const remove = (of: string, pattern: string): string => `REGEXP_REPLACE(${of}, '${pattern}', '')`;
  const matches = (pattern: string): string => `(${text} <> '' AND ${remove(text, `^.*(${pattern}).*$`)} = '')`;
  const digits = remove(remove(remove(text, '^http/[0-9.]+ *'), '^[^0-9]+'), '[^0-9].*$');
  return [
    `CASE WHEN ${digits} <> '' THEN CAST(NULLIF(${digits}, '') AS ${integer}) WHEN ${matches('not.?modified|unchanged')} THEN 304`,
    `WHEN ${matches('not.?found|gone|forbidden|denied|blocked|unavailable|error|fail|time.?d?.?out|refused|reset|abort')} THEN 0`,
    `WHEN ${matches('^ok|success|fetched')} THEN 200 END`,
  ].join(' ');
}

/**
 * Texts for a missing signature, in lower case; `\\N` is written without a backslash, which dialects escape
 * differently.
 */
const missingPattern =
  '^([^a-z0-9]n|-+|[#]?n[.]?/?a[.]?!?|not available|[#<(]?(null|none|nil|nan|nat|undefined|unknown|empty|missing)[>).!]?)$';

/**
 * SQL for a signature in the form that is compared: entity tags without weak prefix (RFC 9110, 8.8.3.2) and suffix of a
 * content coding, digests without prefix and in lower case; null if the signature is missing. No pattern has a
 * backslash, which dialects escape differently.
 */
function comparable({ quoteName, string }: Dialect, signature: string): string {
  const remove = (text: string, pattern: string): string => `REGEXP_REPLACE(${text}, '${pattern}', '')`;
  const weak = remove(`TRIM(CAST(${quoteName(signature)} AS ${string}))`, '^[Ww]/');
  const bare = remove(remove(weak, '^["]+'), '["]+$');
  const plain = remove(bare, '([-;:_.+/~ ]+(x-gzip|gzip|gz|br|brotli|deflate|zstd|compress|identity|dcb|dcz))+$');
  const digest = remove(plain, '^([Mm][Dd]5|[Ss][Hh][Aa]-?(1|224|256|384|512))([Ss][Uu][Mm])?[-:=;_/ ]');
  const otherText = `CASE WHEN ${remove(`LOWER(${digest})`, missingPattern)} = '' THEN NULL ELSE ${digest} END`;
  return `CASE WHEN LENGTH(${digest}) IN (32, 40, 56, 64, 96, 128) THEN LOWER(${digest}) ELSE ${otherText} END`;
}

/** SQL for the kind of a signature: the length of a digest, else 0. Signatures of different kinds are not compared. */
const kindOf = (evidence: string): string =>
  `CASE WHEN LENGTH(${evidence}) IN (32, 40, 56, 64, 96, 128) AND REGEXP_REPLACE(LOWER(${evidence}), '^[0-9a-f]+$', '') = '' THEN LENGTH(${evidence}) ELSE 0 END`;

/** SQL for the evidence of a fetch: `changed` as a number, or the signature in the form that is compared. */
const evidenceOf = (dialect: Dialect, { changed, signature = '' }: LogTable): string =>
  changed === undefined ? comparable(dialect, signature) : `CAST(${dialect.quoteName(changed)} AS ${dialect.integer})`;

/** SQL condition of a failed fetch: by its status, or, without a status, by missing evidence. */
function failedCondition(dialect: Dialect, log: LogTable): string {
  if (log.status === undefined) return 'FALSE';
  const code = codeOf(dialect, log.status);
  const evidence = evidenceOf(dialect, log);
  const hasEvidence = log.changed === undefined ? `${evidence} IS NOT NULL` : `${evidence} > 0`;
  return `NOT COALESCE(${code} BETWEEN 200 AND 299 OR ${code} = 304, ${hasEvidence}, FALSE)`;
}

/** SQL condition of an answer 304, which means an unchanged page and has no signature. */
function notModifiedCondition(dialect: Dialect, { status }: LogTable): string {
  return status === undefined ? 'FALSE' : `COALESCE(${codeOf(dialect, status)} = 304, FALSE)`;
}

/** Range of plausible times: the years 1990 to 2100, in epoch seconds. */
export const plausibleTimes = [631_152_000, 4_102_444_800] as const;

/** SQL condition of a row with a page and a plausible time. */
function fetchCondition(dialect: Dialect, log: LogTable): string {
  const time = epochSeconds(dialect, log.time, log.timeFormat);
  const [from, to] = plausibleTimes;
  return `(${dialect.quoteName(log.page)} IS NOT NULL AND COALESCE(${time} >= ${from} AND ${time} < ${to}, FALSE))`;
}

/**
 * A query for one row: the number of fetches; for fetches with a page and a plausible time the number of pages, of
 * failures, and the first and last time (epoch seconds); the first and last time of all rows; the number of rows
 * without a page or a plausible time (`odd`).
 */
export function previewStatement(dialect: Dialect, log: LogTable): string {
  const time = epochSeconds(dialect, log.time, log.timeFormat);
  const page = dialect.quoteName(log.page);
  const sum = (condition: string): string => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
  const fetch = fetchCondition(dialect, log);
  const ofFetches = (value: string): string => `CASE WHEN ${fetch} THEN ${value} END`;
  return [
    `SELECT COUNT(*) AS fetches, COUNT(DISTINCT ${ofFetches(page)}) AS pages, ${sum(`${fetch} AND ${failedCondition(dialect, log)}`)} AS failed,`,
    `  MIN(${ofFetches(time)}) AS first_time, MAX(${ofFetches(time)}) AS last_time, MIN(${time}) AS least_time, MAX(${time}) AS most_time,`,
    `  ${sum(`NOT ${fetch}`)} AS odd`,
    `FROM ${log.from}`,
  ].join('\n');
}

/**
 * A query for a row a page: id, rate, rateLow, rateHigh (per `secondsPerUnit`; null without a check), checks, changes
 * and lastCrawl (epoch seconds of the last fetch, also of a failed one). No column has the name of a column in its
 * expression: ClickHouse would read the name as the new column.
 */
export function ratesStatement(dialect: Dialect, log: LogTable, secondsPerUnit: number): string {
  const { name: engine, quoteName } = dialect;
  const asKeyword = engine === 'duckdb' ? 'AS MATERIALIZED' : dialect.asKeyword;
  const nullable = (time: string): string => (engine === 'clickhouse' ? `toNullable(${time})` : time);
  const overPage = 'OVER (PARTITION BY page_id ORDER BY at_time)';
  const bySignature = log.changed === undefined;
  const evidence = evidenceOf(dialect, log);
  const hasChanged = bySignature ? `evidence <> LAG(known) ${overPage}` : 'evidence > 0';
  const elapsed = `(at_time - LAG(at_time) ${overPage}) / ${secondsPerUnit}`;
  const comparedTime = bySignature
    ? `CASE WHEN evidence IS NULL OR ${kindOf('evidence')} = ${kindOf(`LAG(known) ${overPage}`)} THEN ${elapsed} END`
    : elapsed;
  const parts = [
    `attempts ${asKeyword} (SELECT ${quoteName(log.page)} AS page_id, ${nullable(epochSeconds(dialect, log.time, log.timeFormat))} AS at_time,`,
    `  ${evidence} AS evidence, ${failedCondition(dialect, log)} AS missed, ${notModifiedCondition(dialect, log)} AS same FROM ${log.from}`,
    `  WHERE ${fetchCondition(dialect, log)}),`,
    `fetches ${asKeyword} (SELECT page_id, at_time, CASE WHEN same THEN NULL ELSE evidence END AS told,`,
    '  COUNT(CASE WHEN same THEN NULL ELSE evidence END)',
    '    OVER (PARTITION BY page_id ORDER BY at_time ROWS UNBOUNDED PRECEDING) AS held',
    `  FROM attempts WHERE NOT missed${bySignature ? ' AND (same OR evidence IS NOT NULL)' : ''}),`,
    `seen ${asKeyword} (SELECT page_id, at_time, told AS evidence, MAX(told) OVER (PARTITION BY page_id, held) AS known`,
    '  FROM fetches)',
  ].join('\n');
  const gaps = [
    `gaps ${asKeyword} (SELECT page_id, at_time, ${comparedTime} AS elapsed,`,
    `  CASE WHEN ${hasChanged} THEN 1 ELSE 0 END AS changed FROM seen)`,
  ].join('\n');
  const [gapsAggregate, gapsColumn] =
    engine === 'spark' ? [`,\n  ${changedGaps} AS changed_gaps`, ', changed_gaps'] : ['', ''];
  const watchedTable = [
    `watched ${asKeyword} (SELECT page_id, COUNT(CASE WHEN elapsed > 0 THEN 1 END) AS checks,`,
    '  SUM(CASE WHEN elapsed > 0 THEN changed ELSE 0 END) AS changes, COALESCE(SUM(elapsed), 0) AS whole,',
    `  COALESCE(SUM(CASE WHEN changed = 0 THEN elapsed END), 0) AS still${gapsAggregate} FROM gaps GROUP BY page_id)`,
  ].join('\n');
  const askedTable = [
    `asked ${asKeyword} (SELECT page_id, checks, changes, whole, still, still + whole / checks / 2 AS same${gapsColumn} FROM watched`,
    '  WHERE checks > 0)',
  ].join('\n');
  const fitTable = engine === 'spark' ? newtonByArrays() : newtonByJoins(asKeyword);
  const pages = [
    `pages ${asKeyword} (SELECT page_id, MAX(at_time) AS last_time FROM attempts GROUP BY page_id)`,
    `pool ${asKeyword} (SELECT SUM(changes + 0.5) / SUM(whole) AS rate FROM asked)`,
  ].join(',\n');
  const pooledRate = `COALESCE(pool.rate, ${secondsPerUnit} / 86400.0)`;
  const spread = 'EXP(1.959963984540054 / (f.near * SQRT(f.information)))';
  return [
    `WITH ${[parts, gaps, watchedTable, askedTable, fitTable, pages].join(',\n')}`,
    `SELECT p.page_id AS ${quoteName('id')}, COALESCE(f.near, 0.5 / a.whole, ${pooledRate}) AS ${quoteName('rate')},`,
    `  COALESCE(f.near / ${spread}, 0) AS ${quoteName('rateLow')},`,
    `  COALESCE(f.near * ${spread}, 3.688879454113936 / a.whole) AS ${quoteName('rateHigh')},`,
    `  COALESCE(a.checks, 0) AS ${quoteName('checks')}, COALESCE(a.changes, 0) AS ${quoteName('changes')},`,
    `  p.last_time AS ${quoteName('lastCrawl')}`,
    'FROM pages p LEFT JOIN asked a ON a.page_id = p.page_id LEFT JOIN found f ON f.page_id = p.page_id CROSS JOIN pool',
    ...(engine === 'clickhouse' ? ['SETTINGS join_use_nulls = 1'] : []),
  ].join('\n');
}
