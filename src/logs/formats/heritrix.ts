/**
 * Heritrix's crawl.log, fields separated by blanks: time of the line, status, size, URI, discovery path, referrer,
 * type, thread, time and length of the fetch, digest, source tag, annotations. Times are UTC by definition. Source: the
 * Heritrix 3 wiki, "Log Files and Statistics".
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { LineReader, type LogFormat, type LogReader } from './format.ts';

const isoTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** Start of the fetch (17 digits) and its duration in milliseconds. */
const fetchTimePattern = /^(\d{14})\d{3}(\+\d+)?$/;
const minFields = 11;

const fieldsOf = (line: string): string[] => line.trim().split(/\s+/);

function looksRight(fields: readonly string[]): boolean {
  return fields.length >= minFields && isoTime.test(fields[0]) && /^-?\d+$/.test(fields[1]) && fields[3].includes(':');
}

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  return new LineReader((line, number) => {
    const fields = fieldsOf(line);
    if (!looksRight(fields)) {
      fetches.fault(number, `no line of a crawl.log: ${excerpt(line)}`);
      return;
    }
    const [lineTime, status, , page, discoveryPath, , , , fetchTime, digest] = fields;
    if (!/^https?:/i.test(page)) {
      fetches.passOver(`${page.split(':')[0]}: lookups`);
      return;
    }
    if (discoveryPath.endsWith('P')) {
      fetches.passOver('prerequisites, such as robots.txt');
      return;
    }
    // Heritrix's own codes: −9998 for robots.txt, −5000 out of scope, −2 no connection
    const code = Number(status);
    if (code === 0 || code < -50) {
      fetches.passOver(`not fetched (code ${status})`);
      return;
    }
    const time = fetchTimePattern.exec(fetchTime)?.[1] ?? lineTime;
    fetches.add({ page, time, status: Math.max(0, code), signature: digest }, number);
  });
}

export const heritrix: LogFormat = {
  name: 'heritrix',
  title: 'a crawl.log of Heritrix',
  recognises: ({ line }) => looksRight(fieldsOf(line)),
  open,
};
