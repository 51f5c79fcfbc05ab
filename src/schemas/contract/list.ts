/**
 * Lists, as `z.array`, with two differences. At most twenty faults of a list become issues and the others are counted,
 * so that a million bad items cost a plain loop and a short answer. And numbers may come as a typed array.
 */
import * as z from 'zod';
import { countFaults } from './problem.ts';
import { real } from './range.ts';
import { conditions } from './refusals.ts';
import { maxShownErrors } from './strict-object.ts';

export interface ListSize {
  readonly minItems: number;
  readonly maxItems: number;
}

interface ListDefinition extends z.core.$ZodArrayDef {
  readonly size: ListSize;
  /** Whether a value is a list that this process has made and checked itself. */
  readonly isReady?: ((value: unknown) => boolean) | undefined;
}

const PlainList: z.core.$constructor<z.ZodArray> = z.ZodArray;

const List = z.core.$constructor<z.ZodArray, ListDefinition>('List', (list, definition) => {
  PlainList.init(list, definition);
  const parse = list._zod.parse;
  const item = definition.element._zod;
  const passesQuickCheck = quickCheckOf(definition.element);
  list._zod.parse = (payload, context) => {
    const { value } = payload;
    if (definition.isReady?.(value)) return payload;
    // zod's own parser refuses a value that is no list, or is too long
    if (!isListLike(value) || value.length > definition.size.maxItems) {
      return parse(payload, context);
    }
    if (Array.isArray(value) && value.every(passesQuickCheck)) return payload;
    const read = new Array<unknown>(value.length);
    let [describedCount, countedFaults] = [0, 0];
    for (let i = 0; i < value.length; i++) {
      if (passesQuickCheck(value[i])) {
        read[i] = value[i];
        continue;
      }
      const result = item.run({ value: value[i], issues: [] }, context);
      if (result instanceof Promise) throw new z.core.$ZodAsyncError();
      read[i] = result.value;
      if (result.issues.length === 0) continue;
      if (describedCount < maxShownErrors) {
        describedCount += result.issues.length;
        payload.issues.push(...z.core.util.prefixIssues(i, result.issues));
      } else countedFaults += countFaults(result.issues);
    }
    if (countedFaults > 0) {
      const params = { code: 'invalid_type', more: countedFaults - 1 };
      payload.issues.push({ code: 'custom', path: [], message: 'more items are refused', input: value, params });
    }
    payload.value = read;
    return payload;
  };
});

/** Whether a value is an array; typed arrays count, as Arrow bodies and callers of the library bring them. */
const isListLike = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || value instanceof Float64Array || value instanceof Float32Array || value instanceof Int32Array;

/**
 * A quick check of values: true if a value surely fits a schema of bounded numbers, flags, or tuples of these; false if
 * zod must decide, as for every other schema.
 */
function quickCheckOf(schema: z.core.$ZodType): (value: unknown) => boolean {
  if (schema instanceof z.ZodNullable) return quickCheckOf(schema.unwrap());
  if (schema instanceof z.ZodLiteral) {
    const values = new Set<unknown>(schema.values);
    return (value) => values.has(value);
  }
  if (schema instanceof z.ZodTuple) {
    const items: readonly ((value: unknown) => boolean)[] = schema.def.items.map(quickCheckOf);
    const { length } = items;
    return (value) => Array.isArray(value) && value.length === length && items.every((fits, k) => fits(value[k]));
  }
  if (!(schema instanceof z.ZodNumber)) return () => false;
  const { isInt } = schema;
  const low = schema.minValue ?? Number.NEGATIVE_INFINITY;
  const high = schema.maxValue ?? Number.POSITIVE_INFINITY;
  return (value) => typeof value === 'number' && value > low && value < high && (!isInt || Number.isSafeInteger(value));
}

/** A list of items with the schema `item`. */
export function list<Item extends z.ZodType>(
  item: Item,
  size: ListSize,
  isReady?: (value: unknown) => boolean,
): z.ZodType<z.output<Item>[], readonly z.input<Item>[]>;
export function list(item: z.ZodType, size: ListSize, isReady?: (value: unknown) => boolean): z.ZodArray {
  const listWithoutMaximum = new List({ type: 'array', element: item, size, isReady });
  return (size.minItems > 0 ? listWithoutMaximum.min(size.minItems) : listWithoutMaximum).max(size.maxItems);
}

/** A matrix of numbers, as rows of one length, with at least one row and one column. */
export const matrix = (id: string, entry: z.ZodType<number, number>, rows: number, columns: number) =>
  list(list(entry, { minItems: 1, maxItems: columns }), { minItems: 1, maxItems: rows })
    .check(
      conditions((read, refuse) => {
        const [{ length }] = read;
        for (const [i, row] of read.entries()) {
          if (row.length === length) continue;
          refuse([i], 'unequal-shapes', `must have ${length} numbers, as row 0; got ${row.length}`, row);
        }
      }),
    )
    .meta({ id });

/** A square matrix of numbers so small that sums and products of them stay finite; at most `maxRows` rows. */
export const squareMatrix = (id: string, maxRows: number) =>
  list(list(real({ atLeast: -1e100, atMost: 1e100 }), { minItems: 1, maxItems: maxRows }), {
    minItems: 1,
    maxItems: maxRows,
  })
    .check(
      conditions((rows, refuse) => {
        for (const [i, row] of rows.entries()) {
          if (row.length === rows.length) continue;
          const message = `must be a row of ${rows.length} numbers, as many as there are rows; got ${row.length}`;
          refuse([i], 'not-square', message, row);
        }
      }),
    )
    .meta({ id });
