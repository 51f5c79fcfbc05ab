/**
 * Entries of feeds, as exports of feed readers (FreshRSS, CommaFeed and others) have them, in CSV or JSON: the feed, when
 * the entry was published, and the last fetch of the feed. Each is a change at a known time.
 */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions } from '../log-record.ts';
import { cellOf, plainName } from './columns.ts';
import { DelimitedRows } from './delimited.ts';
import { firstLine, type LogFormat, type LogReader } from './format.ts';
import { JsonRows } from './json-rows.ts';

const columns = {
  feed: /^(?:feed(?:url|id)?|idfeed|url)$/,
  published: /^(?:published(?:at|time|date)?|pubdate|updated|date)$/,
  lastFetch: /^(?:lastfetch(?:ed)?|lastupdated?|checkedat)$/,
};
/** Whether a table with these names has entries of feeds; a log of fetches may have a publication date too. */
const isNames = (names: readonly string[]): boolean =>
  names.some((name) => /^(?:feed(?:url|id)?|idfeed)$/.test(plainName(name))) &&
  names.some((name) => columns.published.test(plainName(name))) &&
  !names.some((name) => /status|hash|etag|signature|changed/.test(plainName(name)));

function open(_options: LogOptions, fetches: FetchCollector): LogReader {
  const takeRow = (row: Readonly<Record<string, unknown>>, number: number): void => {
    const names = Object.keys(row);
    const [feed, publishedAt, lastFetch] = [columns.feed, columns.published, columns.lastFetch].map((column) =>
      cellOf(
        row,
        names.find((name) => column.test(plainName(name))),
      ),
    );
    if (feed === undefined || publishedAt === undefined) fetches.fault(number, `no feed or no time in ${excerpt(row)}`);
    else fetches.addEntry(String(feed).trim(), publishedAt, lastFetch, number);
  };
  let reader: LogReader | null = null;
  return {
    push(text) {
      reader ??= /^\s*[[{]/.test(text) ? new JsonRows(fetches, { take: takeRow }) : new DelimitedRows(fetches, takeRow);
      reader.push(text);
    },
    end: () => reader?.end(),
  };
}

export const feeds: LogFormat = {
  name: 'feeds',
  title: 'entries of feeds',
  recognises: (beginning) => {
    const line = firstLine(beginning);
    const names = /^[[{]/.test(line)
      ? Array.from(
          beginning
            .slice(0, 2000)
            .split('}', 1)[0]
            .matchAll(/"([\w ]+)"\s*:/g),
          ([, name]) => name,
        )
      : line.split(/[,;\t|]/).map((name) => name.replaceAll('"', ''));
    return isNames(names);
  },
  open,
};
