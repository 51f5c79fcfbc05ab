/**
 * Heritrix's crawl.log, fields apart by blanks. They are time of the line, status, size, URI, discovery path, referrer,
 * type, thread, time and length of the fetch, digest, source tag, annotations. Times are UTC by definition. Source: the
 * Heritrix 3 wiki, "Log Files and Statistics".
 */
import { RecordCollector, shown } from '../log-record.ts';
import { firstLine, type LogFormat, numberedLines } from './format.ts';

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
/** A fetch began at 17 digits, and took so many milliseconds. */
const began = /^(\d{14})\d{3}(\+\d+)?$/;
const fewestFields = 11;

const fieldsOf = (line: string): string[] => line.trim().split(/\s+/);

function looksRight(fields: readonly string[]): boolean {
  return fields.length >= fewestFields && iso.test(fields[0]) && /^-?\d+$/.test(fields[1]) && fields[3].includes(':');
}

export const heritrix: LogFormat = {
  name: 'heritrix',
  title: 'a crawl.log of Heritrix',
  recognises: (beginning) => looksRight(fieldsOf(firstLine(beginning))),
  read(text) {
    const collected = new RecordCollector();
    for (const [number, line] of numberedLines(text)) {
      const fields = fieldsOf(line);
      if (!looksRight(fields)) {
        collected.fault(number, `no line of a crawl.log: ${shown(line)}`);
        continue;
      }
      const [written, status, , page, found, , , , fetched, digest] = fields;
      if (!/^https?:/i.test(page)) {
        collected.passOver(`${page.split(':')[0]}: lookups`);
        continue;
      }
      if (found.endsWith('P')) {
        collected.passOver('prerequisites, such as robots.txt');
        continue;
      }
      // Heritrix's own codes: −9998 for robots.txt, −5000 out of scope, −2 no connection
      const code = Number(status);
      if (code === 0 || code < -50) {
        collected.passOver(`not fetched (code ${status})`);
        continue;
      }
      collected.records.push({
        page,
        time: began.exec(fetched)?.[1] ?? written,
        // any failure: the next check spans it
        status: code > 0 ? status : '599',
        ...(digest !== '-' && { signature: digest }),
      });
    }
    return collected;
  },
};
