/**
 * Heritrix's crawl.log, fields separated by blanks: time of the line, status, size, URI, discovery path, referrer,
 * type, thread, time and length of the fetch, digest, source tag, annotations. Times are UTC by definition. Source: the
 * Heritrix 3 wiki, "Log Files and Statistics".
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** Start of the fetch (17 digits) and its duration in milliseconds. */
const began = /^(\d{14})\d{3}(\+\d+)?$/;
const minFields = 11;

const fieldsOf = (line: string): string[] => line.trim().split(/\s+/);

function looksRight(fields: readonly string[]): boolean {
  return fields.length >= minFields && iso.test(fields[0]) && /^-?\d+$/.test(fields[1]) && fields[3].includes(':');
}

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  return new Lines((line, number) => {
    const fields = fieldsOf(line);
    if (!looksRight(fields)) {
      fetches.fault(number, `no line of a crawl.log: ${excerpt(line)}`);
      return;
    }
    const [written, status, , page, found, , , , fetched, digest] = fields;
    if (!/^https?:/i.test(page)) {
      fetches.passOver(`${page.split(':')[0]}: lookups`);
      return;
    }
    if (found.endsWith('P')) {
      fetches.passOver('prerequisites, such as robots.txt');
      return;
    }
    // Heritrix's own codes: −9998 for robots.txt, −5000 out of scope, −2 no connection
    const code = Number(status);
    if (code === 0 || code < -50) {
      fetches.passOver(`not fetched (code ${status})`);
      return;
    }
    const time = began.exec(fetched)?.[1] ?? written;
    fetches.add({ page, time, status: Math.max(0, code), signature: digest }, number);
  });
}

export const heritrix: LogFormat = {
  name: 'heritrix',
  title: 'a crawl.log of Heritrix',
  recognises: (beginning) => looksRight(fieldsOf(firstLine(beginning))),
  open,
};
