/**
 * A crawl log with the rest of the request as named texts, a query, as the service takes one over HTTP. The same
 * readers as the command line's.
 */

import { durationSeconds } from '../../schemas/words/durations.ts';
import { suggestions } from '../../schemas/words/suggest.ts';
import { typedValue } from '../../schemas/words/typed-value.ts';
import { day } from '../../solvers/day.ts';
import { excerpt, type LogOptions, LogRefusal } from '../log-record.ts';
import { logSummary } from '../log-summary.ts';
import { readMoment } from '../log-times.ts';
import { planOperation, planRequest } from '../plan-request.ts';
import { type CrawlLog, LogReading, truncateLog } from '../read-log.ts';
import { columnMap, columnPairForm } from './column-map.ts';

/** Names of how the log is read and planned; every other name is a property of the request, `options.seed` too. */
const readingNames = ['format', 'map', 'zone', 'agent', 'base', 'signature', 'fragments'] as const;
const wishNames = ['hostDelay', 'freshness', 'meanDelay'] as const;

/** The parameter of the log's reading that a name was meant as; undefined where none is near. */
export const suggestReadingName = (name: string): string | undefined =>
  name.length > 60 ? undefined : suggestions(name, [...readingNames, ...wishNames])[0];

/** Names and values of a query. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

interface LogRequest {
  readonly request: object;
  /** How the log was read, in whole sentences. */
  readonly notes: readonly string[];
}

/**
 * The request of an operation that takes logs.
 *
 * @param pieces of the log's text
 * @param now when a plan starts that names no time, epoch seconds
 * @throws LogRefusal where the log or a parameter of its reading cannot be told apart
 */
export function requestOfLog(operation: string, pieces: Iterable<string>, query: QueryPairs, now: number): LogRequest {
  const options = readingOf(query);
  const reading = new LogReading(options, parameter(query, 'format'));
  for (const piece of pieces) reading.push(piece);
  const whole = reading.end();
  const own = propertiesOf(query, options.zone);
  const begin = typeof own.now === 'number' ? own.now : now;
  const plans = operation === planOperation;
  const log = plans ? truncateLog(whole, begin) : whole;
  const notes = [`The log was read as ${log.format.title}: ${logSummary(log)}.`, ...log.notes];
  const request = plans ? planRequestOf(log, query, own, begin) : rateRequestOf(log);
  return { request: { ...request, ...own }, notes: notes.map(asParameters) };
}

/** Options of the command line in a sentence → the names of parameters. */
const asParameters = (sentence: string): string =>
  sentence.replaceAll(/--([a-z]+(?:-[a-z]+)*)/g, (_, name: string) =>
    name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase()),
  );

/** Why a log was refused, for people who send parameters. */
export function refusalText({ reason, option }: LogRefusal): string {
  return asParameters(option === '' ? reason : `${reason}: add to the query ${option}`);
}

/** What a plan needs beside the log; a day is planned where no interval is given. */
function planRequestOf(log: CrawlLog, query: QueryPairs, own: Readonly<Record<string, unknown>>, now: number): object {
  const wish = (name: (typeof wishNames)[number]): number | undefined => {
    const text = parameter(query, name);
    const value = text === undefined ? undefined : (durationSeconds(text) ?? Number(text));
    if (value === undefined || value >= 0) return value;
    throw new LogRefusal(`${name} must be a number or a time such as 90m; got ${excerpt(text)}`);
  };
  const target = { freshness: wish('freshness'), meanDelay: wish('meanDelay') };
  const crawls = Object.values(target).some((each) => each !== undefined) ? target : undefined;
  const limit = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
  const limits = { minInterval: limit(own.minInterval), maxInterval: limit(own.maxInterval) };
  return planRequest(log, { now, interval: day, crawls, hostDelay: wish('hostDelay'), ...limits });
}

/** The rates of the log's pages, each with what the others show, as in `crawl-optimizer import --table`. */
const rateRequestOf = ({ pages }: CrawlLog): object => ({
  pages: pages.map(({ id, observations }) => ({ id, observations })),
  prior: 'empirical-bayes',
});

const parameter = (query: QueryPairs, name: string): string | undefined =>
  query.findLast(([known]) => known === name)?.[1];

function readingOf(query: QueryPairs): LogOptions {
  const [agent, base, signature] = [parameter(query, 'agent'), parameter(query, 'base'), parameter(query, 'signature')];
  // A plus in a query is a blank.
  const zone = parameter(query, 'zone')?.replace(/^ /, '+');
  const fragments = parameter(query, 'fragments');
  if (fragments !== undefined && fragments !== 'keep') {
    throw new LogRefusal(`fragments can only be keep; got ${excerpt(fragments)}`);
  }
  if (signature !== undefined && signature !== 'bytes') {
    throw new LogRefusal(`signature can only be bytes; got ${excerpt(signature)}`);
  }
  const pairs = query.filter(([name]) => name === 'map').map(([, text]) => text);
  return {
    map: columnMap(pairs, refusePair),
    ...(zone !== undefined && { zone }),
    ...(agent !== undefined && { agent }),
    ...(base !== undefined && { base }),
    ...(signature === 'bytes' && { signature }),
    ...(fragments === 'keep' && { fragments }),
  };
}

function refusePair(pair: string): never {
  throw new LogRefusal(`map must be ${columnPairForm}; got ${excerpt(pair)}`);
}

/** A moment in the zone of the log, epoch seconds; what is none is left to be refused as what it is. */
function momentIn(zone: string | undefined, text: string): number | string {
  const time = readMoment(text, zone);
  return Number.isFinite(time) ? time : text;
}

/** Levels of a property's dotted name. */
const deepestProperty = 8;

/** The properties of the request that the query has. */
function propertiesOf(query: QueryPairs, zone: string | undefined): Readonly<Record<string, unknown>> {
  const known: readonly string[] = [...readingNames, ...wishNames];
  let request: Readonly<Record<string, unknown>> = {};
  for (const [name, text] of query) {
    if (known.includes(name)) continue;
    const path = name.split('.');
    if (path[0] === 'pages') throw new LogRefusal('pages come from the log; leave the parameter out');
    if (path.length > deepestProperty) {
      throw new LogRefusal(
        `${excerpt(name)} names a property ${path.length} levels deep; none lies deeper than ${deepestProperty}`,
      );
    }
    request = withProperty(request, path, name === 'now' ? momentIn(zone, text) : typedValue(text));
  }
  return request;
}

function withProperty(request: unknown, [step, ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  const record = typeof request === 'object' && request !== null && !Array.isArray(request) ? request : {};
  const inner: unknown = Object.hasOwn(record, step) ? Reflect.get(record, step) : undefined;
  return { ...record, [step]: rest.length === 0 ? value : withProperty(inner, rest, value) };
}
