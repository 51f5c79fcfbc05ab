/**
 * CDX (with or without its header line), CDXJ, and the JSON of CDX servers (names in row one, or objects): the captures
 * of a web archive. Times are UTC by definition.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { Lines, type LogFormat, type LogReader, readerOf } from './format.ts';
import { JsonRows } from './json-rows.ts';

type Field = 'urlkey' | 'page' | 'time' | 'status' | 'signature' | 'type' | 'method' | 'requestBody';
/** Fields of a capture. */
type Fields = Partial<Record<Field, string>>;

/**
 * Letters of the CDX header (https://iipc.github.io/warc-specifications/specifications/cdx-format/cdx-2015/), and names
 * that servers and writers of CDXJ use.
 */
const fieldNames: Readonly<Record<string, Field>> = {
  ...{ N: 'urlkey', a: 'page', b: 'time', m: 'type', s: 'status', k: 'signature' },
  ...{ urlkey: 'urlkey', original: 'page', url: 'page', uri: 'page', timestamp: 'time', method: 'method' },
  ...{ mimetype: 'type', mime: 'type', mct: 'type', statuscode: 'status', status: 'status', hsc: 'status' },
  ...{ digest: 'signature', sha: 'signature', requestBody: 'requestBody' },
};
/** Default column order of CDX servers and 11-column files: urlkey timestamp original mimetype statuscode digest … */
const usualOrder: readonly (Field | undefined)[] = ['urlkey', 'time', 'page', 'type', 'status', 'signature'];
/** Patterns of values by field, for lines in another order without a header. */
const shapes: readonly (readonly [Field, RegExp])[] = [
  ['time', /^\d{14}$/],
  ['page', /^https?:\/\//],
  ['status', /^\d{3}$/],
  ['signature', /^(?:\w+:)?[A-Z2-7]{32}$/],
];
/** Some writers add milliseconds, others write ISO 8601 and the kind of the record. */
const jsonLine = /^(\S+)\s(?:(\d{14})(?:\d{3})?|(\d{4}-\d\d-\d\dT\S+))\s(?:\w+\s)?(\{.*\})$/;
const plainLine = /^\S+\s\d{14}\s\S+\s\S+\s(?:\d{3}|-)\s\S+/;
const otherLine = /^(?=.*(?:^|\s)\d{14}\s)(?=.*(?:^|\s)https?:\/\/)(?=.*\s[A-Z2-7]{32}(?:\s|$))/;
const header = /^.?CDX((?: [A-Za-z])+)\s*$/;
const postPattern = /__wb_(?:method=post|post_data=)/i;

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let order: readonly (Field | undefined)[] | null = null;
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
      const values = line.trim().split(/\s+/);
      if (json === null) order ??= plainLine.test(line) ? usualOrder : values.map(shapeOf);
      take(json === null ? fieldsOf(values, order ?? usualOrder) : fieldsOfJson(json), number, line);
      return;
    }
    const headerLetters = head[1].trim().split(' ');
    if (headerLetters.includes('a') && headerLetters.includes('b')) order = headerLetters.map(fieldOf);
    else fetches.fault(number, `the CDX header ${excerpt(line)} has no original URL (a) or no time (b)`);
  });
  const rows = new JsonRows(fetches, {
    take: (row, number) => take(fieldsOfRow(row), number, row),
    takeList: (row, number) => {
      // an empty row, and one with the key to resume at, follow the captures
      if (order === null) order = row.map(fieldOf);
      else if (row.length > 1) take(fieldsOf(row, order), number, row);
    },
  });
  return readerOf((text) => (/^\s*[[{]/.test(text) ? rows : lines));
}

const shapeOf = (value: string): Field | undefined => shapes.find(([, pattern]) => pattern.test(value))?.[0];
const fieldOf = (name: unknown): Field | undefined => fieldNames[String(name)];

/** The fault of a line, such as columns shifted by a blank in a MIME type; null if there is none. */
function faultOf({ page, time, status }: Fields, text: unknown): string | null {
  if (page === undefined || time === undefined || !/^(?:\d{14}|\d{4}-\d\d-\d\dT.*)$/.test(time)) {
    return `no URL or no time: ${excerpt(text)}`;
  }
  if (status !== undefined && status !== '' && !/^(?:\d{3}|-)$/.test(status)) {
    return `the status is ${excerpt(status)}, neither three digits nor -: ${excerpt(text)}`;
  }
  return null;
}

function addCapture(capture: Fields, number: number, fetches: FetchCollector): void {
  const { page = '', time = '', status, signature, type, method = 'GET', urlkey = '' } = capture;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(page)?.[1].toLowerCase() ?? 'http';
  const isPost =
    !/^(?:get|head)$/i.test(method) || capture.requestBody !== undefined || postPattern.test(`${urlkey} ${page}`);
  if (scheme !== 'http' && scheme !== 'https') fetches.passOver(`${scheme}: records, which are no pages`, page);
  else if (type === 'warc/request' || type === 'warc/metadata') fetches.passOver(`${type} records`, page);
  // a revisit record has no status of its own; it repeats the capture that it refers to
  else
    fetches.add(
      {
        page,
        time,
        status: status === '-' || status === '' ? 'revisit' : status,
        signature,
        ...(isPost && { method: 'POST' }),
      },
      number,
    );
}

function fieldsOf(values: readonly unknown[], order: readonly (Field | undefined)[]): Fields {
  const fields: Fields = {};
  for (const [at, value] of values.entries()) {
    const name = order[at];
    if (name !== undefined && value !== null) fields[name] ??= String(value);
  }
  return fields;
}

const fieldsOfRow = (row: object): Fields => fieldsOf(Object.values(row), Object.keys(row).map(fieldOf));

function fieldsOfJson([, urlkey, digits, iso, json]: readonly string[]): Fields | null {
  try {
    return { ...fieldsOfRow(JSON.parse(json)), urlkey, time: digits ?? iso };
  } catch {
    return null;
  }
}

export const cdx: LogFormat = {
  name: 'cdx',
  title: 'a CDX index of a web archive',
  readsDates: true,
  recognises: ({ line, names }) =>
    [header, jsonLine, plainLine, otherLine, /^!(?:meta|OpenWayback-CDXJ)\b/].some((each) => each.test(line)) ||
    (/^[[{]/.test(line) &&
      names.has('timestamp') &&
      (names.has('original') || (names.has('urlkey') && names.has('digest')))),
  open,
};
