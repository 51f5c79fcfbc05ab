/**
 * Exports of StormCrawler's status index (OpenSearch or Elasticsearch), one document a line: the last fetch of each URL.
 * The time of the fetch is the metadata `lastProcessedDate`; signature and status are `signature` and `fetch.statusCode`.
 */
import { LogRefusal, RecordCollector } from '../log-record.ts';
import { firstLine, type LogFormat } from './format.ts';
import { isRow, type JsonRow, jsonRows } from './json-rows.ts';

const statuses: Readonly<Record<string, string>> = {
  FETCHED: '200',
  REDIRECTION: '301',
  FETCH_ERROR: '503',
  ERROR: '404',
};

export const stormCrawler: LogFormat = {
  name: 'storm-crawler',
  title: 'an export of StormCrawler’s status index',
  recognises: (beginning) => {
    const line = firstLine(beginning);
    return line.startsWith('{') && line.includes('"nextFetchDate"') && line.includes('"metadata"');
  },
  read(text) {
    const collected = new RecordCollector();
    let undated = 0;
    for (const [number, row] of jsonRows(text, collected)) {
      const source = isRow(row._source) ? row._source : row;
      const { url, status } = source;
      const metadata = isRow(source.metadata) ? source.metadata : {};
      if (typeof url !== 'string' || typeof status !== 'string') {
        collected.fault(number, 'no url or no status');
        continue;
      }
      if (statuses[status] === undefined) {
        collected.passOver(status === 'DISCOVERED' ? 'not fetched yet' : `status ${status}`);
        continue;
      }
      const time = one(metadata, 'lastProcessedDate');
      if (time === undefined) {
        undated++;
        continue;
      }
      collected.records.push({
        page: url,
        time,
        status: one(metadata, 'fetch.statusCode') ?? statuses[status],
        signature: one(metadata, 'signature'),
        lastModified: one(metadata, 'last-modified'),
      });
    }
    if (undated > 0 && collected.records.length === 0) {
      throw new LogRefusal(
        `${undated} URLs have no metadata lastProcessedDate, so the time of their fetch is not known: list lastProcessedDate, signature and fetch.statusCode in metadata.persist`,
      );
    }
    if (undated > 0) collected.passedOver.set('without lastProcessedDate', undated);
    collected.notes.push(
      'A status index keeps the last fetch of a URL alone: pass exports of several days for its history.',
    );
    return collected;
  },
};

/** A value of the metadata: in a list, as the index has it, or by itself; names may be split at their dots. */
function one(metadata: JsonRow, name: string): string | undefined {
  let value: unknown = metadata[name] ?? metadata[name.replaceAll('.', '%2E')];
  if (value === undefined) {
    value = metadata;
    for (const part of name.split('.')) value = isRow(value) ? value[part] : undefined;
  }
  if (Array.isArray(value)) value = value[0];
  return value === undefined || value === null || value === '' ? undefined : String(value);
}
