/** CSV and TSV with a header line (RFC 4180): cells may be quoted, and quoted cells may have line breaks in them. */
import type { FetchCollector } from '../fetch-collector.ts';
import { type LogOptions, LogRefusal, shown } from '../log-record.ts';
import { mostColumns, RowColumns } from './columns.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';

/** Longer rows are none: a quote is not closed. */
const longestRow = 2 ** 24;

/** Reads rows of a text in pieces; each with the number of the line it begins on. */
export class DelimitedRows implements LogReader {
  readonly #lines: Lines;
  readonly #take: (cells: readonly string[], number: number) => void;
  readonly #delimiter: string | undefined;
  #found = '';
  /** Lines of a row whose quotes are still open. */
  #open = '';
  #begun = 0;

  /** @param delimiter left out: what parts the first line into most cells */
  constructor(take: (cells: readonly string[], number: number) => void, done: () => void, delimiter?: string) {
    this.#take = take;
    this.#delimiter = delimiter;
    this.#lines = new Lines(
      (line, number) => this.#line(line, number),
      () => {
        if (this.#open !== '') throw new LogRefusal(`a quoted cell is not closed: ${shown(this.#open)}`);
        done();
      },
      true,
    );
  }

  push(text: string): void {
    this.#lines.push(text);
  }

  end(): void {
    this.#lines.end();
  }

  #line(line: string, number: number): void {
    if (this.#found === '' && line.trim() !== '') this.#found = this.#delimiter ?? delimiterOf(line) ?? ',';
    if (this.#open === '' && line.trim() === '') return;
    const text = this.#open === '' ? line : `${this.#open}\n${line}`;
    if (this.#open === '') this.#begun = number;
    const row = text.endsWith('\r') ? text.slice(0, -1) : text;
    if (!row.includes('"')) {
      this.#take(row.split(this.#found), this.#begun);
      return;
    }
    const cells = cellsOf(row, this.#found);
    this.#open = cells === null ? text : '';
    if (cells !== null) this.#take(cells, this.#begun);
    else if (text.length > longestRow) throw new LogRefusal(`a quoted cell is not closed: ${shown(text)}`);
  }
}

/** The cells of a row; null where its last quote is not closed. */
function cellsOf(row: string, delimiter: string): string[] | null {
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    if (row[at] !== '"') {
      const found = row.indexOf(delimiter, at);
      const end = found < 0 ? row.length : found;
      cells.push(row.slice(at, end));
      at = end;
    } else {
      let [cell, from] = ['', at + 1];
      for (;;) {
        const end = row.indexOf('"', from);
        if (end < 0) return null;
        cell += row.slice(from, end);
        at = end + 1;
        if (row[at] !== '"') break;
        cell += '"';
        from = at + 1;
      }
      const found = row.indexOf(delimiter, at);
      const end = found < 0 ? row.length : found;
      cells.push(cell + row.slice(at, end));
      at = end;
    }
    if (at >= row.length) return cells;
  }
}

const delimiters = [',', '\t', ';'];
const delimiterOf = (line: string): string | undefined =>
  delimiters
    .filter((each) => line.includes(each))
    .reduce<string | undefined>(
      (best, each) => (best === undefined || line.split(each).length > line.split(best).length ? each : best),
      undefined,
    );

function open(options: LogOptions, fetches: FetchCollector): LogReader {
  const columns = new RowColumns(options, fetches);
  let names: readonly string[] | null = null;
  return new DelimitedRows(
    (cells, number) => {
      if (names === null) {
        names = cells.map((name) => name.trim());
        if (names.length > mostColumns)
          throw new LogRefusal(`a log has at most ${mostColumns} columns; got ${names.length}`);
      } else if (cells.length !== names.length) {
        fetches.fault(number, `${cells.length} cells under ${names.length} names`);
      } else {
        const row: Record<string, string> = {};
        for (let k = 0; k < names.length; k++) row[names[k]] = cells[k];
        columns.take(row, number);
      }
    },
    () => columns.end(names ?? []),
  );
}

export const delimited: LogFormat = {
  name: 'csv',
  title: 'CSV',
  hasColumns: true,
  recognises: (beginning) => {
    const line = firstLine(beginning);
    return !/^[[{]/.test(line) && delimiterOf(line) !== undefined && /^["\p{L}\p{N}_ .\-,;\t@#%$*()/]+$/u.test(line);
  },
  open,
};
