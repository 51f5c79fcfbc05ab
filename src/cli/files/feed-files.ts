/** Entries of feeds from files: FreshRSS's SQLite database, and exports of any reader as CSV or JSON. */
import { readFileSync } from 'node:fs';
import { entryColumns, type FeedEntry, type FeedLog, readFeedEntries } from '../../logs/feeds/feed-entries.ts';
import { namedRows } from '../../logs/formats/delimited.ts';
import type { LogReader } from '../../logs/formats/format.ts';
import { isRow, JsonRows } from '../../logs/formats/json-rows.ts';
import { excerpt, LogRefusal } from '../../logs/log-record.ts';
import { isMissing } from '../../solvers/estimation/index.ts';
import { textOf } from './log-text.ts';

/** Of a SQLite file. */
const magic = 'SQLite format 3\0';

export const isDatabase = (file: string): boolean =>
  file !== '-' && readFileSync(file).subarray(0, magic.length).toString('latin1') === magic;

interface ExportedEntries {
  readonly entries: readonly FeedEntry[];
  /** What was left out, in sentences. */
  readonly notes: readonly string[];
}

/** @throws LogRefusal where the file has no entries of feeds */
export async function feedLogOf(file: string, zone: string | undefined): Promise<FeedLog> {
  const { entries, notes } = isDatabase(file)
    ? { entries: await freshRssEntries(file), notes: [] }
    : await exportedEntries(file);
  const log = readFeedEntries(entries, zone);
  return { ...log, notes: [...notes, ...log.notes] };
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
async function exportedEntries(file: string): Promise<ExportedEntries> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  const notes: string[] = [];
  let [faults, first] = [0, ''];
  const fault = (number: number, why: string): void => {
    if (faults++ === 0) first = `line ${number}: ${why}`;
  };
  let reader: LogReader | null = null;
  for await (const piece of textOf(file)) {
    reader ??= /^\s*[[{]/.test(piece)
      ? new JsonRows(
          (row, number) => (isRow(row) ? rows.push(row) : fault(number, `no JSON object: ${excerpt(row)}`)),
          fault,
        )
      : namedRows(
          (row) => rows.push(row),
          fault,
          () => {},
        );
    reader.push(piece);
  }
  reader?.end();
  if (faults > 0) notes.push(`${faults} lines cannot be read (the first is ${first}).`);
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
    typeof value === 'number' || (typeof value === 'string' && !isMissing(value)) ? value : null;
  const entries = rows.flatMap((row): FeedEntry[] => {
    const [id, at] = [cell(row[feed]), cell(row[published])];
    if (id === null || at === null) return [];
    return [{ feed: String(id), published: at, lastFetch: lastFetch === undefined ? null : cell(row[lastFetch]) }];
  });
  const left = rows.length - entries.length;
  if (left > 0) notes.push(`${left} entries have no ${feed} or no ${published}: left out.`);
  return { entries, notes };
}
