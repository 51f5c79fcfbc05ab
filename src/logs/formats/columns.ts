/** Maps the columns or properties of a log to what they hold, by usual names or as the caller maps them. */
import { isMissing } from '../../solvers/estimation/index.ts';
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions, LogRefusal, type LogRole, logRoles } from '../log-record.ts';
import { TimeParser } from '../time-parser.ts';
import { parseRequestLine } from './format.ts';
import { parseStatus } from './http-status.ts';

type Row = Readonly<Record<string, unknown>>;

/**
 * What a column can hold: a field of a fetch; what completes a fetch in the log of a server, where an agent counts only
 * beside a client's address; and the fields of a feed's entry.
 */
type Role = LogRole | 'host' | 'method' | 'agent' | 'bytes' | 'query' | 'client' | 'feed' | 'published' | 'lastFetch';

/** Prefixes of columns about the answer, and about its content. */
const answerPrefix = '(?:https?|response|resp?|fetch|crawl|last|server|edge|sc|headers?|origin|downstream)*';
const contentPrefix = '(?:content|body|page|text|html|raw|doc(?:ument)?|payload|response|file)*';
const fetchVerbs =
  '(?:fetch|crawl|scrap|download|visit|retriev|captur|check|access|request|collect|observ|process|snapshot)';

