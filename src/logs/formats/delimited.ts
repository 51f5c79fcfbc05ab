/**
 * CSV and TSV with a header line (RFC 4180), after optional comments or a title; quoted cells may contain line breaks. The
 * log files of IIS and CloudFront (W3C Extended Log File Format), whose names stand after `#Fields:`.
 */
import { excerpt, LogRefusal } from '../log-record.ts';
import { maxColumns } from './columns.ts';
import { type FaultCounter, LineReader, type LogReader } from './format.ts';
import type { RowHandlers } from './json-rows.ts';

/** Maximum row length; a longer row has an unclosed quote. */
const longestRow = 2 ** 24;

/**
 * Reads rows of a text in pieces by the names in the first, each with the number of its first line. Several lines form
 * one row if its quotes close before a delimiter and it has as many cells as there are names. Otherwise its first line is
 * a fault and the other lines are read again on their own. The names may come again, as in appended exports.
 *
 * @throws LogRefusal from `push` if there are too many names
 */
export class DelimitedRowReader implements LogReader {
  readonly #lines: LineReader;
  readonly #onRow: RowHandlers['onRow'];
  readonly #faults: FaultCounter;
  #delimiter: string | undefined;
  #names: readonly string[] = [];
  /** Whether the names stand in a comment. */
  #isExtended = false;
  /** Lines of a row with an open quote, and their total length. */
  #openLines: string[] = [];
  #openLength = 0;
  /** Number of the first open line. */
  #firstLineNumber = 0;

  constructor(faults: FaultCounter, { onRow, onEnd }: RowHandlers) {
    this.#faults = faults;
    this.#onRow = onRow;
    this.#lines = new LineReader(
      (line, number) => this.#line(line, number),
      () => {
        while (this.#openLines.length > 0) this.#closeRow();
        onEnd?.(this.#names);
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
    if (this.#openLines.length > 0) {
      this.#openLines.push(line);
      this.#openLength += line.length + 1;
      // an odd number of quotes may close the row
      if (line.split('"').length % 2 === 0 || this.#openLength > longestRow) this.#closeRow();
      return;
    }
    if (line.trim() === '' || this.#isComment(line)) return;
    if (this.#delimiter === undefined) {
      // `sep=;`, a line that names the delimiter to spreadsheets
      const mark = /^sep=(.)\r?$/.exec(line)?.[1];
      const extendedDelimiter = line.includes('\t') ? '\t' : ' ';
      this.#delimiter = mark ?? (this.#isExtended ? extendedDelimiter : delimiterOf(line));
      if (this.#delimiter === undefined) this.#faults.passOver('before the names of columns', line);
      if (mark !== undefined || this.#delimiter === undefined) return;
    }
    const row = trimReturn(line);
    const cells = row.includes('"') ? cellsOf(row, this.#delimiter) : row.split(this.#delimiter);
    if (cells !== null) this.#row(cells, number);
    else if (mayOpen) [this.#openLines, this.#openLength, this.#firstLineNumber] = [[line], line.length, number];
    else this.#faults.fault(number, `a quoted cell is not closed: ${excerpt(line)}`);
  }

  /** Comments stand before the names; in the extended format they have the names, and may come again. */
  #isComment(line: string): boolean {
    if (!line.startsWith('#') || (this.#names.length > 0 && !this.#isExtended)) return false;
    const names = extendedNames.exec(line)?.[1];
    if (names !== undefined) [this.#names, this.#isExtended, this.#delimiter] = [names.split(/\s+/), true, undefined];
    return true;
  }

  #row(cells: readonly string[], number: number): void {
    const names = this.#names;
    if (names.length === 0) {
      if (cells.length > maxColumns) {
        throw new LogRefusal(`a log has at most ${maxColumns} columns; got ${cells.length}`);
      }
      this.#names = cells.map((name) => name.trim());
      return;
    }
    if (cells.length < names.length || cells.slice(names.length).some((cell) => cell.trim() !== '')) {
      const text = excerpt(cells.join(' | '));
      this.#faults.fault(number, `${cells.length} cells under ${names.length} names: ${text}`);
      return;
    }
    if (cells[0].trim() === names[0] && names.every((name, k) => cells[k].trim() === name)) return;
    const row: Record<string, string> = {};
    for (let k = 0; k < names.length; k++) row[names[k]] = cells[k];
    this.#onRow(row, number);
  }

  /** Reads the open lines as one row; otherwise the first is a fault, and the others are read again. */
  #closeRow(): void {
    const [lines, number, names] = [this.#openLines, this.#firstLineNumber, this.#names];
    this.#openLines = [];
    const cells = cellsOf(trimReturn(lines.join('\n')), this.#delimiter ?? ',', true);
    if (cells !== null && (names.length === 0 || cells.length === names.length)) {
      this.#row(cells, number);
      return;
    }
    this.#faults.fault(number, `a quoted cell is not closed: ${excerpt(lines[0])}`);
    // the inner lines have balanced quotes, so only the last can open another row
    for (let k = 1; k < lines.length; k++) this.#line(lines[k], number + k, k === lines.length - 1);
  }
}

const extendedNames = /^#fields:?\s+(.*\S)/i;

const trimReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/** The cells of a row; null if a quote is not closed or, when strict, closes inside a cell. */
function cellsOf(row: string, delimiter: string, isStrict = false): string[] | null {
  const cells: string[] = [];
  for (let at = 0; ; at++) {
    let cell = '';
    // blanks may stand before a quoted cell
    const quoteLength = /^ *"/.exec(row.slice(at, at + maxBlanks))?.[0].length ?? 0;
    if (quoteLength > 0) {
      for (let from = at + quoteLength; ; from = at + 1) {
        const end = row.indexOf('"', from);
        if (end < 0) return null;
        cell += row.slice(from, end);
        at = end + 1;
        if (row[at] !== '"') break;
        cell += '"';
      }
    }
    const delimiterAt = row.indexOf(delimiter, at);
    const end = delimiterAt < 0 ? row.length : delimiterAt;
    if (isStrict && quoteLength > 0 && end > at) return null;
    cells.push(cell + row.slice(at, end));
    at = end;
    if (at >= row.length) return cells;
  }
}

/** Maximum number of blanks before a quoted cell. */
const maxBlanks = 8;

/** The delimiter that parts a line most often. */
export function delimiterOf(line: string): string | undefined {
  const partsBy = (delimiter: string): number => line.split(delimiter).length;
  const [likeliest] = [',', '\t', ';', '|'].sort((a, b) => partsBy(b) - partsBy(a));
  return line.includes(likeliest) ? likeliest : undefined;
}
