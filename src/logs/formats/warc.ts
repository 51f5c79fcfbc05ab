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

type Headers = ReadonlyMap<string, string>;

/** The headers from `from` to a blank line, by lower-case name, and the start of the content. */
function headersAt(text: string, from: number): readonly [Headers, content: number] {
  const blankLine = /\n[ \t\r]*\n/g;
  blankLine.lastIndex = from;
  const match = blankLine.exec(text);
  // a line that begins with a blank continues the previous header
  const lines = text.slice(from, match?.index ?? text.length).replaceAll(/\r?\n[ \t]+/g, ' ');
  const headers = Array.from(lines.matchAll(/(?:^|\n)([^:\n]+):([^\n]*)/g), ([, name, value]) => {
    return [name.toLowerCase(), value.trim()] as const;
  });
  return [new Map(headers), match === null ? text.length + 1 : blankLine.lastIndex];
}

const recordStart = /^WARC\/\d\.\d+\r?\n/;
/** Characters kept of a record; a longer one has only the digest in its headers. */
const maxKeptLength = 2 ** 26;

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let buffer = '';
  let number = 0;
  /** Characters of a long record still to be skipped. */
  let charactersToSkip = 0;
  /** The last response, which may be that of a POST: its request is the record before or after it. */
  let response: { readonly headers: Headers; readonly record: LogRecord; readonly number: number } | null = null;
  /** The last request, unless it is a GET. */
  let postRequest: Headers | null = null;
  const addResponse = (method = 'GET'): void => {
    if (response !== null) fetches.add({ ...response.record, method }, response.number);
    response = null;
  };
  const take = (headers: Headers, content: string, isCut: boolean): void => {
    number++;
    if (headers.get('warc-type') === 'request') postRequest = /^(?!GET )[A-Z]+ /.test(content) ? headers : null;
    const record = recordOf(headers, content, isCut);
    if (typeof record === 'string') fetches.fault(number, `record ${number} ${record}`);
    else if ('reason' in record) fetches.passOver(record.reason, record.example);
    else {
      addResponse();
      response = { headers, record, number };
    }
    if (response !== null && postRequest !== null && belongTogether(response.headers, postRequest)) addResponse('POST');
  };
  /** Reads the complete records; `atEnd` if no more text follows. */
  const read = (atEnd: boolean): void => {
    let at = 0;
    for (;;) {
      while (buffer[at] === '\r' || buffer[at] === '\n') at++;
      if (at >= buffer.length) break;
      const [headers, content] = headersAt(buffer, at);
      if (content > buffer.length && !atEnd) break;
      const [startLine = ''] = recordStart.exec(buffer.slice(at, at + 16)) ?? [];
      const length = Number(headers.get('content-length') ?? Number.NaN);
      const isRecord =
        startLine !== '' &&
        Number.isInteger(length) &&
        length >= 0 &&
        !/^WARC\/\d/m.test(buffer.slice(at + startLine.length, content));
      const keptLength = Math.min(length, maxKeptLength);
      // a record is complete once the text after it is there
      if (isRecord && content + keptLength + 8 > buffer.length && !atEnd) break;
      const fault = isRecord
        ? faultOf(buffer, content + keptLength, length > keptLength)
        : 'it does not begin with WARC/1.x and headers with a Content-Length';
      if (fault === null) {
        take(headers, buffer.slice(content, content + keptLength), length > keptLength);
        charactersToSkip = Math.max(0, content + length - buffer.length);
        at = Math.min(buffer.length, content + length);
        continue;
      }
      // an unreadable part extends to what may be the start of the next record
      const next = buffer.indexOf('\nWARC/', at + 1) + 1;
      if (next === 0 && !atEnd) break;
      fetches.fault(++number, `record ${number}: ${fault}: ${excerpt(buffer.slice(at, at + 60))}`);
      at = next === 0 ? buffer.length : next;
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
      addResponse();
    },
  };
}

/** The fault at the end of a record; null if there is none. */
function faultOf(text: string, end: number, isCut: boolean): string | null {
  if (end > text.length) return 'the text ends within it';
  if (isCut || /^(?:[\r\n]*$|\r?\n\r?\n|[\r\n]*WARC\/\d)/.test(text.slice(end, end + 16))) return null;
  return 'no record begins where it ends by its Content-Length';
}

/** Whether a response is to a request: one names the other in WARC-Concurrent-To, or they share URI and date. */
function belongTogether(response: Headers, request: Headers): boolean {
  const refersTo = (one: Headers, other: Headers): boolean | undefined =>
    one.has('warc-concurrent-to') ? one.get('warc-concurrent-to') === other.get('warc-record-id') : undefined;
  const references = [refersTo(response, request), refersTo(request, response)].filter((each) => each !== undefined);
  if (references.length > 0) return references.includes(true);
  return ['warc-target-uri', 'warc-date'].every((name) => response.get(name) === request.get(name));
}

/** The fetch of a record; why it is passed over, or its fault. */
function recordOf(
  headers: Headers,
  content: string,
  isCut: boolean,
): LogRecord | { readonly reason: string; readonly example?: string } | string {
  const type = headers.get('warc-type');
  const page = headers.get('warc-target-uri')?.replace(/^<(.*)>$/, '$1');
  const isPage = page === undefined || /^https?:/i.test(page);
  // a resource is a page without its HTTP headers
  if (type !== 'response' && type !== 'revisit' && !(type === 'resource' && isPage)) {
    return { reason: `records of type ${type ?? 'unknown'}` };
  }
  const time = headers.get('warc-date');
  if (page === undefined || time === undefined) return 'has no WARC-Target-URI or no WARC-Date';
  if (!isPage) return { reason: `${page.split(':')[0]}: records, which are no pages`, example: page };
  const status = /^HTTP\/\d(?:\.\d)? (\d{3})/.exec(content.slice(0, 64))?.[1];
  if (status === undefined && type === 'response') {
    return `has no status line of HTTP, but ${excerpt(content.slice(0, 40))}`;
  }
  const [answer, body] = status === undefined ? [new Map<string, string>(), 0] : headersAt(content, 0);
  const notModified = /server-not-modified/.test(headers.get('warc-profile') ?? '');
  // cut off by time or by an error, where chance decides
  const isPartial = isCut || /time|disconnect|unspecified/.test(headers.get('warc-truncated') ?? '');
  const hash = type === 'revisit' || isPartial ? undefined : payloadDigest(answer, content.slice(body));
  return {
    page,
    time,
    status: notModified ? '304' : (status ?? (type === 'revisit' ? 'revisit' : undefined)),
    signature: notModified ? undefined : (headers.get('warc-payload-digest') ?? hash),
    lastModified: answer.get('last-modified'),
  };
}

/** A 64-bit digest of a text, to detect changes. */
const digestOf = (text: string): string =>
  [1, 2].map((seed) => hashOf(text, seed).toString(16).padStart(8, '0')).join('');

function payloadDigest(answer: Headers, body: string): string {
  const contentCoding = /gzip|br|deflate|zstd/i.exec(answer.get('content-encoding') ?? '')?.[0].toLowerCase();
  const isChunked = /chunked/i.test(answer.get('transfer-encoding') ?? '');
  return `${contentCoding === undefined ? '' : `${contentCoding}:`}${digestOf(isChunked ? removeChunks(body) : body)}`;
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
  hasFixedDates: true,
  recognises: ({ text }) => recordStart.test(text.trimStart()),
  open,
};
