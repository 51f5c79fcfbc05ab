/**
 * WARC files: the headers of `response` and `revisit` records and of the HTTP answers in them. The text must have one
 * character a byte (ISO 8859-1), since records are delimited by their lengths in bytes.
 *
 * The payload digest is the signature. A block digest also covers the HTTP headers with their Date, so without a payload
 * digest the payload itself is hashed, without its chunks; one in a content coding is compared with others in it alone.
 * Source: ISO 28500, WARC/1.0 and 1.1; RFC 9112, 7.1 (chunks).
 */
import { hashOf } from '../../solvers/estimation/index.ts';
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions, type LogRecord } from '../log-record.ts';
import type { LogFormat, LogReader } from './format.ts';

/** Parses header lines from `from` to the blank line: values by lower-case name, and the start of the content. */
function headersAt(text: string, from: number, upTo: number): readonly [ReadonlyMap<string, string>, number] {
  const headers = new Map<string, string>();
  let name = '';
  let at = from;
  while (at < upTo) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd < 0 || lineEnd > upTo ? upTo : lineEnd;
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

const recordStart = /^WARC\/\d\.\d+\r?\n/;
/** Characters kept of a record; a longer one has only the digest in its headers. */
const maxKeptLength = 2 ** 26;

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let buffer = '';
  let number = 0;
  /** Characters of a long record still to be skipped. */
  let charactersToSkip = 0;
  const pairs = new RecordPairs(fetches);
  /** The possible start of the next record after an unreadable one; −1 if not found. */
  const nextAfter = (at: number): number => buffer.indexOf('\nWARC/', at) + 1 || -1;
  /** Reads the complete records; `atEnd` if no more text follows. */
  const read = (atEnd: boolean): void => {
    let at = 0;
    for (;;) {
      while (buffer[at] === '\r' || buffer[at] === '\n') at++;
      if (at >= buffer.length) break;
      const ends = /\r?\n\r?\n/g;
      ends.lastIndex = at;
      if (ends.exec(buffer) === null && !atEnd) break;
      const begin = recordStart.test(buffer.slice(at, at + 16)) ? buffer.indexOf('\n', at) + 1 : 0;
      const [headers, content] = headersAt(buffer, begin, buffer.length);
      const length = Number(headers.get('content-length') ?? Number.NaN);
      const isRecord =
        begin > 0 && Number.isInteger(length) && length >= 0 && !/^WARC\/\d/m.test(buffer.slice(begin, content));
      const keptLength = Math.min(length, maxKeptLength);
      // a record is complete once the text after it is there
      if (isRecord && content + keptLength + 8 > buffer.length && !atEnd) break;
      const fault = isRecord
        ? faultOf(buffer, content + keptLength, length > keptLength)
        : 'it does not begin with WARC/1.x and headers with a Content-Length';
      if (fault === null) {
        takeRecord(headers, buffer.slice(content, content + keptLength), ++number, fetches, pairs, length > keptLength);
        at = content + keptLength;
        charactersToSkip = Math.max(0, length - keptLength - (buffer.length - at));
        at = Math.min(buffer.length, content + length);
        continue;
      }
      // an unreadable part extends to the start of the next record
      const next = nextAfter(at + 1);
      if (next < 0 && !atEnd) break;
      fetches.fault(++number, `record ${number}: ${fault}: ${excerpt(buffer.slice(at, at + 60))}`);
      at = next < 0 ? buffer.length : next;
    }
    buffer = buffer.slice(at);
  };
  return {
    push(text) {
      const skippedLength = Math.min(charactersToSkip, text.length);
      charactersToSkip -= skippedLength;
      buffer += text.slice(skippedLength);
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
  if (isCut || /^(?:[\r\n]*$|\r?\n\r?\n|[\r\n]*WARC\/\d)/.test(text.slice(end, end + 16))) return null;
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
  #postRequest: Headers | null = null;

  constructor(fetches: FetchCollector) {
    this.#fetches = fetches;
  }

  request(headers: Headers, content: string): void {
    const method = /^[A-Z]+(?= )/.exec(content.slice(0, 32))?.[0] ?? 'GET';
    this.#postRequest = method === 'GET' ? null : headers;
    if (this.#postRequest !== null && this.#answer !== null && belongTogether(this.#answer.headers, headers)) {
      this.end('POST');
    }
  }

  answer(headers: Headers, record: LogRecord, number: number): void {
    this.end();
    this.#answer = { headers, record, number };
    if (this.#postRequest !== null && belongTogether(headers, this.#postRequest)) this.end('POST');
  }

  /** Adds the response that was waiting for its request. */
  end(method = 'GET'): void {
    if (this.#answer !== null) this.#fetches.add({ ...this.#answer.record, method }, this.#answer.number);
    this.#answer = null;
  }
}

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
  const page = headers.get('warc-target-uri')?.replace(/^<(.*)>$/, '$1');
  const isPage = page === undefined || /^https?:/i.test(page);
  // a resource is a page without its HTTP headers
  if (type !== 'response' && type !== 'revisit' && !(type === 'resource' && isPage)) {
    fetches.passOver(`records of type ${type ?? 'unknown'}`);
    return;
  }
  const time = headers.get('warc-date');
  if (page === undefined || time === undefined) {
    fetches.fault(number, `record ${number} has no WARC-Target-URI or no WARC-Date`);
    return;
  }
  if (!isPage) {
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
  // cut off by time or by an error, where chance decides
  const isPartial = isCut || /time|disconnect|unspecified/.test(headers.get('warc-truncated') ?? '');
  const hash = type === 'revisit' || isPartial ? undefined : payloadDigest(answer, content.slice(body));
  const record = {
    page,
    time,
    status: notModified ? '304' : (status ?? (type === 'revisit' ? 'revisit' : undefined)),
    signature: notModified ? undefined : (headers.get('warc-payload-digest') ?? hash),
    lastModified: answer.get('last-modified'),
  };
  pairs.answer(headers, record, number);
}

/** A 64-bit digest of a text, to detect changes. */
const digestOf = (text: string): string =>
  [1, 2].map((seed) => hashOf(text, seed).toString(16).padStart(8, '0')).join('');

function payloadDigest(answer: Headers, body: string): string {
  const coding = /gzip|br|deflate|zstd/i.exec(answer.get('content-encoding') ?? '')?.[0].toLowerCase();
  const isChunked = /chunked/i.test(answer.get('transfer-encoding') ?? '');
  return `${coding === undefined ? '' : `${coding}:`}${digestOf(isChunked ? removeChunks(body) : body)}`;
}

/** A body without the lengths of its chunks; unchanged if it has none. */
function removeChunks(body: string): string {
  const parts: string[] = [];
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at);
    const length = Number.parseInt(body.slice(at, Math.min(end, at + 16)), 16);
    if (end < 0 || !(length >= 0)) return body;
    if (length === 0) return parts.join('');
    parts.push(body.slice(end + 2, end + 2 + length));
    at = end + length + 4;
  }
}

export const warc: LogFormat = {
  name: 'warc',
  title: 'a WARC file',
  readsDates: true,
  recognises: ({ text }) => recordStart.test(text.trimStart()),
  open,
};
