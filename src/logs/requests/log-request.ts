/**
 * A request from a crawl log and a query with the other properties: the query of a URL over HTTP; on the command line
 * `--min-interval 6h` is `minInterval=6h`.
 */

import { durationSeconds } from '../../schemas/words/durations.ts';
import { suggestions } from '../../schemas/words/suggest.ts';
import { typedValue, withProperty } from '../../schemas/words/typed-value.ts';
import { day } from '../../solvers/day.ts';
import { excerpt, type LogOptions, LogRefusal, type LogRole, logRoles } from '../log-record.ts';
import { type PlanRequest, planOperation, planRequest } from '../plan-request.ts';
import { type CrawlLog, LogParser, truncateLog } from '../read-log.ts';
import { parseTime } from '../time-parser.ts';

/** Operations that accept a crawl log as the request body. */
export const logOperations: readonly string[] = ['crawl-plan', 'estimates/change-rates'];

/** Parameters for reading and planning the log; every other name is a property of the request, such as `options.seed`. */
const readingNames = ['format', 'map', 'zone', 'agent', 'base', 'signature', 'fragments'] as const;
const planSettingNames = ['hostDelay', 'freshness', 'meanDelay'] as const;

/** The reading parameter closest to a misspelt name; undefined if none is close. */
export const suggestReadingName = (name: string): string | undefined =>
  name.length > 60 ? undefined : suggestions(name, [...readingNames, ...planSettingNames])[0];

/** Names and values of a query. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

interface LogRequest {
  readonly request: PlanRequest;
  /** The log up to the start of the plan, with its notes. */
  readonly log: CrawlLog;
}

/** Starts reading a log by the parameters of a query. @throws LogRefusal if one cannot be read */
export const openLog = (query: QueryPairs): LogParser => new LogParser(readingOf(query), parameter(query, 'format'));

/**
 * The request of an operation that takes logs.
 *
 * @param now start of a plan without `now` in its query, epoch seconds
 * @throws LogRefusal if nothing of the log can be planned, or a parameter cannot be read
 */
export function logRequest(operation: string, wholeLog: CrawlLog, query: QueryPairs, now: number): LogRequest {
  const properties = propertiesOf(query, zoneOf(query));
  const begin = typeof properties.now === 'number' ? properties.now : now;
  const isPlan = operation === planOperation;
  const log = isPlan ? truncateLog(wholeLog, begin) : wholeLog;
  const { pages, ...fields } = isPlan ? planRequestOf(log, query, properties, begin) : rateRequestOf(log);
  return { request: { ...fields, ...properties, pages }, log };
}

/** Replaces command-line options in a sentence by query parameters. */
export const optionsToParameters = (sentence: string): string =>
  sentence.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) =>
    name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase()),
  );

/** The reason of a refusal, in terms of query parameters. */
export function refusalText({ reason, option }: LogRefusal): string {
  return optionsToParameters(option === '' ? reason : `${reason}: add to the query ${option}`);
}

/** A plan's request; the interval defaults to a day. */
function planRequestOf(log: CrawlLog, query: QueryPairs, properties: Readonly<Record<string, unknown>>, now: number) {
  const planSetting = (name: (typeof planSettingNames)[number]): number | undefined => {
    const text = parameter(query, name);
    const value = text === undefined ? undefined : (durationSeconds(text) ?? Number(text));
    if (value === undefined || value >= 0) return value;
    const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new LogRefusal(`--${option} must be a number or a time such as 90m; got ${excerpt(text)}`);
  };
  const target = { freshness: planSetting('freshness'), meanDelay: planSetting('meanDelay') };
  const crawls = Object.values(target).some((each) => each !== undefined) ? target : undefined;
  const limit = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const limits = { minInterval: limit(properties.minInterval), maxInterval: limit(properties.maxInterval) };
  return planRequest(log, { now, interval: day, crawls, hostDelay: planSetting('hostDelay'), ...limits });
}

/** A request for the rates of the log's pages with an empirical prior, as in `crawl-optimizer import --table`. */
function rateRequestOf({ format, pages }: CrawlLog): PlanRequest {
  if (format.name === 'feeds') throw new LogRefusal('entries of feeds are changes, of which crawl-plan makes a plan');
  return { pages: pages.map(({ id, observations }) => ({ id, observations })), prior: 'empirical-bayes' };
}

const parameter = (query: QueryPairs, name: string): string | undefined => query.findLast(([key]) => key === name)?.[1];

/** A plus sign in a query decodes to a space. */
const zoneOf = (query: QueryPairs): string | undefined => parameter(query, 'zone')?.replace(/^ /, '+');

function readingOf(query: QueryPairs): LogOptions {
  const flag = <Value extends string>(name: string, word: Value): Value | undefined => {
    const text = parameter(query, name);
    if (text !== undefined && text !== word) {
      throw new LogRefusal(`--${name} can only be ${word}; got ${excerpt(text)}`);
    }
    return text === undefined ? undefined : word;
  };
  return {
    fragments: flag('fragments', 'keep'),
    signature: flag('signature', 'bytes'),
    map: columnMap(query.filter(([name]) => name === 'map').map(([, text]) => text)),
    zone: zoneOf(query),
    agent: parameter(query, 'agent'),
    base: parameter(query, 'base'),
  };
}

/** The mapping of columns from texts of comma-separated pairs such as `time=scraped_at`. @throws LogRefusal */
function columnMap(texts: readonly string[]): Partial<Record<LogRole, string>> {
  const map: Partial<Record<LogRole, string>> = {};
  for (const pair of texts.flatMap((each) => each.split(','))) {
    const [name, ...column] = pair.split('=');
    const role = logRoles.find(([field]) => field === name)?.[0];
    if (role === undefined || column.length === 0) {
      const roles = logRoles.map(([field]) => field).join(', ');
      throw new LogRefusal(`--map must be <field>=<column>, of ${roles}; got ${excerpt(pair)}`);
    }
    map[role] = column.join('=');
  }
  return map;
}

/** A time in the log's zone, epoch seconds; other text is returned for validation to refuse. */
function momentIn(zone: string | undefined, text: string): number | string {
  const time = parseTime(text, zone);
  return Number.isFinite(time) ? time : text;
}

/** The request's properties in the query. */
function propertiesOf(query: QueryPairs, zone: string | undefined): Readonly<Record<string, unknown>> {
  const settingNames: readonly string[] = [...readingNames, ...planSettingNames];
  let request: object = {};
  for (const [name, text] of query) {
    if (settingNames.includes(name)) continue;
    if (/^pages\b/.test(name)) throw new LogRefusal('pages come from the log; leave the parameter out');
    request = withProperty(request, name, name === 'now' ? momentIn(zone, text) : typedValue(text), (reason) => {
      throw new LogRefusal(reason);
    });
  }
  return { ...request };
}
