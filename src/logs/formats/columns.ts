/** Maps the columns or properties of a log to fields, by usual names or as the caller maps them. */
import { isMissing } from '../../solvers/estimation/index.ts';
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions, type LogRecord, LogRefusal } from '../log-record.ts';

type Field = keyof LogRecord;
type Row = Readonly<Record<string, unknown>>;

/** Usual names, lower case without `-`, `_`, `.` and blanks; the first that exists is used. */
const usualNames: Readonly<Record<Field, readonly string[]>> = {
  page: [
    ...['url', 'page', 'uri', 'pageid', 'id', 'requesturl', 'loadedurl', 'link', 'loc', 'href', 'address'],
    ...['pageurl', 'requesturi'],
  ],
  time: [
    ...[
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
    ],
    ...['scrapedat', 'lastfetched', 'lastfetch', 'downloadedat', 'visitedat', 'retrievedat', 'capturedat', 'checkedat'],
    ...[
      'fetchedatms',
      'timestampms',
      'timems',
      'timeiso8601',
      'timelocal',
      'crawltimestamp',
      'lastcrawled',
      'lastchecked',
    ],
  ],
  // numeric statuses before worded ones
  status: [
    ...[
      'statuscode',
      'httpstatus',
      'httpstatuscode',
      'status',
      'responsestatus',
      'responsecode',
      'fetchstatuscode',
      'code',
    ],
  ],
  signature: ['signature', 'digest', 'hash', 'contenthash', 'checksum', 'sha1', 'sha256', 'md5', 'etag', 'fingerprint'],
  lastModified: ['lastmodified', 'modified', 'lastmodifiedtime', 'modifiedtime'],
  changed: ['changed', 'haschanged', 'ischanged', 'modifiedsince'],
  weight: ['weight'],
};
const fields: readonly Field[] = ['page', 'time', 'status', 'signature', 'lastModified', 'changed', 'weight'];
const plain = (name: string): string => name.toLowerCase().replace(/[-_.@\s]/g, '');
/** Parts of unusual names that suggest a field. */
const telling = { page: /url|uri|link|page|path|href/, time: /time|date|stamp|fetch|crawl|scrape|visit|seen|at(ms)?$/ };

/** The column that suggests a field by a part of its name or by its value in the first row. */
const nearest = (field: 'page' | 'time', names: readonly string[], row: Row): string =>
  names.find((name) => telling[field].test(plain(name))) ??
  names.find((name) => isCell(row[name]) && looksLike[field](row[name])) ??
  '<column>';

const looksLike: Readonly<Record<'page' | 'time', (value: string | number) => boolean>> = {
  page: (value) => /^https?:\/\//i.test(String(value)),
  time: (value) => Number(value) > earliestTime || /^\d{4}-\d\d-\d\d/.test(String(value)),
};
/** 1990 in epoch seconds. */
const earliestTime = 631_152_000;

/** Columns named in a refusal at most. */
const maxNamed = 50;
/** Maximum columns; a text with more is not a log. */
export const maxColumns = 10_000;

export type ColumnMap = Readonly<Partial<Record<Field, string>>>;

/** The columns with a usual name for a field, most likely first. */
export function usualColumns(field: Field, names: readonly string[]): string[] {
  const place = (name: string): number => usualNames[field].indexOf(plain(name));
  return names.filter((name) => place(name) >= 0).sort((a, b) => place(a) - place(b));
}

/**
 * The columns of a log with these names.
 *
 * @param row a row of the log, whose values help to suggest a column
 * @throws LogRefusal if page or time is missing, if two columns fit, or if no column indicates changes
 */
