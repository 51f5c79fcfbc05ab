/** The forms of bodies, by their media types. */
import type { BodyFormat } from '../workers/task.ts';

export const jsonType = 'application/json';
export const arrowType = 'application/vnd.apache.arrow.stream';
export const linesType = 'application/x-ndjson';
/** A packed log, of whatever form. */
export const packedTypes: readonly string[] = ['application/gzip', 'application/x-gzip'];
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
  const named = contentEncoding?.trim().toLowerCase();
  if (named === undefined) return packedTypes.includes(media) ? 'gzip' : 'identity';
  return named === 'x-gzip' ? 'gzip' : named;
}

/** `Application/JSON; charset=utf-8` → `application/json`. */
export function mediaType(header: string | undefined): string {
  if (header === jsonType) return header;
  return (header ?? '').split(';', 1)[0].trim().toLowerCase();
}

/** How much a caller wants a media type: the weight of the range of its Accept header that names it, or a wildcard. */
function weightOf(accept: string, type: string): number | null {
  const group = `${type.split('/', 1)[0]}/*`;
  let found: { weight: number; exactness: number } | null = null;
  for (const range of accept.split(',')) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const exactness = [type, group, '*/*'].indexOf(name);
    if (exactness < 0 || (found !== null && found.exactness <= exactness)) continue;
    const q = parameters.find((parameter) => parameter.startsWith('q='));
    found = { weight: q === undefined ? 1 : Number(q.slice(2)) || 0, exactness };
  }
  return found?.weight ?? null;
}

const jsonWanted = { format: 'json', jsonToo: true } as const;

/** In which format the caller wants its answer: Arrow where it is named, and JSON is not wanted more. */
export function wantedFormat(accept: string | undefined): { readonly format: BodyFormat; readonly jsonToo: boolean } {
  if (accept === undefined || !accept.toLowerCase().includes(arrowType)) return jsonWanted;
  const arrow = weightOf(accept, arrowType) ?? 0;
  const json = weightOf(accept, jsonType) ?? 0;
  return { format: arrow > 0 && arrow >= json ? 'arrow' : 'json', jsonToo: json > 0 };
}
