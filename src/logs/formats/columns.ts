/** Which column or property of a log is which, by its usual names or as the caller maps them. */
import { type LogOptions, type LogRecord, LogRefusal, shown } from '../log-record.ts';

type Field = keyof LogRecord;

/** Usual names, in lower case without `-`, `_`, `.` and blanks; the first that a log has is taken. */
const usualNames: Readonly<Record<Field, readonly string[]>> = {
  page: ['url', 'page', 'uri', 'pageid', 'id', 'requesturl', 'loadedurl', 'link', 'loc', 'href', 'address'],
  time: [
    'time',
    'timestamp',
    'fetchedat',
    'fetchtime',
    'fetched',
    'crawledat',
    'crawltime',
    'date',
    'datetime',
    'ts',
    'at',
    'scrapedat',
    'lastfetched',
    'lastfetch',
    'downloadedat',
    'visitedat',
    'fetchedatms',
    'timestampms',
    'timems',
  ],
  status: ['status', 'statuscode', 'httpstatus', 'responsestatus', 'fetchstatuscode', 'code'],
  signature: ['signature', 'digest', 'hash', 'contenthash', 'checksum', 'sha1', 'sha256', 'md5', 'etag', 'fingerprint'],
  lastModified: ['lastmodified', 'modified', 'lastmodifiedtime', 'modifiedtime'],
  changed: ['changed', 'haschanged', 'ischanged', 'modifiedsince'],
  weight: ['weight'],
};
const fields: readonly Field[] = ['page', 'time', 'status', 'signature', 'lastModified', 'changed', 'weight'];
const plain = (name: string): string => name.toLowerCase().replace(/[-_.@\s]/g, '');
/** Parts of names that say what a column is, where its name is not usual. */
const telling = { page: /url|uri|link|page|path|href/, time: /time|date|stamp|fetch|crawl|scrape|visit|seen|at(ms)?$/ };

/** The column that may be the field by a part of its name, or by the first row's value. */
const nearest = (field: 'page' | 'time', names: readonly string[], row: Readonly<Record<string, unknown>>): string =>
  names.find((name) => telling[field].test(plain(name))) ??
  names.find((name) => isCell(row[name]) && looksLike[field](row[name])) ??
  '<column>';

const looksLike: Readonly<Record<'page' | 'time', (value: string | number) => boolean>> = {
  page: (value) => /^https?:\/\//i.test(String(value)),
  time: (value) => Number(value) > earliestTime || /^\d{4}-\d\d-\d\d/.test(String(value)),
};
/** 1990 in epoch seconds. */
const earliestTime = 631_152_000;

/** So many are named in a refusal. */
const mostNamed = 50;
/** No log has more; a text that does is none. */
export const mostColumns = 10_000;

export type ColumnMap = Readonly<Partial<Record<Field, string>>>;

/** The columns whose names say that they are this field, the likeliest first. */
export function usualColumns(field: Field, names: readonly string[]): string[] {
  const place = (name: string): number => usualNames[field].indexOf(plain(name));
  return names.filter((name) => place(name) >= 0).sort((a, b) => place(a) - place(b));
}

/**
 * The columns of a log with these names.
 *
 * @param row a row of the log, whose values may show which column is missed
 * @throws LogRefusal where there is no page or time, where two columns fit, or where nothing tells a change
 */
export function columnsOf(
  names: readonly string[],
  { map = {} }: LogOptions,
  row: Readonly<Record<string, unknown>> = {},
): ColumnMap {
  if (names.length > mostColumns) throw new LogRefusal(`a log has at most ${mostColumns} columns; got ${names.length}`);
  const found: Partial<Record<Field, string>> = {};
  const some = names.slice(0, mostNamed).map(shown).join(', ');
  const listed = names.length > mostNamed ? `${some} and ${names.length - mostNamed} more` : some;
  for (const field of fields) {
    const mapped = map[field];
    if (mapped !== undefined && !names.includes(mapped)) {
      throw new LogRefusal(`there is no column ${shown(mapped)} for ${field}; there are ${listed}`);
    }
    const fitting = usualColumns(field, names);
    const column = mapped ?? fitting[0];
    if (column === undefined) continue;
    // Two times, such as of the fetch and of the answer, are hours apart in a log: the caller must say.
    if (mapped === undefined && field === 'time' && fitting.length > 1) {
      throw new LogRefusal(
        `${fitting.map(shown).join(' and ')} may each be the time of the fetch`,
        `--map time=${fitting[0]}`,
      );
    }
    found[field] = column;
  }
  for (const field of ['page', 'time'] as const) {
    if (found[field] === undefined) {
      throw new LogRefusal(
        `no column is known to be the ${field}; there are ${listed}`,
        `--map ${field}=${nearest(field, names, row)}`,
      );
    }
  }
  const evidence = [found.status, found.signature, found.lastModified, found.changed];
  if (evidence.every((column) => column === undefined)) {
    throw new LogRefusal(
      `no column tells whether a page had changed; there are ${listed}`,
      '--map signature=<column>, lastModified, changed or status',
    );
  }
  return found;
}

/** What the columns are, in a sentence; nothing where they have their own names. */
export function columnNote(columns: ColumnMap): string[] {
  const renamed = fields.filter((field) => columns[field] !== undefined && columns[field] !== field);
  if (renamed.length === 0) return [];
  return [`Columns: ${renamed.map((field) => `${field} is ${shown(columns[field])}`).join(', ')}.`];
}

const isCell = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '' && value !== '-') || typeof value === 'number';

/** A row's record; in words what it lacks. */
export function recordOf(row: Readonly<Record<string, unknown>>, columns: ColumnMap): LogRecord | string {
  const cell = (field: Field): unknown => (columns[field] === undefined ? undefined : row[columns[field]]);
  const [page, time, status, changed] = [cell('page'), cell('time'), cell('status'), cell('changed')];
  const [signature, lastModified, weight] = [cell('signature'), cell('lastModified'), cell('weight')];
  if (!isCell(page)) return `no page in ${shown(row)}`;
  if (!isCell(time)) return `no time in ${shown(row)}`;
  return {
    page: String(page),
    time,
    ...(isCell(status) && { status }),
    ...(isCell(signature) && { signature: String(signature) }),
    ...(isCell(lastModified) && Number(lastModified) !== 0 && { lastModified }),
    ...(isCell(weight) && { weight }),
    ...((isCell(changed) || typeof changed === 'boolean') && { changed }),
  };
}
