/**
 * Exports of StormCrawler's status index (OpenSearch or Elasticsearch): a document a line, an array of them, the answer
 * of a `_search`, or a bulk file with a line before each document. Each is the last fetch of a URL. Its time is the
 * metadata `lastProcessedDate`; signature and status are `signature` and `fetch.statusCode`.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { type LogOptions, LogRefusal } from '../log-record.ts';
import { firstLine, type LogFormat, type LogReader } from './format.ts';
import { isRow, type JsonRow, JsonRows } from './json-rows.ts';

/** HTTP status by crawl status; an error takes precedence over the stored code, which is from the last fetch. */
const statuses = new Map([
  ['FETCHED', { status: '200', wins: false }],
  ['REDIRECTION', { status: '301', wins: true }],
  ['FETCH_ERROR', { status: '503', wins: true }],
  ['ERROR', { status: '404', wins: true }],
]);

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  let undated = 0;
  let lastAlone = false;
  const takeDocument = (row: JsonRow, number: number): void => {
    const source = isRow(row._source) ? row._source : row;
    const { url, status } = source;
    const metadata = isRow(source.metadata) ? source.metadata : {};
    if (typeof url !== 'string' || typeof status !== 'string') {
      fetches.fault(number, 'no url or no status');
      return;
    }
    const known = statuses.get(status);
    if (known === undefined) {
      fetches.passOver(status === 'DISCOVERED' ? 'not fetched yet' : `status ${status}`);
      return;
    }
    lastAlone = true;
    const time = one(metadata, 'lastProcessedDate');
    if (time === undefined) {
      undated++;
      fetches.passOver('without lastProcessedDate');
      return;
    }
    const fetched = known.wins
      ? { status: known.status }
      : {
          status: one(metadata, 'fetch.statusCode') ?? known.status,
          signature: one(metadata, 'signature'),
          lastModified: one(metadata, 'last-modified'),
        };
    fetches.add({ page: url, time, ...fetched }, number);
  };
  const take = (row: unknown, number: number): void => {
    if (!isRow(row)) fetches.fault(number, 'no JSON object');
    else if (isRow(row.hits) && Array.isArray(row.hits.hits)) for (const hit of row.hits.hits) take(hit, number);
    // action line of a bulk file
    else if (isRow(row.index) || isRow(row.create) || isRow(row.update) || isRow(row.delete)) return;
    else if (isRow(row.doc)) takeDocument(row.doc, number);
    else takeDocument(row, number);
  };
  const end = (): void => {
    if (undated > 0 && fetches.count === 0) {
      throw new LogRefusal(
        `${undated} URLs have no metadata lastProcessedDate, so the time of their fetch is not known: list lastProcessedDate, signature and fetch.statusCode in metadata.persist`,
      );
    }
    if (lastAlone)
      fetches.note('A status index keeps the last fetch of a URL alone: pass exports of several days for its history.');
  };
  return new JsonRows(take, (number, why) => fetches.fault(number, why), end);
}

export const stormCrawler: LogFormat = {
  name: 'storm-crawler',
  title: 'an export of StormCrawler’s status index',
  recognises: (beginning) =>
    /^[[{]/.test(firstLine(beginning)) &&
    beginning.includes('"nextFetchDate"') &&
    /"status"\s*:\s*"(?:DISCOVERED|FETCHED|FETCH_ERROR|REDIRECTION|ERROR)"/.test(beginning),
  open,
};

/** A metadata value, plain or in a list; names may be nested at their dots. */
function one(metadata: JsonRow, name: string): string | undefined {
  // later 3.x versions store names in lower case
  const names = [name, name.toLowerCase()].flatMap((each) => [each, each.replaceAll('.', '%2E')]);
  let value: unknown = names.map((each) => metadata[each]).find((each) => each !== undefined && each !== null);
  if (value === undefined) {
    value = metadata;
    for (const part of name.split('.')) value = isRow(value) ? value[part] : undefined;
  }
  const [first] = [value].flat();
  return first === undefined || first === null || first === '' ? undefined : String(first);
}
