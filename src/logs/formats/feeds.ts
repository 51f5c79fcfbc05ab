/**
 * Entries of feeds, as exports of feed readers (FreshRSS, CommaFeed and others) have them, in CSV or JSON: the feed, when
 * the entry was published, and the last fetch of the feed. Each is a change at a known time.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { cellOf, usualColumns } from './columns.ts';
import type { LogFormat, LogReader } from './format.ts';
import { openRowReader } from './rows.ts';

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  const onRow = (row: Readonly<Record<string, unknown>>, number: number): void => {
    const [feed, publishedAt, lastFetch] = (['feed', 'published', 'lastFetch'] as const).map((role) =>
      cellOf(row, usualColumns(role, Object.keys(row))[0]),
    );
    if (feed === undefined || publishedAt === undefined) fetches.fault(number, `no feed or no time in ${excerpt(row)}`);
    else fetches.addEntry(String(feed).trim(), publishedAt, lastFetch, number);
  };
  return openRowReader(fetches, { onRow });
}

export const feeds: LogFormat = {
  name: 'feeds',
  title: 'entries of feeds',
  // a log of fetches may have a publication date too
  recognises: ({ names }) =>
    [...names].some((name) => /^(?:feed(?:url|id)?|idfeed)$/.test(name)) &&
    usualColumns('published', [...names]).length > 0 &&
    ![...names].some((name) => /status|hash|etag|signature|changed/.test(name)),
  open,
};
