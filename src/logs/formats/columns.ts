/** Maps the columns or properties of a log to fields, by usual names or as the caller maps them. */
import { isMissing } from '../../solvers/estimation/index.ts';
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions, type LogRecord, LogRefusal } from '../log-record.ts';
import { LogClock } from '../log-times.ts';
import { statusOf } from './http-status.ts';

type Field = keyof LogRecord;
type Row = Readonly<Record<string, unknown>>;

/** Prefixes of columns about the answer, and about its content. */
const answerPrefix = '(?:https?|response|resp?|fetch|crawl|last|server|edge|sc|headers?|origin)*';
const contentPrefix = '(?:content|body|page|text|html|raw|doc(?:ument)?|payload|response|file)*';
const fetchVerbs =
  '(?:fetch|crawl|scrap|download|visit|retriev|captur|check|access|request|collect|observ|process|snapshot)';

/** Usual names, lower case without `-`, `_`, `.`, `@` and blanks, likeliest first. */
const usualNames: Readonly<Record<Field, readonly RegExp[]>> = {
  page: [
    /^url$/,
    /^page(?:url|id)?$|^(?:https?|request(?:ed)?|loaded|original|source|final|full|document|response)?ur[il](?:string|full)?$/,
    /^(?:id|link|loc|href|address|original)$/,
  ],
  time: [
    new RegExp(
      `^(?:(?:date)?time(?:stamp)?|date|ts|at|(?:last)?${fetchVerbs}ed(?:at|on)?|(?:fetch|crawl)time(?:stamp)?)(?:ms|utc|local|iso8601)?$`,
    ),
    new RegExp(
      `^(?:last|date)?${fetchVerbs}(?:ed|e|al|d)?(?:at|on|time|date|timestamp)?(?:ms|utc)?$|^(?:warcdate|when|epoch|unixtime|eventtime|created(?:at|on)?|started(?:at)?|(?:start|log)time)$`,
    ),
  ],
  // numeric statuses before worded ones
  status: [
    new RegExp(`^${answerPrefix}(?:status)?code$`),
    new RegExp(`^${answerPrefix}status$`),
    /^http(?:response|result)?$|^response$/,
  ],
  signature: [
    /^signature$/,
    new RegExp(`^${contentPrefix}(?:digest|hash|checksum|signature)(?:md5|sha\\d*|hex)?$`),
    new RegExp(`^${contentPrefix}(?:sha\\d+|md5|xxh(?:ash)?\\d*|blake\\w+|crc32c?)(?:sum|hex|hash)?$`),
    new RegExp(`^${answerPrefix}etag$`),
    new RegExp(`^${contentPrefix}(?:fingerprint|simhash)$`),
  ],
  lastModified: [
    new RegExp(`^${answerPrefix}(?:last)?modified(?:time|date|at)?$|^${answerPrefix}lastmod$|^datemodified$`),
  ],
  changed: [/^(?:has|is|content|page)?changed$|^modifiedsince$/],
  weight: [/^weight$/],
};
const fields: readonly Field[] = ['page', 'time', 'status', 'signature', 'lastModified', 'changed', 'weight'];
/** A name in lower case, without the separators of its words. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[-_.@\s]/g, '');
/** Parts of unusual names that suggest a field. */
const namePatterns = {
  page: /url|uri|link|page|path|href/,
  time: /time|date|stamp|fetch|crawl|scrape|visit|seen|at(ms)?$/,
};

/** The column that suggests a field by a part of its name or by its value in the first row. */
const suggestColumn = (field: 'page' | 'time', names: readonly string[], rows: readonly Row[]): string =>
  names.find((name) => namePatterns[field].test(plainName(name))) ??
  names.find((name) => looksLike(field, name, rows) === true) ??
  '<column>';

const fieldTests: Readonly<Partial<Record<Field, (value: string | number) => boolean>>> = {
  page: (value) => /^https?:\/\//i.test(String(value)),
  time: (value) => new LogClock('UTC').read(value) >= 0,
  status: (value) => !Number.isNaN(statusOf(value)),
};

/** Whether most values of a column in the first rows pass a test; undefined if it has none. */
function mostPass(test: (value: string | number) => boolean, name: string, rows: readonly Row[]): boolean | undefined {
  const values = rows
    .slice(0, sampleRows)
    .map((row) => valueIn(row[name]))
    .filter(isCell);
  return values.length === 0 ? undefined : 2 * values.filter(test).length > values.length;
}

