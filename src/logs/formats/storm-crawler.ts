/**
 * Exports of StormCrawler's status index (OpenSearch or Elasticsearch), one document a line: the last fetch of each
 * URL. The time of the fetch is the metadata `lastProcessedDate`; signature and status are `signature` and
 * `fetch.statusCode`. URLs under PlanScheduler (integrations/stormcrawler) bring their last fetches.
 */
import { LogRefusal, RecordCollector } from '../log-record.ts';
import { firstLine, type LogFormat } from './format.ts';
import { isRow, type JsonRow, jsonRows } from './json-rows.ts';
import { notedFetches, notedFetchesName } from './noted-fetches.ts';

const statuses = new Map(
  Object.entries({
    FETCHED: '200',
    REDIRECTION: '301',
    FETCH_ERROR: '503',
    ERROR: '404',
  }),
);

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
    let lastAlone = false;
    for (const [number, row] of jsonRows(text, collected)) {
      const source = isRow(row._source) ? row._source : row;
      const { url, status } = source;
      const metadata = isRow(source.metadata) ? source.metadata : {};
      if (typeof url !== 'string' || typeof status !== 'string') {
        collected.fault(number, 'no url or no status');
        continue;
      }
      const usual = statuses.get(status);
      if (usual === undefined) {
        collected.passOver(status === 'DISCOVERED' ? 'not fetched yet' : `status ${status}`);
        continue;
      }
      const noted = notedFetches(url, all(metadata, notedFetchesName));
      if (noted.length > 0) {
        for (const record of noted) collected.records.push(record);
        continue;
      }
      lastAlone = true;
      const time = one(metadata, 'lastProcessedDate');
      if (time === undefined) {
        undated++;
        continue;
      }
      collected.records.push({
        page: url,
        time,
        status: one(metadata, 'fetch.statusCode') ?? usual,
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
    if (lastAlone) {
      collected.notes.push(
        'A status index keeps the last fetch of a URL alone: pass exports of several days for its history.',
      );
    }
    return collected;
  },
};

/** The values of the metadata: in a list, as the index has them, or one by itself; names may be split at their dots. */
function all(metadata: JsonRow, name: string): string[] {
  // later versions of 3.x keep names in lower case
  const names = [name, name.toLowerCase()].flatMap((each) => [each, each.replaceAll('.', '%2E')]);
  let value: unknown = names.map((each) => metadata[each]).find((each) => each !== undefined && each !== null);
  if (value === undefined) {
    value = metadata;
    for (const part of name.split('.')) value = isRow(value) ? value[part] : undefined;
  }
  return [value].flat().flatMap((each) => (each === undefined || each === null || each === '' ? [] : [String(each)]));
}

const one = (metadata: JsonRow, name: string): string | undefined => all(metadata, name)[0];
