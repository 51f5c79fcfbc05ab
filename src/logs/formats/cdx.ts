/**
 * CDX (with or without its header line), CDXJ, and the JSON of CDX servers (names in row one, or objects): the captures
 * of a web archive. Times are UTC by definition.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { chooseReader, LineReader, type LogFormat, type LogReader } from './format.ts';
import { JsonRowReader } from './json-rows.ts';

type Field = 'urlkey' | 'page' | 'time' | 'status' | 'signature' | 'type' | 'method' | 'requestBody';
type Capture = Readonly<Partial<Record<Field, string>>>;

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
/** Patterns of values by field, for lines whose columns have an unknown order. */
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
  const lines = new LineReader((line, number) => {
    // metadata line of some CDXJ files
    if (line.startsWith('!')) return;
    const names = header.exec(line)?.[1].trim().split(' ');
    const json = jsonLine.exec(line);
    if (names?.includes('a') && names.includes('b')) order = names.map(fieldOf);
    else if (names !== undefined) {
      fetches.fault(number, `the CDX header ${excerpt(line)} has no original URL (a) or no time (b)`);
    } else if (json === null) {
      const values = line.trim().split(/\s+/);
      order ??= plainLine.test(line) ? usualOrder : values.map(shapeOf);
      addCapture(captureOf(values, order), number, line, fetches);
    } else addCapture(captureOfJson(json), number, line, fetches);
  });
  const rows = new JsonRowReader(fetches, {
    onRow: (row, number) => addCapture(captureOfRow(row), number, row, fetches),
    onList: (row, number) => {
      // an empty row, and one with the key to resume at, follow the captures
      if (order === null) order = row.map(fieldOf);
      else if (row.length > 1) addCapture(captureOf(row, order), number, row, fetches);
    },
  });
  return chooseReader((text) => (/^\s*[[{]/.test(text) ? rows : lines));
}

const shapeOf = (value: string): Field | undefined => shapes.find(([, pattern]) => pattern.test(value))?.[0];
const fieldOf = (name: unknown): Field | undefined => fieldNames[String(name)];

function captureOf(values: readonly unknown[], order: readonly (Field | undefined)[]): Capture {
  const capture: Partial<Record<Field, string>> = {};
  for (const [at, value] of values.entries()) {
    const name = order[at];
    if (name !== undefined && value !== null) capture[name] ??= String(value);
  }
  return capture;
}

const captureOfRow = (row: object): Capture => captureOf(Object.values(row), Object.keys(row).map(fieldOf));

function captureOfJson([, urlkey, digits, iso, json]: readonly string[]): Capture | null {
  try {
    return { ...captureOfRow(JSON.parse(json)), urlkey, time: digits ?? iso };
  } catch {
    return null;
  }
}

/** Adds a capture; a line can have a fault such as columns shifted by a blank in a MIME type. */
function addCapture(capture: Capture | null, number: number, text: unknown, fetches: FetchCollector): void {
  const { page, time = '', status, signature, type = '', method = 'GET', urlkey = '', requestBody } = capture ?? {};
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(page ?? '')?.[1].toLowerCase() ?? 'http';
  const isPost = !/^(?:get|head)$/i.test(method) || requestBody !== undefined || postPattern.test(`${urlkey} ${page}`);
  if (capture === null) fetches.fault(number, `no line of a CDX index: ${excerpt(text)}`);
  else if (page === undefined || !/^(?:\d{14}|\d{4}-\d\d-\d\dT.*)$/.test(time)) {
    fetches.fault(number, `no URL or no time: ${excerpt(text)}`);
  } else if (!/^(?:\d{3}|-?)$/.test(status ?? '')) {
    fetches.fault(number, `the status is ${excerpt(status)}, neither three digits nor -: ${excerpt(text)}`);
  } else if (scheme !== 'http' && scheme !== 'https') {
    fetches.passOver(`${scheme}: records, which are no pages`, page);
  } else if (/^warc\/(?:request|metadata)$/.test(type)) fetches.passOver(`${type} records`, page);
  else {
    // a revisit record has no status of its own; it repeats the capture that it refers to
    const ownStatus = status === '-' || status === '' ? 'revisit' : status;
    fetches.add({ page, time, status: ownStatus, signature, ...(isPost && { method: 'POST' }) }, number);
  }
}

export const cdx: LogFormat = {
  name: 'cdx',
  title: 'a CDX index of a web archive',
  hasFixedDates: true,
  recognises: ({ line, names }) =>
    [header, jsonLine, plainLine, otherLine, /^!(?:meta|OpenWayback-CDXJ)\b/].some((each) => each.test(line)) ||
    (/^[[{]/.test(line) &&
      names.has('timestamp') &&
      (names.has('original') || (names.has('urlkey') && names.has('digest')))),
  open,
};
