/**
 * CDX (with or without its header line), CDXJ, and the JSON of the Wayback Machine's CDX server (names in row one): the
 * captures of a web archive. Times are UTC by definition.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';
import { isRow, JsonStream } from './json-rows.ts';

/** Fields of a capture by the server's names. */
type Fields = Partial<Record<'urlkey' | 'page' | 'time' | 'status' | 'signature' | 'type' | 'method', string>>;

/** Letters of the CDX header: https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/ */
const letters: Readonly<Record<string, keyof Fields>> = {
  N: 'urlkey',
  a: 'page',
  b: 'time',
  m: 'type',
  s: 'status',
  k: 'signature',
};
const namesOfServers: Readonly<Record<string, keyof Fields>> = {
  urlkey: 'urlkey',
  original: 'page',
  url: 'page',
  timestamp: 'time',
  mimetype: 'type',
  mime: 'type',
  statuscode: 'status',
  status: 'status',
  digest: 'signature',
  method: 'method',
};
/** Default column order of CDX servers and 11-column files: urlkey timestamp original mimetype statuscode digest … */
const usual = ['N', 'b', 'a', 'm', 's', 'k'];
/** Some writers add milliseconds. */
const jsonLine = /^(\S+) (\d{14})(?:\d{3})? (\{.*\})$/;
const plainLine = /^\S+ \d{14} \S+ \S+ (\d{3}|-) \S+/;
const header = /^.?CDX((?: [A-Za-z])+)\s*$/;
/** The answer of a CDX server with output=json. */
const serverJson = /^\s*\[\s*\[\s*"(?:urlkey|timestamp|original)"/;
const posted = /__wb_(?:method=post|post_data=)/i;

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let order: readonly string[] = usual;
  let names: readonly (keyof Fields | undefined)[] | null = null;
  const take = (fields: Fields | null, number: number, text: unknown): void => {
    const fault = fields === null ? `no line of a CDX index: ${excerpt(text)}` : faultOf(fields, text);
    if (fault !== null || fields === null) fetches.fault(number, fault ?? '');
    else addCapture(fields, number, fetches);
  };
  const lines = new Lines((line, number) => {
    // metadata line of some CDXJ files
    if (line.startsWith('!')) return;
    const head = header.exec(line);
    if (head === null) {
      const json = jsonLine.exec(line);
      take(json === null ? byLetter(line, order) : byName(json), number, line);
      return;
    }
    const named = head[1].trim().split(' ');
    if (named.includes('a') && named.includes('b')) order = named;
    else fetches.fault(number, `the CDX header ${excerpt(line)} has no original URL (a) or no time (b)`);
  });
  const rows = new JsonStream(
    (row, number) => {
      if (!Array.isArray(row)) take(null, number, row);
      else if (names === null) names = row.map((name) => namesOfServers[String(name)]);
      else take(byPosition(row, names), number, row);
    },
    (number, why) => fetches.fault(number, why),
  );
  let reader: LogReader | null = null;
  return {
    push(text) {
      reader ??= serverJson.test(text) ? rows : lines;
      reader.push(text);
    },
    end: () => reader?.end(),
  };
}

/** The fault of a line, such as columns shifted by a blank in a MIME type; null if there is none. */
function faultOf({ page, time, status }: Fields, text: unknown): string | null {
  if (page === undefined || time === undefined || !/^\d{14}$/.test(time)) return `no URL or no time: ${excerpt(text)}`;
  if (status !== undefined && status !== '' && !/^(?:\d{3}|-)$/.test(status)) {
    return `the status is ${excerpt(status)}, neither three digits nor -: ${excerpt(text)}`;
  }
  return null;
}

function addCapture(
  { page = '', time = '', status, signature, type, method, urlkey = '' }: Fields,
  number: number,
  fetches: FetchCollector,
): void {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(page)?.[1].toLowerCase() ?? 'http';
  if (scheme !== 'http' && scheme !== 'https') fetches.passOver(`${scheme}: records, which are no pages`, page);
  else if ((method !== undefined && !/^(?:get|head)$/i.test(method)) || posted.test(urlkey) || posted.test(page)) {
    fetches.passOver('captures of POST: another resource', page);
  } else if (type === 'warc/request' || type === 'warc/metadata') fetches.passOver(`${type} records`, page);
  // a revisit record has no status of its own; it repeats the previous capture
  else fetches.add({ page, time, status: status === '-' || status === '' ? 'revisit' : status, signature }, number);
}

function byLetter(line: string, order: readonly string[]): Fields {
  const fields: Fields = {};
  for (const [at, value] of line.trim().split(/\s+/).entries()) {
    const name = letters[order[at]];
    if (name !== undefined) fields[name] = value;
  }
  return fields;
}

function byPosition(row: readonly unknown[], names: readonly (keyof Fields | undefined)[]): Fields {
  const fields: Fields = {};
  for (const [at, value] of row.entries()) {
    const name = names[at];
    if (name !== undefined && value !== null) fields[name] = String(value);
  }
  return fields;
}

function byName([, urlkey, time, json]: readonly string[]): Fields | null {
  try {
    const row: unknown = JSON.parse(json);
    if (!isRow(row)) return null;
    const fields: Fields = {};
    for (const [name, value] of Object.entries(row)) {
      const field = namesOfServers[name];
      if (field !== undefined && value !== null) fields[field] = String(value);
    }
    return { ...fields, urlkey, time };
  } catch {
    return null;
  }
}

export const cdx: LogFormat = {
  name: 'cdx',
  title: 'a CDX index of a web archive',
  readsDates: true,
  recognises: (beginning) => {
    const line = firstLine(beginning);
    return header.test(line) || jsonLine.test(line) || plainLine.test(line) || serverJson.test(beginning);
  },
  open,
};
