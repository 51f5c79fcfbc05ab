/**
 * WARC files: the headers of `response` and `revisit` records and of the HTTP answers in them. The text must have one
 * character a byte (ISO 8859-1), since records are delimited by their lengths in bytes.
 *
 * The payload digest is the signature. A block digest also covers the HTTP headers with their Date, so without a payload
 * digest the payload itself is hashed. Source: ISO 28500, WARC/1.0 and 1.1.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions, type LogRecord } from '../log-record.ts';
import type { LogFormat, LogReader } from './format.ts';
import { digestOf } from './text-digest.ts';

/** Parses header lines from `from` to the blank line: values by lower-case name, and the start of the content. */
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
    // a line that begins with a blank continues the previous header
    if (/^[ \t]/.test(line)) headers.set(name, `${headers.get(name) ?? ''} ${line.trim()}`.trim());
    else if (colon > 0) {
      name = line.slice(0, colon).toLowerCase();
      headers.set(name, line.slice(colon + 1).trim());
    }
  }
  return [headers, at];
}

/** Characters kept of a record; a longer one has only the digest in its headers. */
const maxKept = 2 ** 26;

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let held = '';
  let number = 0;
  /** Characters of a long record still to be skipped. */
  let rest = 0;
  const pairs = new RecordPairs(fetches);
  /** The possible start of the next record after an unreadable one; −1 if not found. */
  const nextAfter = (at: number): number => held.indexOf('\nWARC/1.', at) + 1 || -1;
  /** Reads the complete records; `atEnd` if no more text follows. */
  const read = (atEnd: boolean): void => {
    let at = 0;
    for (;;) {
      while (held[at] === '\r' || held[at] === '\n') at++;
      if (at >= held.length) break;
      const ends = /\r?\n\r?\n/g;
      ends.lastIndex = at;
      if (ends.exec(held) === null && !atEnd) break;
      const begin = /^WARC\/1\.\d\r?\n/.test(held.slice(at, at + 16)) ? held.indexOf('\n', at) + 1 : 0;
      const [headers, content] = headersAt(held, begin, held.length);
      const length = Number(headers.get('content-length') ?? Number.NaN);
      const isRecord =
        begin > 0 && Number.isInteger(length) && length >= 0 && !/^WARC\/1\./m.test(held.slice(begin, content));
      const kept = Math.min(length, maxKept);
      // a record is complete once the text after it is there
      if (isRecord && content + kept + 8 > held.length && !atEnd) break;
      const fault = isRecord
        ? faultOf(held, content + kept, length > kept)
        : 'it does not begin with WARC/1.x and headers with a Content-Length';
      if (fault === null) {
        takeRecord(headers, held.slice(content, content + kept), ++number, fetches, pairs, length > kept);
        at = content + kept;
        rest = Math.max(0, length - kept - (held.length - at));
        at = Math.min(held.length, content + length);
        continue;
      }
      // an unreadable part extends to the start of the next record
      const next = nextAfter(at + 1);
      if (next < 0 && !atEnd) break;
      fetches.fault(++number, `record ${number}: ${fault}: ${excerpt(held.slice(at, at + 60))}`);
      at = next < 0 ? held.length : next;
    }
    held = held.slice(at);
  };
  return {
    push(text) {
      const skipped = Math.min(rest, text.length);
      rest -= skipped;
      held += text.slice(skipped);
      read(false);
    },
    end() {
      read(true);
      pairs.end();
    },
  };
}

/** The fault at the end of a record; null if there is none. */
function faultOf(text: string, end: number, isCut: boolean): string | null {
  if (end > text.length) return 'the text ends within it';
  if (isCut || /^(?:[\r\n]*$|\r?\n\r?\n|[\r\n]*WARC\/1\.)/.test(text.slice(end, end + 16))) return null;
  return 'no record begins where it ends by its Content-Length';
}

type Headers = ReadonlyMap<string, string>;

/**
 * Joins a response with its request, the record before or after it: the response to a POST is not the page. They refer
 * to each other by WARC-Concurrent-To, or share URI and date.
 */
class RecordPairs {
  readonly #fetches: FetchCollector;
  #answer: { readonly headers: Headers; readonly record: LogRecord; readonly number: number } | null = null;
  /** The last request other than GET. */
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

  answer(headers: Headers, record: LogRecord, number: number): void {
    this.end();
    if (this.#posted !== null && belongTogether(headers, this.#posted))
      this.#fetches.passOver(otherMethod, record.page);
    else this.#answer = { headers, record, number };
  }

  /** Adds the response that was waiting for its request. */
  end(): void {
    if (this.#answer !== null) this.#fetches.add(this.#answer.record, this.#answer.number);
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
  isCut: boolean,
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
  if (status === undefined && type === 'response') {
    fetches.fault(number, `record ${number} has no status line of HTTP, but ${excerpt(content.slice(0, 40))}`);
    return;
  }
  const [answer, body] = status === undefined ? [new Map<string, string>(), 0] : headersAt(content, 0, content.length);
  const notModified = /server-not-modified/.test(headers.get('warc-profile') ?? '');
  const ofPayload = headers.get('warc-payload-digest');
  const hashed = type === 'response' && !isCut ? digestOf(content.slice(body)) : undefined;
  const record = {
    page,
    time,
    status: notModified ? '304' : (status ?? 'revisit'),
    signature: notModified ? undefined : (ofPayload ?? hashed),
    lastModified: answer.get('last-modified'),
  };
  pairs.answer(headers, record, number);
}

export const warc: LogFormat = {
  name: 'warc',
  title: 'a WARC file',
  readsDates: true,
  recognises: (beginning) => /^\s*WARC\/1\.\d\r?\n/.test(beginning),
  open,
};
