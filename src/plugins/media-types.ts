/** The forms of bodies, by their media types. */
import type { BodyFormat } from '../workers/worker.ts';

export const jsonType = 'application/json';
export const arrowType = 'application/vnd.apache.arrow.stream';
const linesType = 'application/x-ndjson';
/** Media types of a gzipped crawl log in any format. */
const packedTypes: readonly string[] = ['application/gzip', 'application/x-gzip'];
/** Media types of crawl logs, for the operations that take a log as their body. */
export const logTypes: readonly string[] = [
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  linesType,
  ...packedTypes,
];

/** The encoding of a body: its Content-Encoding, else the one that its media type implies; `identity` for none. */
export function encodingOf(media: string, contentEncoding: string | undefined): string {
  const encoding = contentEncoding?.trim().toLowerCase();
  if (encoding === undefined) return packedTypes.includes(media) ? 'gzip' : 'identity';
  return encoding === 'x-gzip' ? 'gzip' : encoding;
}

/** `Application/JSON; charset=utf-8` → `application/json`. */
export function mediaType(header: string | undefined): string {
  if (header === jsonType) return header;
  return (header ?? '').split(';', 1)[0].trim().toLowerCase();
}

/** The weight (q, 0 to 1) that an Accept header gives exactly this media range; null if the range is not listed. */
function weightOf(accept: string, range: string): number | null {
  for (const entry of accept.split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    if (name === range) return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return null;
}

/** Whether an Accept header names the media type itself: a wildcard asks for plain JSON. */
export const namesMediaType = (accept: string | undefined, type: string): boolean =>
  (weightOf(accept ?? '', type) ?? 0) > 0;

/**
 * The format of an answer: Arrow if the Accept header names Arrow with a weight no lower than that of JSON.
 *
 * @param hasColumns whether the answer has a list that comes as columns
 * @returns null where Arrow alone is accepted, and the answer has no columns
 */
export function answerFormat(accept = '', hasColumns: boolean): BodyFormat | null {
  const arrow = weightOf(accept, arrowType) ?? 0;
  const json = weightOf(accept, jsonType) ?? weightOf(accept, 'application/*') ?? weightOf(accept, '*/*') ?? 0;
  if (arrow === 0 || arrow < json) return 'json';
  return hasColumns ? 'arrow' : json > 0 ? 'json' : null;
}