/** Usual names, lower case without `-`, `_`, `.`, `@` and blanks, likeliest first. */
const usualNames: Readonly<Record<Role, readonly RegExp[]>> = {
  page: [
    /^url$/,
    /^page(?:url|id)?$|^(?:https?|(?:client)?request(?:ed)?|loaded|original|source|final|full|document|response)?ur[il](?:string|full|original)?$/,
    /^(?:id|link|loc|href|address|original|(?:request|url|uri)?path|csuristem|request(?:line)?)$/,
  ],
  time: [
    new RegExp(
      `^(?:(?:date)?time(?:stamp)?|date|ts|at|(?:last)?${fetchVerbs}ed(?:at|on)?|(?:fetch|crawl)time(?:stamp)?)(?:ms|utc|local|iso8601)?$`,
    ),
    new RegExp(
      `^(?:last|date)?${fetchVerbs}(?:ed|e|al|d)?(?:at|on|time|date|timestamp)?(?:ms|utc)?$|^(?:warcdate|when|epoch|unixtime|eventtime|msec|created(?:at|on)?|(?:edge)?start(?:ed)?(?:at|utc|datetime|time(?:stamp)?)?|logtime)$`,
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
    new RegExp(
      `^${contentPrefix}(?:sha\\d+|md5|xxh(?:ash)?\\d*|blake\\w+|crc32c?)(?:sum|hex|hash)?(?:of(?:body|content|page|text|html))?$`,
    ),
    new RegExp(`^${answerPrefix}etag$`),
    new RegExp(`^${contentPrefix}(?:fingerprint|simhash)$`),
  ],
  lastModified: [
    new RegExp(`^${answerPrefix}(?:last)?modified(?:time|date|at)?$|^${answerPrefix}lastmod$|^datemodified$`),
  ],
  changed: [/^(?:has|is|content|page)?changed$|^modifiedsince$/],
  weight: [/^weight$/],
  // the host of a distribution is the same for all sites behind it
  host: [
    /^xhostheader$/,
    /^(?:https?|client|request|server|cs)*(?:host(?:name)?|vhost|virtualhost|servername)$|^urldomain$/,
  ],
  method: [/^(?:http|client|request|cs)*method$/],
  agent: [/useragent(?:original)?$/],
  bytes: [/^(?:http|edge|sc|body|response|resp|downstream|content)*(?:bytes|size)(?:sent)?$/],
  query: [/^(?:cs)?uriquery$|^(?:url)?(?:query(?:string)?|args)$/],
  client: [/^(?:http)?(?:request)?(?:client|remote|source|c)(?:ip|addr(?:ess)?|host)?$|^idorigh$/],
  feed: [/^(?:feed(?:url|id)?|idfeed|url)$/],
  published: [/^(?:published(?:at|time|date)?|pubdate|updated|date)$/],
  lastFetch: [/^(?:lastfetch(?:ed)?|lastupdated?|checkedat)$/],
};
const fields = logRoles.map(([role]) => role);
const rowRoles: readonly Role[] = [...fields, 'host', 'method', 'agent', 'bytes', 'query', 'client'];
/** A name in lower case, without the separators of its words. */
export const normaliseName = (name: string): string => name.toLowerCase().replace(/[-_.@\s()]/g, '');

/** Parts of unusual names that suggest a field. */
export const suggestivePatterns = {
  page: /url|uri|link|page|path|href/,
  time: /time|date|stamp|fetch|crawl|scrape|visit|seen|at(ms)?$/,
};

/** The column that suggests a field by a part of its name or by its value in the first row. */
const suggestColumn = (field: 'page' | 'time', names: readonly string[], rows: readonly Row[]): string =>
  names.find((name) => suggestivePatterns[field].test(normaliseName(name))) ??
  names.find((name) => looksLike(field, name, rows) === true) ??
  '<column>';

type CellTest = (cell: string | number) => boolean;
const roleTests: Readonly<Partial<Record<Role, CellTest>>> = {
  page: (cell) => /^https?:\/\//i.test(String(cell)),
  time: (cell) => new TimeParser('UTC').read(cell) >= 0,
  status: (cell) => !Number.isNaN(parseStatus(cell)),
};
const isTimeOfDay: CellTest = (cell) => /^\d{1,2}:\d\d(?::\d\d)?/.test(String(cell));

/** Whether most values of a column in the first rows pass the test of a role; undefined if it has none. */
function looksLike(role: Role, name: string, rows: readonly Row[], test = roleTests[role]): boolean | undefined {
  const values = rows
    .slice(0, sampleRows)
    .map((row) => valueIn(row[name]))
    .filter(isCell);
  return values.length === 0 ? undefined : test === undefined || 2 * values.filter(test).length > values.length;
}

/** First rows whose values are tested against the field that a column name suggests. */
const sampleRows = 100;

/** Column names listed in a refusal at most. */
const maxListedNames = 50;
/** Maximum columns; a text with more is not a log. */
export const maxColumns = 10_000;

type ColumnMap = Readonly<Partial<Record<Role, string>>>;

/** The columns with a usual name for a role, most likely first. */
export function usualColumns(role: Role, names: readonly string[]): string[] {
  return names.filter((name) => rankOf(role, name) >= 0).sort((a, b) => rankOf(role, a) - rankOf(role, b));
}

/** How likely a column has a role, from 0 on; −1 if it does not. The inner name of a nested property is less likely. */
function rankOf(role: Role, name: string): number {
  const rank = rankOfWord(role, name);
  const inner = name.slice(name.lastIndexOf('.') + 1);
  if (rank >= 0 || inner === name) return rank;
  const innerRank = rankOfWord(role, inner);
  return innerRank >= 0 && isCertain(role, innerRank) ? innerRank + usualNames[role].length : -1;
}

const rankOfWord = (role: Role, name: string): number =>
  usualNames[role].findIndex((pattern) => pattern.test(normaliseName(name)));

/** Whether names of a rank are certain: the last pattern of a role has words with other meanings too. */
const isCertain = (role: Role, rank: number): boolean => rank < usualNames[role].length - 1;

/**
 * The columns of a log with these names.
 *
 * @param rows the first rows of the log, whose values are tested against the role that a column name suggests
 * @throws LogRefusal if page or time is missing, if two columns fit, or if no column indicates changes
 */
function columnsOf(names: readonly string[], { map = {} }: LogOptions, rows: readonly Row[]): ColumnMap {
  const mappedNames: Readonly<Partial<Record<Role, string>>> = map;
  const columns: Partial<Record<Role, string>> = {};
  const firstNames = names.slice(0, maxListedNames).map(excerpt).join(', ');
  const nameList =
    names.length > maxListedNames ? `${firstNames} and ${names.length - maxListedNames} more` : firstNames;
  for (const role of rowRoles) {
    const mappedName = mappedNames[role];
    if (mappedName !== undefined && !names.includes(mappedName)) {
      throw new LogRefusal(`there is no column ${excerpt(mappedName)} for ${role}; there are ${nameList}`);
    }
    const candidates = usualColumns(role, names);
    const readableColumns = candidates.filter((name) => role === 'page' || looksLike(role, name, rows) !== false);
    // a column with a certain name is taken even if its values do not pass the test
    const column = mappedName ?? readableColumns[0] ?? candidates.find((name) => isCertain(role, rankOf(role, name)));
    if (column === undefined) continue;
    // two time columns, such as of request and answer, may differ by hours, so the caller must choose
    const rivals = readableColumns.filter((name) => rankOf(role, name) === rankOf(role, readableColumns[0]));
    if (mappedName === undefined && role === 'time' && rivals.length > 1) {
      throw new LogRefusal(
        `${rivals.map(excerpt).join(' and ')} may each be the time of the fetch`,
        `--map time=${rivals[0]}`,
      );
    }
    columns[role] = column;
  }
  for (const role of ['page', 'time'] as const) {
    if (columns[role] === undefined) {
      throw new LogRefusal(
        `no column is known to be the ${role}; there are ${nameList}`,
        `--map ${role}=${suggestColumn(role, names, rows)}`,
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

const isNested = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.keys(value)[0]?.startsWith('$');

/** Nested objects that are looked into: `response.headers.etag`. */
const maxDepth = 3;

/** A row with the properties of nested objects under their paths. */
export function flattenRow(row: Row, depth = 0): Row {
  if (depth >= maxDepth || !Object.values(row).some(isNested)) return row;
  const entries = Object.entries(row).flatMap(([name, value]) =>
    isNested(value)
      ? Object.entries(flattenRow(value, depth + 1)).map(([inner, each]) => [`${name}.${inner}`, each] as const)
      : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

/** The scalar cells of a row; lists and objects, which no role reads, would fill the memory while rows wait. */
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
  /** The column with the time of day, if the time column has only a date. */
  #timeOfDayColumn: string | undefined;
  /** The scalar cells of the first rows, until the columns are known. */
  #firstRows: [row: Row, number: number][] = [];

  constructor(options: LogOptions, fetches: FetchCollector) {
    this.#options = options;
    this.#fetches = fetches;
  }

  take(wholeRow: Row, number: number): void {
    const row = flattenRow(wholeRow);
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
    if (/date$/.test(normaliseName(columns.time ?? ''))) {
      this.#timeOfDayColumn = common.find(
        (name) => /time/.test(normaliseName(name)) && looksLike('time', name, rows, isTimeOfDay) === true,
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
    const page = cellOf(row, columns.page);
    const time = cellOf(row, columns.time);
    if (page === undefined) this.#fetches.fault(number, `no page in ${excerpt(row)}`);
    else if (time === undefined) this.#fetches.fault(number, `no time in ${excerpt(row)}`);
    else {
      const verdict = columns.changed === undefined ? undefined : row[columns.changed];
      const fetch = {
        ...this.#requestOf(row, String(page).trim(), columns),
        time: this.#timeOfDayColumn === undefined ? time : `${time} ${row[this.#timeOfDayColumn]}`,
        status: columns.status === undefined ? undefined : (cellOf(row, columns.status) ?? ''),
        signature: cellOf(row, columns.signature),
        lastModified: cellOf(row, columns.lastModified),
        weight: cellOf(row, columns.weight),
        changed: typeof verdict === 'boolean' ? verdict : cellOf(row, columns.changed),
      };
      this.#fetches.add(fetch, number);
    }
  }

  /** The page of a row, and what else a log of a server has. */
  #requestOf(row: Row, cell: string, columns: ColumnMap) {
    const text = (role: Role): string | undefined => {
      const value = cellOf(row, columns[role]);
      return value === undefined ? undefined : String(value);
    };
    const { page, method } = / HTTP\/\d/.test(cell) ? parseRequestLine(cell) : { page: cell, method: text('method') };
    const isPath = page.startsWith('/');
    const query = isPath && !page.includes('?') ? text('query') : undefined;
    return {
      method,
      page: query === undefined ? page : `${page}?${query.replace(/^\?/, '')}`,
      host: isPath ? text('host') : undefined,
      agent: columns.client === undefined && this.#options.agent === undefined ? undefined : text('agent'),
      bytes: cellOf(row, columns.bytes),
    };
  }
}

/** A text or a number in a row; undefined if it is missing. */
export function cellOf(row: Row, name: string | undefined): string | number | undefined {
  if (name === undefined) return undefined;
  const value = row[name];
  const cell = typeof value === 'object' ? valueIn(value) : value;
  return isCell(cell) ? cell : undefined;
}

/** Number of first rows from which the columns are chosen. */
const maxFirstRows = 1000;
const evidence = ['status', 'signature', 'lastModified', 'changed', 'weight'] as const;
