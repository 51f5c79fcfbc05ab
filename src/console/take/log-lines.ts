/** A crawl log as NDJSON or CSV → its rows and what their columns are likely to be. */
import { isRecord } from '../api/json.ts';

export type Row = Readonly<Record<string, string | number | boolean | null>>;

export interface LogRows {
  readonly format: 'NDJSON' | 'CSV';
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  /** Lines that could not be read. */
  readonly unread: number;
}

/** One line of CSV (RFC 4180), without line breaks inside quotes. */
function cellsOf(line: string, separator: string): string[] {
  const found: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const character = line[i];
    if (quoted && character === '"' && line[i + 1] === '"') {
      cell += '"';
      i++;
    } else if (character === '"') quoted = !quoted;
    else if (character === separator && !quoted) {
      found.push(cell);
      cell = '';
    } else cell += character;
  }
  return [...found, cell];
}

function ndjson(lines: readonly string[]): LogRows {
  const rows: Row[] = [];
  const columns = new Set<string>();
  let unread = 0;
  for (const line of lines) {
    try {
      const value: unknown = JSON.parse(line);
      if (!isRecord(value)) throw new Error('no object');
      const entries = Object.entries(value).flatMap(([name, cell]) =>
        cell === null || ['string', 'number', 'boolean'].includes(typeof cell) ? [[name, cell]] : [],
      );
      const row: Row = Object.fromEntries(entries);
      for (const name of Object.keys(row)) columns.add(name);
      rows.push(row);
    } catch {
      unread++;
    }
  }
  return { format: 'NDJSON', columns: [...columns], rows, unread };
}

function csv(lines: readonly string[]): LogRows | undefined {
  const separator = [',', '\t', ';'].find((each) => lines[0].includes(each));
  if (separator === undefined) return undefined;
  const columns = cellsOf(lines[0], separator).map((name) => name.trim());
  const rows: Row[] = [];
  let unread = 0;
  for (const line of lines.slice(1)) {
    const cells = cellsOf(line, separator);
    if (cells.length === columns.length) rows.push(Object.fromEntries(columns.map((name, i) => [name, cells[i]])));
    else unread++;
  }
  return { format: 'CSV', columns, rows, unread };
}

/** The rows of a log; undefined where the text is neither NDJSON nor CSV with a heading. */
export function logRows(text: string): LogRows | undefined {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const read = lines[0].trimStart().startsWith('{') ? ndjson(lines) : csv(lines);
  return read !== undefined && read.rows.length > read.unread ? read : undefined;
}
