/** CSV and TSV with a header line (RFC 4180): cells may be quoted, and quoted cells may have line breaks in them. */
import { LogRefusal, RecordCollector } from '../log-record.ts';
import { columnNote, columnsOf, recordOf } from './columns.ts';
import { firstLine, type LogFormat } from './format.ts';

/** The rows of a text; each with the number of the line it begins on. */
export function* delimitedRows(text: string, delimiter: string): Generator<readonly [number, readonly string[]]> {
  let row: string[] = [];
  let line = 1;
  let begun = 1;
  let at = text.startsWith('\ufeff') ? 1 : 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      const [value, end] = quotedCell(text, at + 1);
      for (const character of value) if (character === '\n') line++;
      [cell, at] = [value, end];
    } else {
      let end = at;
      while (end < text.length && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end++;
      [cell, at] = [text.slice(at, end), end];
    }
    row.push(cell);
    if (text[at] === delimiter) {
      at++;
      if (at >= text.length) row.push('');
      continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    if (row.length > 1 || row[0] !== '') yield [begun, row];
    row = [];
    line++;
    begun = line;
  }
  if (row.length > 0) yield [begun, row];
}

function quotedCell(text: string, from: number): readonly [string, number] {
  const pieces: string[] = [];
  let at = from;
  while (true) {
    const end = text.indexOf('"', at);
    if (end < 0) throw new LogRefusal('a quoted cell is not closed');
    pieces.push(text.slice(at, end));
    if (text[end + 1] !== '"') return [pieces.join('"'), end + 1];
    at = end + 2;
  }
}

const delimiters = [',', '\t', ';'];
const delimiterOf = (line: string): string | undefined =>
  delimiters.map((each) => [each, line.split(each).length] as const).sort((a, b) => b[1] - a[1])[0][1] > 1
    ? delimiters.reduce((best, each) => (line.split(each).length > line.split(best).length ? each : best))
    : undefined;

export const delimited: LogFormat = {
  name: 'csv',
  title: 'CSV',
  hasColumns: true,
  recognises: (beginning) => {
    const line = firstLine(beginning);
    return (
      !/^[[{]/.test(line) && delimiterOf(line) !== undefined && /^[\ufeff"\p{L}\p{N}_ .\-,;\t@#%$*()]+$/u.test(line)
    );
  },
  read(text, options) {
    const collected = new RecordCollector();
    const rows = delimitedRows(text, delimiterOf(firstLine(text)) ?? ',');
    const head = rows.next();
    if (head.done === true) return collected;
    const names = head.value[1].map((name) => name.trim());
    const first = rows.next();
    const rowOf = (cells: readonly string[]) => Object.fromEntries(names.map((name, at) => [name, cells[at]]));
    const columns = columnsOf(names, options, first.done === true ? {} : rowOf(first.value[1]));
    collected.notes.push(...columnNote(columns));
    for (let row = first; row.done !== true; row = rows.next()) {
      const [number, cells] = row.value;
      if (cells.length !== names.length) {
        collected.fault(number, `${cells.length} cells under ${names.length} names`);
        continue;
      }
      const record = recordOf(rowOf(cells), columns);
      if (typeof record === 'string') collected.fault(number, record);
      else collected.records.push(record);
    }
    return collected;
  },
};
