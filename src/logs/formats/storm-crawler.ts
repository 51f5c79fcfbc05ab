/**
 * Exports of StormCrawler's status index (OpenSearch or Elasticsearch): a document a line, an array of them, the answer
 * of a `_search`, `_msearch` or `_mget`, or a bulk file with a line before each document. Each is the last fetch of a URL.
 * Its time is the metadata `lastProcessedDate`; signature and status are `signature` and `fetch.statusCode`.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { type LogOptions, LogRefusal } from '../log-record.ts';
import type { LogFormat, LogReader } from './format.ts';
import { isRow, type JsonRow } from './json-rows.ts';
import { openRowReader } from './rows.ts';

/** HTTP status by crawl status; an error takes precedence over the stored code, which is from the last fetch. */
const statuses = new Map([
  ['FETCHED', '200'],
  ['REDIRECTION', '301'],
  ['FETCH_ERROR', '503'],
  ['ERROR', '404'],
]);

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let undatedCount = 0;
  let hasLast = false;
  const takeDocument = (row: JsonRow, number: number): void => {
    const source = [row._source, row.fields].find(isRow) ?? row;
    const [url, status] = [readValue(source, 'url'), readValue(source, 'status')];
    if (url === undefined || status === undefined) {
      fetches.fault(number, 'no url or no status');
      return;
    }
    const crawlStatus = status.toUpperCase();
    const httpStatus = statuses.get(crawlStatus);
    if (httpStatus === undefined) {
      fetches.passOver(crawlStatus === 'DISCOVERED' ? 'not fetched yet' : `status ${status}`);
      return;
    }
    hasLast = true;
    const time = readValue(source, 'metadata.lastProcessedDate');
    if (time === undefined) {
      undatedCount++;
      fetches.passOver('without lastProcessedDate');
      return;
    }
    const evidence = crawlStatus === 'FETCHED' && {
      status: readValue(source, 'metadata.fetch.statusCode') ?? httpStatus,
      signature: readValue(source, 'metadata.signature'),
      lastModified: readValue(source, 'metadata.last-modified'),
    };
    fetches.add({ page: url, time, status: httpStatus, ...evidence }, number);
  };
  const onRow = (row: JsonRow, number: number): void => {
    // action line of a bulk file
    if (isRow(row.index) || isRow(row.create) || isRow(row.update) || isRow(row.delete)) return;
    takeDocument(isRow(row.doc) ? row.doc : row, number);
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
  return openRowReader(fetches, { onRow, onEnd }, true);
}

export const stormCrawler: LogFormat = {
  name: 'storm-crawler',
  title: 'an export of StormCrawler’s status index',
  recognises: ({ line, names }) => /^[[{]/.test(line) && names.has('nextfetchdate') && names.has('status'),
  open,
};

/** A value, plain or in a list, by a name whose dots are escaped, kept, or nest objects. */
function readValue(row: JsonRow, name: string): string | undefined {
  // later 3.x versions store names in lower case
  for (const spelling of [name, name.toLowerCase()].flatMap((form) => [form, form.replaceAll('.', '%2E')])) {
    const [value] = [row[spelling]].flat();
    if (value !== undefined && value !== null && value !== '') return String(value);
  }
  const [first, ...rest] = name.split('.');
  const inner = row[first];
  return rest.length > 0 && isRow(inner) ? readValue(inner, rest.join('.')) : undefined;
}
