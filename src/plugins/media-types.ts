/** The forms of bodies, by their media types. */
import type { BodyFormat } from '../workers/worker.ts';

export const jsonType = 'application/json';
export const arrowType = 'application/vnd.apache.arrow.stream';
const linesType = 'application/x-ndjson';
/** A packed log, of whatever form. */
const packedTypes: readonly string[] = ['application/gzip', 'application/x-gzip'];
/** Crawl logs as they are, for the operations that take them. */
export const logTypes: readonly string[] = [
  'text/csv',
  'text/tab-separated-values',
  'text/plain',
  linesType,
  ...packedTypes,
];

/** How a body is packed: by its Content-Encoding, else as its media type says; `identity` where it is not. */
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

/** The weight of the range of an Accept header that is exactly this; null where none is. */
function weightOf(accept: string, range: string): number | null {
  for (const entry of accept.split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    if (name === range) return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return null;
}

/** True when an Accept header names the media type: wildcards stand for plain JSON. */
export const namesMediaType = (accept: string | undefined, type: string): boolean =>
  (weightOf(accept ?? '', type) ?? 0) > 0;

/**
 * How an answer shall be written: in Arrow if that is named with a weight no lower than that of JSON.
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
