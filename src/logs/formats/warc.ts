/**
 * WARC files: the headers of `response` and `revisit` records and of the HTTP answers in them. The text must have one
 * character a byte (ISO 8859-1), since records are told apart by their lengths in bytes.
 *
 * The payload's digest tells a change. A block's digest covers the HTTP headers too, with their Date: where there is no
 * other, the payload itself is hashed. Source: ISO 28500, WARC/1.0 and 1.1.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { type LogOptions, type LogRecord, shown } from '../log-record.ts';
import type { LogFormat, LogReader } from './format.ts';
import { digestOf } from './text-digest.ts';

/** Header lines → values by name in lower case, from `from` to the blank line; and where what follows begins. */
function headersAt(text: string, from: number, upTo: number): readonly [ReadonlyMap<string, string>, number] {
  const headers = new Map<string, string>();
  let name = '';
  let at = from;
  while (at < upTo) {
    const found = text.indexOf('\n', at);
    const end = found < 0 || found > upTo ? upTo : found;
    const line = text.slice(at, end).trimEnd();
    at = end + 1;
    if (line === '') break;
    const colon = line.indexOf(':');
    // A line that begins with a blank goes on with the header before it.
    if (/^[ \t]/.test(line)) headers.set(name, `${headers.get(name) ?? ''} ${line.trim()}`.trim());
    else if (colon > 0) {
      name = line.slice(0, colon).toLowerCase();
      headers.set(name, line.slice(colon + 1).trim());
    }
  }
  return [headers, at];
}

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let held = '';
  let number = 0;
  const pairs = new RecordPairs(fetches);
  /** Takes the records that are whole; `atEnd` where no more text comes. */
  const read = (atEnd: boolean): void => {
    let at = 0;
    for (;;) {
      while (held[at] === '\r' || held[at] === '\n') at++;
      if (at >= held.length) break;
      const ends = /\r?\n\r?\n/g;
      ends.lastIndex = at;
      if (ends.exec(held) === null && !atEnd) break;
      const begin = held.startsWith('WARC/1.', at) ? held.indexOf('\n', at) + 1 : 0;
      const [headers, content] = headersAt(held, begin, held.length);
      const length = Number(headers.get('content-length') ?? Number.NaN);
      if (begin === 0 || !(Number.isInteger(length) && length >= 0)) {
        // what cannot be read goes on to where the next record begins
        const next = held.indexOf('\nWARC/1.', at + 1);
        if (next < 0 && !atEnd) break;
        fetches.fault(
          ++number,
          `record ${number} does not begin with WARC/1.x and headers with a Content-Length: ${shown(held.slice(at, at + 60))}`,
        );
        at = next < 0 ? held.length : next + 1;
        continue;
      }
      if (content + length > held.length && !atEnd) break;
      takeRecord(headers, held.slice(content, content + length), ++number, fetches, pairs);
      at = content + length;
    }
    held = held.slice(at);
  };
  return {
    push(text) {
      held += text;
      read(false);
    },
    end() {
      read(true);
      pairs.end();
    },
  };
}

type Headers = ReadonlyMap<string, string>;

/**
 * Joins an answer with its request, which stands next to it on either side: the answer to a POST is another resource.
 * They name each other by WARC-Concurrent-To, or have one URI and one date.
 */
class RecordPairs {
  readonly #fetches: FetchCollector;
  #answer: { readonly headers: Headers; readonly record: LogRecord } | null = null;
  /** The last request that was no GET. */
  #posted: Headers | null = null;

  constructor(fetches: FetchCollector) {
    this.#fetches = fetches;
  }

  request(headers: Headers, content: string): void {
    const method = /^[A-Z]+(?= )/.exec(content.slice(0, 32))?.[0] ?? 'GET';
    this.#posted = method === 'GET' ? null : headers;
    if (this.#posted !== null && this.#answer !== null && belongTogether(this.#answer.headers, headers)) {
      this.#fetches.passOver(otherMethod, this.#answer.record.page);
      this.#answer = null;
    }
  }

  answer(headers: Headers, record: LogRecord): void {
    this.end();
    if (this.#posted !== null && belongTogether(headers, this.#posted))
      this.#fetches.passOver(otherMethod, record.page);
    else this.#answer = { headers, record };
  }

  /** Takes the answer whose request may still have come. */
  end(): void {
    if (this.#answer !== null) this.#fetches.add(this.#answer.record);
    this.#answer = null;
  }
}

const otherMethod = 'answers to POST: another resource';

function belongTogether(answer: Headers, request: Headers): boolean {
  const [ofAnswer, ofRequest] = [answer.get('warc-concurrent-to'), request.get('warc-concurrent-to')];
  if (ofAnswer !== undefined && ofAnswer === request.get('warc-record-id')) return true;
  if (ofRequest !== undefined && ofRequest === answer.get('warc-record-id')) return true;
  if (ofAnswer !== undefined || ofRequest !== undefined) return false;
  const alike = (name: string): boolean => answer.get(name) === request.get(name);
  return alike('warc-target-uri') && alike('warc-date');
}

function takeRecord(
  headers: Headers,
  content: string,
  number: number,
  fetches: FetchCollector,
  pairs: RecordPairs,
): void {
  const type = headers.get('warc-type');
  if (type === 'request') pairs.request(headers, content);
  if (type !== 'response' && type !== 'revisit') {
    fetches.passOver(`records of type ${type ?? 'unknown'}`);
    return;
  }
  const page = headers.get('warc-target-uri')?.replace(/^<(.*)>$/, '$1');
  const time = headers.get('warc-date');
  if (page === undefined || time === undefined) {
    fetches.fault(number, `record ${number} has no WARC-Target-URI or no WARC-Date`);
    return;
  }
  if (!/^https?:/i.test(page)) {
    fetches.passOver(`${page.split(':')[0]}: records, which are no pages`, page);
    return;
  }
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(content.slice(0, 64))?.[1];
  const [answer, body] = status === undefined ? [new Map<string, string>(), 0] : headersAt(content, 0, content.length);
  const notModified = /server-not-modified/.test(headers.get('warc-profile') ?? '');
  const ofPayload = headers.get('warc-payload-digest');
  const hashed = type === 'response' && body > 0 ? digestOf(content.slice(body)) : undefined;
  pairs.answer(headers, {
    page,
    time,
    status: notModified ? '304' : (status ?? 'revisit'),
    signature: notModified ? undefined : (ofPayload ?? hashed),
    lastModified: answer.get('last-modified'),
  });
}

export const warc: LogFormat = {
  name: 'warc',
  title: 'a WARC file',
  readsDates: true,
  recognises: (beginning) => /^\s*WARC\/1\.\d\r?\n/.test(beginning),
  open,
};
