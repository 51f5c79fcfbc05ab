/**
 * Exports of StormCrawler's status index (OpenSearch or Elasticsearch): a document a line, an array of them, the answer
 * of a `_search`, `_msearch` or `_mget`, or a bulk file with a line before each document. Each is the last fetch of a URL.
 * Its time is the metadata `lastProcessedDate`; signature and status are `signature` and `fetch.statusCode`.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { type LogOptions, LogRefusal } from '../log-record.ts';
import { firstLine, type LogFormat, type LogReader } from './format.ts';
import { isRow, type JsonRow, JsonRows } from './json-rows.ts';

/** HTTP status by crawl status; an error takes precedence over the stored code, which is from the last fetch. */
const statuses = new Map([
  ['FETCHED', { status: '200', overridesCode: false }],
  ['REDIRECTION', { status: '301', overridesCode: true }],
  ['FETCH_ERROR', { status: '503', overridesCode: true }],
  ['ERROR', { status: '404', overridesCode: true }],
]);

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let undatedCount = 0;
  let hasLast = false;
  const takeDocument = (row: JsonRow, number: number): void => {
    const source = [row._source, row.fields].find(isRow) ?? row;
    const [url, status] = [one(source, 'url'), one(source, 'status')];
    if (url === undefined || status === undefined) {
      fetches.fault(number, 'no url or no status');
      return;
    }
    const result = statuses.get(status.toUpperCase());
    if (result === undefined) {
      fetches.passOver(status.toUpperCase() === 'DISCOVERED' ? 'not fetched yet' : `status ${status}`);
      return;
    }
    hasLast = true;
    const time = one(source, 'metadata.lastProcessedDate');
    if (time === undefined) {
      undatedCount++;
      fetches.passOver('without lastProcessedDate');
      return;
    }
    const evidence = result.overridesCode
      ? { status: result.status }
      : {
          status: one(source, 'metadata.fetch.statusCode') ?? result.status,
          signature: one(source, 'metadata.signature'),
          lastModified: one(source, 'metadata.last-modified'),
        };
    fetches.add({ page: url, time, ...evidence }, number);
  };
  const take = (row: JsonRow, number: number): void => {
    const inner = [row.responses, row.docs, isRow(row.hits) ? row.hits.hits : undefined].find(Array.isArray);
    if (inner !== undefined)
      for (const document of inner) isRow(document) ? take(document, number) : fetches.fault(number, 'no JSON object');
    // action line of a bulk file
    else if (isRow(row.index) || isRow(row.create) || isRow(row.update) || isRow(row.delete)) return;
    else if (isRow(row.doc)) takeDocument(row.doc, number);
    else takeDocument(row, number);
  };
  const onEnd = (): void => {
    if (undatedCount > 0 && fetches.count === 0) {
      throw new LogRefusal(
        `${undatedCount} URLs have no metadata lastProcessedDate, so the time of their fetch is not known: list lastProcessedDate, signature and fetch.statusCode in metadata.persist`,
      );
    }
    if (hasLast)
      fetches.note('A status index keeps the last fetch of a URL alone: pass exports of several days for its history.');
  };
  return new JsonRows(fetches, { take, onEnd: onEnd });
}

export const stormCrawler: LogFormat = {
  name: 'storm-crawler',
  title: 'an export of StormCrawler’s status index',
  recognises: (beginning) =>
    /^[[{]/.test(firstLine(beginning)) &&
    beginning.includes('"nextFetchDate"') &&
    /"status"\s*:\s*\[?\s*"(?:DISCOVERED|FETCHED|FETCH_ERROR|REDIRECTION|ERROR)"/i.test(beginning),
  open,
};

/** A value, plain or in a list, by a name whose dots are escaped, kept, or nest objects. */
function one(row: JsonRow, name: string): string | undefined {
  // later 3.x versions store names in lower case
  for (const spelling of [name, name.toLowerCase()].flatMap((form) => [form, form.replaceAll('.', '%2E')])) {
    const [value] = [row[spelling]].flat();
    if (value !== undefined && value !== null && value !== '') return String(value);
  }
  const [first, ...rest] = name.split('.');
  const inner = row[first];
  return rest.length > 0 && isRow(inner) ? one(inner, rest.join('.')) : undefined;
}
