/** CSV and TSV with a header line (RFC 4180), after optional comments; quoted cells may contain line breaks. */
import type { FetchCollector } from '../fetch-collector.ts';
import { excerpt, type LogOptions, LogRefusal } from '../log-record.ts';
import { maxColumns, RowColumns } from './columns.ts';
import { firstLine, Lines, type LogFormat, type LogReader } from './format.ts';

/** Maximum row length; a longer row has an unclosed quote. */
const longestRow = 2 ** 24;

interface RowOptions {
  /** If left out: from a leading line `sep=;`, else the one that splits the first line into most cells. */
  readonly delimiter?: string;
  readonly done?: () => void;
}

/**
 * Reads rows of a text in pieces, each with the number of its first line. Several lines form one row if its quotes close
 * before a delimiter and it has as many cells as the first row. Otherwise its first line is a fault and the other lines
 * are read again on their own.
 */
export class DelimitedRows implements LogReader {
  readonly #lines: Lines;
  readonly #take: (cells: readonly string[], number: number) => void;
  readonly #fault: (number: number, why: string) => void;
  #delimiter: string | undefined;
  /** Number of cells in the first row; 0 before it is read. */
  #width = 0;
  /** Lines of a row with an open quote, and their total length. */
  #open: string[] = [];
  #length = 0;
  /** Line number of the first of them. */
  #begun = 0;

  constructor(
    take: (cells: readonly string[], number: number) => void,
    fault: (number: number, why: string) => void,
    { delimiter, done = () => {} }: RowOptions = {},
  ) {
    this.#take = take;
    this.#fault = fault;
    this.#delimiter = delimiter;
    this.#lines = new Lines(
      (line, number) => this.#line(line, number),
      () => {
        while (this.#open.length > 0) this.#reopen();
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

  #line(line: string, number: number, mayOpen = true): void {
    if (this.#open.length > 0) {
      this.#goOn(line);
      return;
    }
    // skip comments before the first row
    if (line.trim() === '' || (this.#width === 0 && line.startsWith('#'))) return;
    if (this.#delimiter === undefined) {
      this.#delimiter = /^sep=(.)\r?$/.exec(line)?.[1];
      if (this.#delimiter !== undefined) return;
      this.#delimiter = delimiterOf(line) ?? ',';
    }
    const row = withoutReturn(line);
    const cells = row.includes('"') ? cellsOf(row, this.#delimiter) : row.split(this.#delimiter);
    if (cells !== null) {
      if (this.#width === 0) this.#width = cells.length;
      this.#take(cells, number);
    } else if (mayOpen) [this.#open, this.#length, this.#begun] = [[line], line.length, number];
    else this.#fault(number, `a quoted cell is not closed: ${excerpt(line)}`);
  }

  /** Adds a line to a row with an open quote, which a line with an odd number of quotes may close. */
  #goOn(line: string): void {
    this.#open.push(line);
    this.#length += line.length + 1;
    if (line.split('"').length % 2 === 1) {
      if (this.#length > longestRow) this.#reopen();
      return;
    }
    const cells = cellsOf(withoutReturn(this.#open.join('\n')), this.#delimiter ?? ',', true);
    if (cells === null || (this.#width > 0 && cells.length !== this.#width)) {
      this.#reopen();
      return;
    }
    this.#open = [];
    this.#width = cells.length;
    this.#take(cells, this.#begun);
  }

  /** Gives up on the open row: its first line is a fault, and the others are read again. */
  #reopen(): void {
    const [first, ...others] = this.#open;
    const begun = this.#begun;
    this.#open = [];
    this.#fault(begun, `a quoted cell is not closed: ${excerpt(first)}`);
    // the inner lines have balanced quotes, so only the last can open another row
    for (const [k, line] of others.entries()) this.#line(line, begun + 1 + k, k === others.length - 1);
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** The cells of a row; null if a quote is not closed or, when strict, closes inside a cell. */
function cellsOf(row: string, delimiter: string, isStrict = false): string[] | null {
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
      if (isStrict && end > at) return null;
      cells.push(cell + row.slice(at, end));
      at = end;
    }
    if (at >= row.length) return cells;
  }
}

const delimiters = [',', '\t', ';', '|'];
const delimiterOf = (line: string): string | undefined =>
  delimiters
    .filter((each) => line.includes(each))
    .reduce<string | undefined>(
      (best, each) => (best === undefined || line.split(each).length > line.split(best).length ? each : best),
      undefined,
    );

/** Reads rows with the names in the first. @throws LogRefusal if it has too many */
export function namedRows(
  take: (row: Readonly<Record<string, string>>, number: number) => void,
  fault: (number: number, why: string) => void,
  done: (names: readonly string[]) => void,
): LogReader {
  let names: readonly string[] = [];
  const takeCells = (cells: readonly string[], number: number): void => {
    if (names.length === 0) {
      names = cells.map((name) => name.trim());
      if (names.length > maxColumns)
        throw new LogRefusal(`a log has at most ${maxColumns} columns; got ${names.length}`);
      return;
    }
    if (cells.length < names.length || cells.slice(names.length).some((cell) => cell.trim() !== '')) {
      fault(number, `${cells.length} cells under ${names.length} names: ${excerpt(cells.join(' | '))}`);
      return;
    }
    const row: Record<string, string> = {};
    for (let k = 0; k < names.length; k++) row[names[k]] = cells[k];
    take(row, number);
  };
  return new DelimitedRows(takeCells, fault, { done: () => done(names) });
}

function open(options: LogOptions, fetches: FetchCollector): LogReader {
  const columns = new RowColumns(options, fetches);
  return namedRows(
    (row, number) => columns.take(row, number),
    (number, why) => fetches.fault(number, why),
    (names) => columns.end(names),
  );
}

export const delimited: LogFormat = {
  name: 'csv',
  title: 'CSV',
  hasColumns: true,
  recognises: (beginning) => {
    const line = firstLine(beginning);
    return !/^[[{]/.test(line) && delimiterOf(line) !== undefined && /^["\p{L}\p{N}_ .\-,;|\t@#%$*()/]+$/u.test(line);
  },
  open,
};