/** Whether most values of a column can be read as a field. */
const looksLike = (field: Field, name: string, rows: readonly Row[]): boolean | undefined =>
  mostPass(fieldTests[field] ?? (() => true), name, rows);

/** First rows whose values are tested against the field that a column name suggests. */
const sampleRows = 100;

/** Column names listed in a refusal at most. */
const maxListedNames = 50;
/** Maximum columns; a text with more is not a log. */
export const maxColumns = 10_000;

type ColumnMap = Readonly<Partial<Record<Field, string>>>;

/** The columns with a usual name for a field, most likely first. */
export function usualColumns(field: Field, names: readonly string[]): string[] {
  return names.filter((name) => rankOf(field, name) >= 0).sort((a, b) => rankOf(field, a) - rankOf(field, b));
}

const rankOf = (field: Field, name: string): number =>
  usualNames[field].findIndex((pattern) => pattern.test(plainName(name)));

/**
 * The columns of a log with these names.
 *
 * @param rows the first rows of the log, whose values are tested against the field that a column name suggests
 * @throws LogRefusal if page or time is missing, if two columns fit, or if no column indicates changes
 */
function columnsOf(names: readonly string[], { map = {} }: LogOptions, rows: readonly Row[]): ColumnMap {
  const columns: Partial<Record<Field, string>> = {};
  const firstNames = names.slice(0, maxListedNames).map(excerpt).join(', ');
  const nameList =
    names.length > maxListedNames ? `${firstNames} and ${names.length - maxListedNames} more` : firstNames;
  for (const field of fields) {
    const mappedName = map[field];
    if (mappedName !== undefined && !names.includes(mappedName)) {
      throw new LogRefusal(`there is no column ${excerpt(mappedName)} for ${field}; there are ${nameList}`);
    }
    const candidates = usualColumns(field, names);
    const readableColumns = candidates.filter((name) => field === 'page' || looksLike(field, name, rows) !== false);
    // names by all but the last pattern are certain: the column is taken even if its values do not pass the test
    const column =
      mappedName ?? readableColumns[0] ?? candidates.find((name) => rankOf(field, name) < usualNames[field].length - 1);
    if (column === undefined) continue;
    // two time columns, such as of request and answer, may differ by hours, so the caller must choose
    const rivals = readableColumns.filter((name) => rankOf(field, name) === rankOf(field, readableColumns[0]));
    if (mappedName === undefined && field === 'time' && rivals.length > 1) {
      throw new LogRefusal(
        `${rivals.map(excerpt).join(' and ')} may each be the time of the fetch`,
        `--map time=${rivals[0]}`,
      );
    }
    columns[field] = column;
  }
  for (const field of ['page', 'time'] as const) {
    if (columns[field] === undefined) {
      throw new LogRefusal(
        `no column is known to be the ${field}; there are ${nameList}`,
        `--map ${field}=${suggestColumn(field, names, rows)}`,
      );
    }
  }
  const evidence = [columns.status, columns.signature, columns.lastModified, columns.changed];
  if (evidence.every((column) => column === undefined)) {
    throw new LogRefusal(
      `no column tells whether a page had changed; there are ${nameList}`,
      '--map signature=<column>, lastModified, changed or status',
    );
  }
  return columns;
}

/** A sentence about the column mapping; empty if the columns have the fields' names. */
function columnNote(columns: ColumnMap): string[] {
  const renamedFields = fields.filter((field) => columns[field] !== undefined && columns[field] !== field);
  if (renamedFields.length === 0) return [];
  return [`Columns: ${renamedFields.map((field) => `${field} is ${excerpt(columns[field])}`).join(', ')}.`];
}

const isCell = (value: unknown): value is string | number =>
  typeof value === 'string' ? !isMissing(value) : typeof value === 'number';

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
    const [[name, inner] = ['', value], ...otherEntries] = Object.entries(value);
    if (!name.startsWith('$') || otherEntries.length > 0) return value;
    value = inner;
  }
}

/** The scalar cells of a row; lists and objects are dropped, because no field reads them. */
function scalarsOf(row: Row, names: readonly string[]): Row {
  const cells = names.map((name) => [name, valueIn(row[name])] as const);
  return Object.fromEntries(cells.filter(([, cell]) => typeof cell !== 'object'));
}

