/** Which bodies are crawl logs as they are, with the rest of the request in the query. */
import type { BesideLog } from '../dispatch/logged/parse-log.ts';
import { linesType, logTypes, packedTypes } from '../http/bodies/media-types.ts';
import { logOperations } from '../logs/asked/log-operations.ts';
import { usualColumns } from '../logs/formats/columns.ts';
import { recognised } from '../logs/formats/recognised.ts';
import { faultOfQuery, type Query } from './query.ts';

/** How much of a body is looked at. */
const beginningBytes = 64 * 1024;

const beginningOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, beginningBytes)).toString('utf8');

/** A row of a log is no request: it has a page and a time, and no pages. */
function isLogRow(beginning: string): boolean {
  try {
    const row: unknown = JSON.parse(beginning.trimStart().split('\n', 1)[0]);
    if (typeof row !== 'object' || row === null) return false;
    const names = Object.keys(row);
    return !names.includes('pages') && usualColumns('page', names).length > 0 && usualColumns('time', names).length > 0;
  } catch {
    return false;
  }
}

/** Whether a body is a crawl log, by its media type, what stands in its query and how it begins. */
export function isLog(media: string, query: Query, body: Uint8Array): boolean {
  if (media === linesType) return faultOfQuery(onlyNames(query)) !== null || isLogRow(beginningOf(body));
  if (media !== 'text/plain') return logTypes.includes(media);
  const format = recognised(beginningOf(body));
  return format !== undefined && format.name !== 'json';
}

/** The query without the values that a request of any form may have. */
const onlyNames = ({ validateOnly: _, ...query }: Query): Query => query;

/** What stands beside a log. */
export function besideLog(query: Query): BesideLog {
  const pairs = Object.entries(onlyNames(query)).flatMap(([name, value = '']) =>
    (typeof value === 'string' ? [value] : value).map((each) => [name, each] as const),
  );
  const limit = Number(pairs.findLast(([name]) => name === 'options.timeLimitMs')?.[1] ?? Number.NaN);
  return { query: pairs, now: Math.ceil(Date.now() / 1000), ...(limit > 0 && { timeLimitMs: limit }) };
}

/** What to do with a log that was sent as JSON; nothing where the body is none. */
export function logHint(operation: string, body: Uint8Array): string {
  if (!logOperations.includes(operation)) return '';
  const beginning = beginningOf(body);
  const format = recognised(beginning);
  if (format === undefined || (format.name === 'json' && !isLogRow(beginning))) return '';
  const type = { csv: 'text/csv', json: linesType }[format.name] ?? 'text/plain';
  return `; this looks like a crawl log (${format.title}): send it with Content-Type: ${type}`;
}

/** A log of some other kind than `text/plain` says, or none. */
export const notALog = `send a crawl log as text/csv, text/plain, ${linesType} or ${packedTypes[0]}, and a request as application/json`;
