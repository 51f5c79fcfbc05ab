/** Which bodies are crawl logs as they are, with the rest of the request in the query. */

import { usualColumns } from '../logs/formats/columns.ts';
import { formatOf } from '../logs/formats/log-formats.ts';
import { logOperations } from '../logs/requests/log-operations.ts';
import { textPieces } from '../logs/text-pieces.ts';
import { linesType, packedTypes } from '../plugins/media-types.ts';
import type { LogQuery } from '../workers/log-body.ts';
import type { Query } from './query.ts';

/** How much of a body is looked at. */
const beginningBytes = 64 * 1024;

const beginningOf = (body: Uint8Array): string => [...textPieces(body.subarray(0, beginningBytes))].join('');

/** The query of a crawl log: all of its request but the log. */
export function logQueryOf({ validateOnly: _, ...query }: Query): LogQuery {
  const pairs = Object.entries(query).flatMap(([name, value = '']) =>
    (typeof value === 'string' ? [value] : value).map((each) => [name, each] as const),
  );
  return { query: pairs, now: Math.ceil(Date.now() / 1000) };
}

/** Whether text that says no more of itself is a log: requests come as JSON. */
export function isLogText(body: Uint8Array): boolean {
  const format = formatOf(beginningOf(body));
  return format !== undefined && format.name !== 'json';
}

/** What to do with a log that was sent as JSON; nothing where the body is none. */
export function logHint(operation: string, body: Uint8Array): string {
  if (!logOperations.includes(operation)) return '';
  const beginning = beginningOf(body);
  const format = formatOf(beginning);
  if (format === undefined || (format.name === 'json' && !isLogRow(beginning))) return '';
  const type = { csv: 'text/csv', json: linesType }[format.name] ?? 'text/plain';
  return `; this looks like a crawl log (${format.title}): send it with Content-Type: ${type}`;
}

/** A row of a log is no request: it has a page and a time, and no pages. */
function isLogRow(beginning: string): boolean {
  try {
    const row: unknown = JSON.parse(beginning.trimStart().split('\n', 1)[0]);
    const names = Object.keys(Object(row));
    return !names.includes('pages') && usualColumns('page', names).length > 0 && usualColumns('time', names).length > 0;
  } catch {
    return false;
  }
}

/** A log of some other kind than `text/plain` says, or none. */
export const notALog = `send a crawl log as text/csv, text/plain, ${linesType} or ${packedTypes[0]}, and a request as application/json`;
