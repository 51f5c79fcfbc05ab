/**
 * WARC files: the headers of `response` and `revisit` records and of the HTTP answers in them; the contents are passed
 * over. The text must have one character a byte (ISO 8859-1), since records are told apart by their lengths in bytes.
 * Source: ISO 28500, WARC/1.0 and 1.1.
 */
import { RecordCollector } from '../log-record.ts';
import type { LogFormat } from './format.ts';

/** Header lines → values by name in lower case, from `from` to the blank line; and where what follows begins. */
function headersAt(text: string, from: number, upTo: number): readonly [ReadonlyMap<string, string>, number] {
  const headers = new Map<string, string>();
  let at = from;
  while (at < upTo) {
    const found = text.indexOf('\n', at);
    const end = found < 0 || found > upTo ? upTo : found;
    const line = text.slice(at, end).trimEnd();
    at = end + 1;
    if (line === '') break;
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return [headers, at];
}

export const warc: LogFormat = {
  name: 'warc',
  title: 'a WARC file',
  recognises: (beginning) => /^\s*WARC\/1\.\d\r?\n/.test(beginning),
  read(text) {
    const collected = new RecordCollector();
    let at = 0;
    for (let number = 1; ; number++) {
      while (text[at] === '\r' || text[at] === '\n') at++;
      if (at >= text.length) break;
      const begin = text.startsWith('WARC/1.', at) ? text.indexOf('\n', at) + 1 : 0;
      const [headers, content] = headersAt(text, begin, text.length);
      const length = Number(headers.get('content-length') ?? Number.NaN);
      if (begin === 0 || !(Number.isInteger(length) && length >= 0)) {
        collected.fault(number, `record ${number} does not begin with WARC/1.x and headers with a Content-Length`);
        break;
      }
      at = content + length;
      const type = headers.get('warc-type');
      if (type !== 'response' && type !== 'revisit') {
        collected.passOver(`records of type ${type ?? 'unknown'}`);
        continue;
      }
      const page = headers.get('warc-target-uri')?.replace(/^<(.*)>$/, '$1');
      const time = headers.get('warc-date');
      if (page === undefined || time === undefined) {
        collected.fault(number, `record ${number} has no WARC-Target-URI or no WARC-Date`);
        continue;
      }
      const status = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(text.slice(content, content + 64))?.[1];
      const [answer] = status === undefined ? [new Map<string, string>()] : headersAt(text, content, content + length);
      const signature = headers.get('warc-payload-digest') ?? headers.get('warc-block-digest');
      const notModified = /server-not-modified/.test(headers.get('warc-profile') ?? '');
      collected.records.push({
        page,
        time,
        status: notModified ? '304' : status,
        signature: notModified ? undefined : signature,
        lastModified: answer.get('last-modified'),
      });
    }
    return collected;
  },
};
