/**
 * An answer → an Arrow stream: the solution's list as columns, everything else as JSON in the schema's metadata, under
 * `answer`.
 */
import {
  bool,
  type Column,
  columnFromArray,
  float64,
  list,
  tableFromColumns,
  tableToIPC,
  utf8,
} from '@uwdata/flechette';
import type { Operation } from '../../operations/operation.ts';
import { isRecord } from '../../schemas/contract/strict-object.ts';
import { checkFinite, isNumericArray, toJson } from '../to-json.ts';

type Members = Readonly<Record<string, unknown>>;

/** @throws NotFinite for infinities */
export function writeArrow(operation: Operation, envelope: object): Uint8Array {
  const name = operation.lists.answer;
  const solution: unknown = 'solution' in envelope ? envelope.solution : undefined;
  let columns: Members = {};
  let rest: object = envelope;
  if (name !== null && isRecord(solution)) {
    const { [name]: answerList, ...otherMembers } = solution;
    columns = Array.isArray(answerList) ? columnsOfRows(answerList) : isRecord(answerList) ? answerList : {};
    rest = { ...envelope, solution: otherMembers };
  }
  const fields = Object.entries(columns)
    .filter(([, cells]) => cells !== undefined)
    .map(([column, cells]): [string, Column<unknown>] => [column, columnOf(cells, ['solution', name ?? '', column])]);
  const table = tableFromColumns(fields);
  table.schema.metadata = new Map([['answer', toJson(rest)]]);
  const stream = tableToIPC(table, { format: 'stream' });
  if (stream === null) throw new Error('the answer was not written');
  return stream;
}

function columnsOfRows(rows: readonly unknown[]): Members {
  const columns: Record<string, unknown[]> = {};
  for (const [i, row] of rows.entries()) {
    if (!isRecord(row)) continue;
    for (const name of Object.keys(row)) {
      columns[name] ??= new Array(rows.length).fill(null);
      columns[name][i] = row[name];
    }
  }
  return columns;
}

function columnOf(cells: unknown, place: string[]): Column<unknown> {
  const isTyped = isNumericArray(cells);
  if (!isTyped && !Array.isArray(cells)) throw new Error(`the answer has no cells at /${place.join('/')}`);
  checkFinite(cells, place);
  if (isTyped) return columnFromArray(cells);
  const first: unknown = cells.find((cell) => cell !== null && cell !== undefined);
  if (typeof first === 'string') return columnFromArray(cells, utf8());
  if (typeof first === 'boolean') return columnFromArray(cells, bool());
  if (first === undefined || typeof first === 'number') return columnFromArray(cells, float64());
  if (cells.every((cell) => cell === null || isNumbers(cell))) return columnFromArray(cells, list(float64()));
  const texts = cells.map((cell) => (cell === null || cell === undefined ? null : toJson(cell)));
  return columnFromArray(texts, utf8());
}

const isNumbers = (cell: unknown): boolean =>
  cell instanceof Float64Array
    ? cell.every(Number.isFinite)
    : Array.isArray(cell) && cell.every((item) => item === null || (typeof item === 'number' && Number.isFinite(item)));