export function columnsOf(names: readonly string[], { map = {} }: LogOptions, row: Row = {}): ColumnMap {
  if (names.length > maxColumns) throw new LogRefusal(`a log has at most ${maxColumns} columns; got ${names.length}`);
  const found: Partial<Record<Field, string>> = {};
  const some = names.slice(0, maxNamed).map(excerpt).join(', ');
  const listed = names.length > maxNamed ? `${some} and ${names.length - maxNamed} more` : some;
  for (const field of fields) {
    const mapped = map[field];
    if (mapped !== undefined && !names.includes(mapped)) {
      throw new LogRefusal(`there is no column ${excerpt(mapped)} for ${field}; there are ${listed}`);
    }
    const fitting = usualColumns(field, names);
    const column = mapped ?? fitting[0];
    if (column === undefined) continue;
    // two time columns, such as of request and answer, may differ by hours, so the caller must choose
    if (mapped === undefined && field === 'time' && fitting.length > 1) {
      throw new LogRefusal(
        `${fitting.map(excerpt).join(' and ')} may each be the time of the fetch`,
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

/** A sentence about the column mapping; empty if the columns have the fields' names. */
export function columnNote(columns: ColumnMap): string[] {
  const renamed = fields.filter((field) => columns[field] !== undefined && columns[field] !== field);
  if (renamed.length === 0) return [];
  return [`Columns: ${renamed.map((field) => `${field} is ${excerpt(columns[field])}`).join(', ')}.`];
}

const isCell = (value: unknown): value is string | number =>
  typeof value === 'number' || (typeof value === 'string' && !isMissing(value));

/** The value of a cell; unwraps a list of one item and MongoDB's {"$date": …}. */
function valueIn(cell: unknown): unknown {
  let value = cell;
  // a loop: a cell may nest thousands of lists
  for (;;) {
    if (Array.isArray(value)) {
      if (value.length !== 1) return value;
      value = value[0];
      continue;
    }
    if (typeof value !== 'object' || value === null) return value;
    const [[name, inner] = ['', value], ...others] = Object.entries(value);
    if (!name.startsWith('$') || others.length > 0) return value;
    value = inner;
  }
}

/** The cells of a row that a field may have: lists and objects that nobody reads are not kept. */
function scalarsOf(row: Row, names: readonly string[]): Row {
  const cells = names.map((name) => [name, valueIn(row[name])] as const);
  return Object.fromEntries(cells.filter(([, cell]) => typeof cell !== 'object'));
}

/** Reads fetches from named rows. The columns are taken from the first rows; later rows may add change evidence. */
export class RowColumns {
  readonly #options: LogOptions;
  readonly #fetches: FetchCollector;
  /** Number of first rows with a column of this name. */
  readonly #names = new Map<string, number>();
  #columns: ColumnMap | null = null;
  /** The scalar cells of the first rows, until the columns are known. */
  #held: [row: Row, number: number][] = [];

  constructor(options: LogOptions, fetches: FetchCollector) {
    this.#options = options;
    this.#fetches = fetches;
  }

  take(row: Row, number: number): void {
    const names = Object.keys(row);
    if (names.length > maxColumns) {
      this.#fetches.fault(number, `${names.length} columns; a log has at most ${maxColumns}`);
      return;
    }
    if (this.#columns !== null) {
      for (const name of names) if (!this.#names.has(name)) this.#admit(name);
      this.#record(row, number, this.#columns);
      return;
    }
    for (const name of names) this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
    this.#held.push([scalarsOf(row, names), number]);
    if (this.#held.length >= rowsHeld || this.#names.size > maxColumns) this.#settle();
  }

  /** @param names column names, used if there are no rows */
  end(names: readonly string[] = []): void {
    for (const name of names) if (!this.#names.has(name)) this.#names.set(name, 0);
    if (this.#columns === null && this.#names.size > 0) this.#settle();
    if (this.#columns !== null) for (const note of columnNote(this.#columns)) this.#fetches.note(note);
  }

  /** The columns, from names that at least a tenth of the first rows have, so that one odd row has no effect. */
  #settle(): void {
    const fewest = this.#held.length / 10;
    const common = Array.from(this.#names).flatMap(([name, rows]) => (rows >= fewest ? [name] : []));
    const columns = columnsOf(common, this.#options, this.#held[0]?.[0]);
    this.#columns = columns;
    for (const name of this.#names.keys()) if (!common.includes(name)) this.#admit(name);
    for (const [row, number] of this.#held) this.#record(row, number, this.#columns);
    this.#held = [];
  }

  /** A rare column name, which may still be the only change evidence. */
  #admit(name: string): void {
    if (this.#names.size >= maxColumns) return;
    this.#names.set(name, 0);
    const field = evidence.find((each) => usualNames[each].includes(plain(name)));
    if (field !== undefined && this.#columns?.[field] === undefined)
      this.#columns = { ...this.#columns, [field]: name };
  }

  #record(row: Row, number: number, columns: ColumnMap): void {
    const method = methodNames.map((name) => row[name]).find((each) => typeof each === 'string' && each !== '');
    if (method !== undefined && !/^(get|head)$/i.test(String(method))) {
      this.#fetches.passOver(`requests with ${String(method).toUpperCase().slice(0, 20)}: another resource`);
      return;
    }
    const cell = (field: Field): unknown => (columns[field] === undefined ? undefined : valueIn(row[columns[field]]));
    const [page, time, status, changed] = [cell('page'), cell('time'), cell('status'), cell('changed')];
    const [signature, lastModified, weight] = [cell('signature'), cell('lastModified'), cell('weight')];
    if (!isCell(page)) this.#fetches.fault(number, `no page in ${excerpt(row)}`);
    else if (!isCell(time)) this.#fetches.fault(number, `no time in ${excerpt(row)}`);
    else {
      const fetch = {
        page: String(page),
        time,
        status: columns.status === undefined ? undefined : isCell(status) ? status : '',
        signature: isCell(signature) ? String(signature) : undefined,
        lastModified: isCell(lastModified) ? lastModified : undefined,
        weight: isCell(weight) ? weight : undefined,
        changed: isCell(changed) || typeof changed === 'boolean' ? changed : undefined,
      };
      this.#fetches.add(fetch, number);
    }
  }
}

/** Number of first rows from which the columns are taken. */
const rowsHeld = 1000;
const evidence = ['status', 'signature', 'lastModified', 'changed', 'weight'] as const;
const methodNames = ['method', 'http_method', 'httpMethod', 'request_method', 'requestMethod'];
