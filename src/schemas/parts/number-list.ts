/**
 * Lists and square matrices of numbers, checked by plain loops: a zod array of a hundred thousand bad cells gives a hundred
 * thousand issues, and nested ones worse. A bad list gives one issue for its first bad cell and says how many more there are.
 */
import * as z from 'zod';
import { quoted } from '../contract/problem.ts';
import { type NumberRange, rangeInWords, rangeJsonSchema } from '../table/column.ts';

export interface ListSize {
  readonly minItems: number;
  readonly maxItems: number;
}

type Context = z.core.$RefinementCtx<unknown>;

function refuse(context: Context, path: PropertyKey[], code: string, message: string, input: unknown, more = 0): void {
  context.issues.push({ code: 'custom', path, message, input, params: { code, more }, continue: false });
}

/** A list of numbers in a range. */
export function numberList(
  description: string,
  size: ListSize,
  range: NumberRange = {},
): z.ZodType<number[], readonly number[]> {
  const json = { type: 'array', items: rangeJsonSchema(range), ...size } as const;
  return z
    .any()
    .meta({ description, ...json })
    .transform((value: unknown, context): number[] => {
      const fault = listFault(value, size);
      if (fault !== null || !Array.isArray(value)) {
        refuse(context, [], ...(fault ?? ['invalid_type', 'must be an array of numbers']), value);
        return z.NEVER;
      }
      return readNumbers(value, range, context) ?? z.NEVER;
    });
}

/** What is wrong with the length or kind of a list, or null. */
function listFault(value: unknown, { minItems, maxItems }: ListSize): [code: string, message: string] | null {
  if (value === undefined) return ['required', 'is required: an array of numbers'];
  if (!Array.isArray(value)) return ['invalid_type', `must be an array of numbers; got ${quoted(value)}`];
  if (value.length < minItems) return ['too_small', `must have at least ${minItems} items; got ${value.length}`];
  if (value.length > maxItems) return ['too_big', `must have at most ${maxItems} items; got ${value.length}`];
  return null;
}

function readNumbers(cells: readonly unknown[], range: NumberRange, context: Context): number[] | null {
  const numbers: number[] = [];
  let first = -1;
  let bad = 0;
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i];
    if (typeof cell === 'number' && within(cell, range)) numbers.push(cell);
    else if (bad++ === 0) first = i;
  }
  if (bad === 0) return numbers;
  const code = typeof cells[first] === 'number' ? 'out_of_range' : 'invalid_type';
  refuse(context, [first], code, `must be ${rangeInWords(range)}; got ${quoted(cells[first])}`, cells[first], bad - 1);
  return null;
}

function within(cell: number, range: NumberRange): boolean {
  const { above = -Infinity, atLeast = -Infinity, below = Infinity, atMost = Infinity, integer = false } = range;
  return cell > above && cell >= atLeast && cell < below && cell <= atMost && (!integer || Number.isSafeInteger(cell));
}

/** Entries of a matrix: sums and products of them stay finite. */
const entry: NumberRange = { atLeast: -1e100, atMost: 1e100 };

/** A square matrix of finite numbers, as rows; at most `maxSize` of them. */
export function squareMatrix(
  description: string,
  maxSize: number,
): z.ZodType<number[][], readonly (readonly number[])[]> {
  const size = { minItems: 1, maxItems: maxSize };
  return z
    .any()
    .meta({ description, type: 'array', items: { type: 'array', items: rangeJsonSchema(entry), ...size }, ...size })
    .transform((value: unknown, context): number[][] => {
      const fault = listFault(value, size);
      if (fault !== null || !Array.isArray(value)) {
        refuse(context, [], ...(fault ?? ['invalid_type', 'must be an array of rows']), value);
        return z.NEVER;
      }
      const rows: number[][] = [];
      for (let i = 0; i < value.length; i++) {
        const row: unknown = value[i];
        if (!Array.isArray(row) || row.length !== value.length) {
          const got = Array.isArray(row) ? `${row.length}` : quoted(row);
          refuse(
            context,
            [i],
            'not_square',
            `must be a row of ${value.length} numbers, as many as there are rows; got ${got}`,
            row,
          );
          return z.NEVER;
        }
        const j = row.findIndex((cell) => typeof cell !== 'number' || !within(cell, entry));
        if (j >= 0) {
          refuse(context, [i, j], 'invalid_type', `must be ${rangeInWords(entry)}; got ${quoted(row[j])}`, row[j]);
          return z.NEVER;
        }
        rows.push(row);
      }
      return rows;
    });
}
