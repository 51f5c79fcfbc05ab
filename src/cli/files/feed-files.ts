/** Entries of feeds from files: FreshRSS's SQLite database, and exports of any reader as CSV or JSON. */
import { readFileSync } from 'node:fs';
import { entryColumns, type FeedEntry, type FeedLog, readFeedEntries } from '../../logs/feeds/feed-entries.ts';
import { DelimitedRows } from '../../logs/formats/delimited.ts';
import { isRow, JsonRows } from '../../logs/formats/json-rows.ts';
import { LogRefusal } from '../../logs/log-record.ts';

/** Of a SQLite file. */
const magic = 'SQLite format 3\0';

export const isDatabase = (file: string): boolean =>
  file !== '-' && readFileSync(file).subarray(0, magic.length).toString('latin1') === magic;

/** @throws LogRefusal where the file has no entries of feeds */
export async function feedLogOf(file: string, zone: string | undefined): Promise<FeedLog> {
  return readFeedEntries(isDatabase(file) ? await freshRssEntries(file) : exportedEntries(file), zone);
}

/** FreshRSS: tables `feed` (url, lastUpdate) and `entry` (id_feed, date), epoch seconds. */
async function freshRssEntries(file: string): Promise<FeedEntry[]> {
  const { DatabaseSync } = await import('node:sqlite').catch(() => {
    throw new LogRefusal(
      `${file} is a SQLite database, which needs Node 22.13 or later: or export it, ` +
        'sqlite3 -csv -header db.sqlite "select f.url as feed, e.date as published, f.lastUpdate as lastFetch ' +
        'from entry e join feed f on f.id = e.id_feed", and import that with --format feeds',
    );
  });
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
    const names = tables.map(({ name }) => String(name));
    if (!names.includes('feed') || !names.includes('entry')) {
      throw new LogRefusal(
        `${file} is no database of FreshRSS: it has no tables feed and entry, but ${names.slice(0, 10).join(', ') || 'none'}`,
      );
    }
    const rows = database
      .prepare(
        'select f.url as feed, e.date as published, f.lastUpdate as lastFetch from entry e join feed f on f.id = e.id_feed',
      )
      .all();
    return rows.map(({ feed, published, lastFetch }) => ({
      feed: String(feed),
      published: Number(published),
      ...(Number(lastFetch) > 0 && { lastFetch: Number(lastFetch) }),
    }));
  } catch (error) {
    if (error instanceof LogRefusal) throw error;
    throw new LogRefusal(
      `${file} cannot be read as a database of FreshRSS: ${error instanceof Error ? error.message : error}`,
    );
  } finally {
    database.close();
  }
}

/** A table of entries, as CSV or TSV with a header, or JSON. */
function exportedEntries(file: string): FeedEntry[] {
  const text = readFileSync(file === '-' ? 0 : file, 'utf8');
  const rows = /^\s*[[{]/.test(text) ? jsonTable(text) : csvTable(text);
  if (rows.length === 0) throw new LogRefusal(`${file} has no entries`);
  const names = Object.keys(rows[0]);
  const columns = entryColumns(names);
  if (columns === null) {
    throw new LogRefusal(
      `${file} has no columns feed and published, but ${names.join(', ')}. CommaFeed on PostgreSQL gives them by ` +
        '\\copy (select f.url as feed, e.updated as published, f.lastupdated as "lastFetch" from feedentries e ' +
        "join feeds f on f.id = e.feed_id) to 'entries.csv' csv header",
    );
  }
  const { feed = '', published = '', lastFetch } = columns;
  const cell = (value: unknown): string | number | null =>
    (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : null;
  return rows.flatMap((row): FeedEntry[] => {
    const at = cell(row[published]);
    const id = cell(row[feed]);
    if (at === null || id === null) return [];
    return [{ feed: String(id), published: at, lastFetch: lastFetch === undefined ? null : cell(row[lastFetch]) }];
  });
}

type Row = Readonly<Record<string, unknown>>;

function jsonTable(text: string): Row[] {
  const rows: Row[] = [];
  const reader = new JsonRows(
    (row) => {
      if (isRow(row)) rows.push(row);
    },
    () => {},
  );
  reader.push(text);
  reader.end();
  return rows;
}

function csvTable(text: string): Row[] {
  const rows: Row[] = [];
  let names: readonly string[] | null = null;
  const reader = new DelimitedRows(
    (cells) => {
      if (names === null) names = cells.map((name) => name.trim());
      else rows.push(Object.fromEntries(names.map((name, k) => [name, cells[k] ?? ''])));
    },
    () => {},
  );
  reader.push(text.replace(/^\ufeff/, ''));
  reader.end();
  return rows;
}