/** Reads fetches from rows. The columns are chosen from the first rows; later rows may add change evidence. */
export class RowColumns {
  readonly #options: LogOptions;
  readonly #fetches: FetchCollector;
  /** Number of first rows with a column of this name. */
  readonly #names = new Map<string, number>();
  #columns: ColumnMap | null = null;
  #methodColumn: string | undefined;
  /** The column with the time of day, if the time column has only a date. */
  #timeOfDayColumn: string | undefined;
  /** The scalar cells of the first rows, until the columns are known. */
  #firstRows: [row: Row, number: number][] = [];

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
      for (const name of names) if (!this.#names.has(name)) this.#addColumn(name);
      this.#record(row, number, this.#columns);
      return;
    }
    for (const name of names) this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
    this.#firstRows.push([scalarsOf(row, names), number]);
    if (this.#firstRows.length >= maxFirstRows || this.#names.size > maxColumns) this.#chooseColumns();
  }

  /** @param names column names, used if there are no rows */
  end(names: readonly string[] = []): void {
    for (const name of names) if (!this.#names.has(name)) this.#names.set(name, 0);
    if (this.#columns === null && this.#names.size > 0) this.#chooseColumns();
    if (this.#columns !== null) for (const note of columnNote(this.#columns)) this.#fetches.note(note);
  }

  /** Chooses the columns from names that at least a tenth of the first rows have, so that one odd row has no effect. */
  #chooseColumns(): void {
    const minRows = this.#firstRows.length / 10;
    const common = Array.from(this.#names).flatMap(([name, rows]) => (rows >= minRows ? [name] : []));
    const rows = this.#firstRows.map(([row]) => row);
    const columns = columnsOf(common, this.#options, rows);
    this.#columns = columns;
    this.#methodColumn = common.find((name) => /^(?:http|request)?method$/.test(plainName(name)));
    if (/date$/.test(plainName(columns.time ?? ''))) {
      const isHour = (value: string | number): boolean => /^\d{1,2}:\d\d(?::\d\d)?/.test(String(value));
      this.#timeOfDayColumn = common.find(
        (name) => /time/.test(plainName(name)) && mostPass(isHour, name, rows) === true,
      );
    }
    for (const name of this.#names.keys()) if (!common.includes(name)) this.#addColumn(name);
    for (const [row, number] of this.#firstRows) this.#record(row, number, this.#columns);
    this.#firstRows = [];
  }

  /** Takes a rare column name as change evidence if its field has no column yet. */
  #addColumn(name: string): void {
    if (this.#names.size >= maxColumns) return;
    this.#names.set(name, 0);
    const field = evidence.find((each) => rankOf(each, name) >= 0);
    if (field !== undefined && this.#columns?.[field] === undefined)
      this.#columns = { ...this.#columns, [field]: name };
  }

  #record(row: Row, number: number, columns: ColumnMap): void {
    const method = this.#methodColumn === undefined ? '' : String(row[this.#methodColumn]);
    if (otherMethods.test(method)) {
      this.#fetches.passOver(`requests with ${method.toUpperCase()}: another resource`);
      return;
    }
    const page = cellOf(row, columns.page);
    const time = cellOf(row, columns.time);
    if (page === undefined) this.#fetches.fault(number, `no page in ${excerpt(row)}`);
    else if (time === undefined) this.#fetches.fault(number, `no time in ${excerpt(row)}`);
    else {
      const fetch = {
        page: String(page).trim(),
        time: this.#timeOfDayColumn === undefined ? time : `${time} ${row[this.#timeOfDayColumn]}`,
        status: columns.status === undefined ? undefined : (cellOf(row, columns.status) ?? ''),
        signature: cellOf(row, columns.signature),
        lastModified: cellOf(row, columns.lastModified),
        weight: cellOf(row, columns.weight),
        changed:
          columns.changed === undefined ? undefined : (booleanOf(row[columns.changed]) ?? cellOf(row, columns.changed)),
      };
      this.#fetches.add(fetch, number);
    }
  }
}

/** A text or a number in a row; undefined if it is missing. */
export function cellOf(row: Row, name: string | undefined): string | number | undefined {
  if (name === undefined) return undefined;
  const value = row[name];
  const cell = typeof value === 'object' ? valueIn(value) : value;
  return isCell(cell) ? cell : undefined;
}

const booleanOf = (cell: unknown): boolean | undefined => (typeof cell === 'boolean' ? cell : undefined);

/** Number of first rows from which the columns are chosen. */
const maxFirstRows = 1000;
const evidence = ['status', 'signature', 'lastModified', 'changed', 'weight'] as const;
const otherMethods = /^(?:post|put|patch|delete|options|trace|connect)$/i;
