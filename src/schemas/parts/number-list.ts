/**
 * Lists and matrices of numbers, checked by plain loops. A bad list gives one message, for its first bad cell, and says
 * how many more there are.
 */
import * as z from 'zod';
import { type Field, fieldOf } from '../contract/field.ts';
import { type Fault, quoted } from '../contract/problem.ts';
import type { NumberRange } from '../contract/range.ts';
import { Refusals } from '../contract/refusals.ts';
import { numberFault, rangeJsonSchema } from '../table/number-range.ts';
import { type ListSize, listFault } from './list.ts';

export type { ListSize } from './list.ts';

/** A list of numbers in a range. @param itemClass of each number, where its property would name two classes */
export function numberList(
  description: string | Field,
  size: ListSize,
  range: NumberRange = {},
  itemClass?: string,
): z.ZodType<number[], readonly number[]> {
  const items = { ...rangeJsonSchema(range), ...(itemClass !== undefined && { 'x-class': itemClass }) };
  const json = { type: 'array', items, ...size } as const;
  return z
    .any()
    .meta({ ...fieldOf(description), ...json })
    .transform((value: unknown, context): number[] => {
      const numbers: number[] = [];
      const fault = listFault(value, size, 'numbers') ?? readNumbers(value, range, numbers);
      if (fault === null) return numbers;
      const bad: unknown = Array.isArray(value) && fault.path ? value[Number(fault.path[0])] : value;
      new Refusals(context.issues).fault([], fault, bad);
      return z.NEVER;
    });
}

/** Reads the cells of a list; the fault of the first bad one, or null. */
function readNumbers(cells: unknown, range: NumberRange, numbers: number[]): Fault | null {
  if (!Array.isArray(cells)) return { code: 'invalid_type', message: 'must be an array of numbers' };
  let first: Fault | null = null;
  let bad = 0;
  for (let i = 0; i < cells.length; i++) {
    const cell: unknown = cells[i];
    if (typeof cell === 'number' && within(cell, range)) numbers.push(cell);
    else if (bad++ === 0) {
      const fault = numberFault(cell, range);
      if (fault !== null) first = { ...fault, path: [i] };
    }
  }
  return first && { ...first, more: bad - 1 };
}

function within(cell: number, range: NumberRange): boolean {
  const { above = -Infinity, atLeast = -Infinity, below = Infinity, atMost = Infinity, integer = false } = range;
  return cell > above && cell >= atLeast && cell < below && cell <= atMost && (!integer || Number.isSafeInteger(cell));
}

/** Most rows and columns of a matrix. */
interface MatrixSize {
  readonly rows: number;
  readonly columns: number;
}

/** A matrix of numbers in a range, as rows of one length, with at least one row and one column. */
export function numberMatrix(
  description: string | Field,
  size: MatrixSize,
  range: NumberRange,
): z.ZodType<number[][], readonly (readonly number[])[]> {
  return matrix(description, size, range, false);
}

/** Entries of a generator: sums and products of them stay finite. */
const entry: NumberRange = { atLeast: -1e100, atMost: 1e100 };

/** A square matrix of finite numbers, as rows; at most `maxSize` of them. */
export function squareMatrix(
  description: string | Field,
  maxSize: number,
): z.ZodType<number[][], readonly (readonly number[])[]> {
  return matrix(description, { rows: maxSize, columns: maxSize }, entry, true);
}

function matrix(description: string | Field, { rows, columns }: MatrixSize, range: NumberRange, square: boolean) {
  const size = { minItems: 1, maxItems: rows };
  const rowSize = { minItems: 1, maxItems: columns };
  const items = { type: 'array', items: rangeJsonSchema(range), ...rowSize } as const;
  return z
    .any()
    .meta({ ...fieldOf(description), 'x-class': square ? 'SquareMatrix' : 'Matrix', type: 'array', items, ...size })
    .transform((value: unknown, context): number[][] => {
      const read: number[][] = [];
      const fault = listFault(value, size, 'rows') ?? readRows(value, rowSize, range, square, read);
      if (fault === null) return read;
      new Refusals(context.issues).fault([], fault, value);
      return z.NEVER;
    });
}

/** Reads the rows of a matrix; the fault of the first bad row or cell, with the count of the others, or null. */
function readRows(rows: unknown, size: ListSize, range: NumberRange, square: boolean, read: number[][]): Fault | null {
  if (!Array.isArray(rows)) return { code: 'invalid_type', message: 'must be an array of rows' };
  const first: unknown = rows[0];
  const length = square || !Array.isArray(first) ? rows.length : first.length;
  let worst: Fault | null = null;
  let more = 0;
  for (let i = 0; i < rows.length; i++) {
    const row: unknown = rows[i];
    const numbers: number[] = [];
    const fault = shapeFault(row, length, size, square) ?? readNumbers(row, range, numbers);
    read.push(numbers);
    if (fault === null) continue;
    more += (fault.more ?? 0) + (worst === null ? 0 : 1);
    worst ??= { ...fault, path: [i, ...(fault.path ?? [])] };
  }
  return worst && { ...worst, more };
}

function shapeFault(row: unknown, length: number, size: ListSize, square: boolean): Fault | null {
  const got = Array.isArray(row) ? `${row.length}` : quoted(row);
  if (square && (!Array.isArray(row) || row.length !== length)) {
    return { code: 'not-square', message: `must be a row of ${length} numbers, as many as there are rows; got ${got}` };
  }
  const fault = listFault(row, size, 'numbers');
  if (fault !== null || !Array.isArray(row) || row.length === length) return fault;
  return { code: 'unequal-shapes', message: `must have ${length} numbers, as row 0; got ${got}` };
}
