/**
 * Columns: how one property of a list of pages or tasks is checked, cell by cell, and stored for the solvers.
 * Hand-written rather than a zod array of objects. So a million rows cost a plain loop, and a bad list gives at most
 * twenty messages. A zod array of a million bad cells gives a million.
 */
import type * as z from 'zod';
import { type Field, fieldOf } from '../contract/field.ts';
import { countFaults, describeIssue, type Fault, maxShownErrors, meantWord, quoted } from '../contract/problem.ts';
import type { NumberRange } from '../contract/range.ts';
import { type JsonSchema, jsonSchemaOf, lazily } from './json-schema.ts';
import { numberFault, rangeJsonSchema } from './number-range.ts';

/** Where a column's checked cells go. */
export interface ColumnStore<Values> {
  readonly values: Values;
  /** True where no cell has come, and the values are not made yet. */
  readonly isEmpty?: boolean;
  /** Checks and stores a cell that is present. */
  set(position: number, cell: unknown): Fault | null;
}

/** One property of every row, or one array of the columns. */
export interface Column<Values, Cell = unknown> {
  readonly required: boolean;
  /** Whether one value may stand for all rows in column form. */
  readonly broadcasts: boolean;
  readonly cell: JsonSchema;
  readonly description: string;
  /** The description with the quantity, the unit and the like; left out: the description is all. */
  readonly field?: Field;
  /** Never present: carries the type of a cell on the wire, with `undefined` where the cell may be left out. */
  readonly wire?: Cell;
  store(length: number): ColumnStore<Values>;
}

/** The members of a column that say what it is. */
export const describedBy = (description: string | Field): Pick<Column<unknown>, 'description' | 'field'> => {
  const field = fieldOf(description);
  return { description: field.description, field };
};

/** A cell that may be left out. */
interface Optional {
  readonly optional: true;
}

interface NumberColumnOptions extends NumberRange {
  readonly optional?: boolean;
  readonly absent?: number;
}

interface TextColumnOptions {
  readonly optional?: boolean;
  readonly maxLength?: number;
  readonly broadcasts?: boolean;
}

interface ChoiceColumnOptions<Word extends string> {
  readonly optional?: boolean;
  readonly absent?: Word;
}

interface SchemaColumnOptions {
  readonly optional?: boolean;
  readonly broadcasts?: boolean;
}

/**
 * A column of numbers, stored in a Float64Array. An absent cell is `absent` (default NaN, for the solver's edge to
 * replace); give `absent` where the model has a default.
 */
export function numberColumn(
  field: string | Field,
  options: NumberColumnOptions & Optional,
): Column<Float64Array, number | undefined>;
export function numberColumn(field: string | Field, options?: NumberColumnOptions): Column<Float64Array, number>;
export function numberColumn(field: string | Field, options: NumberColumnOptions = {}): Column<Float64Array> {
  const { above = -Infinity, atLeast = -Infinity, below = Infinity, atMost = Infinity, integer = false } = options;
  return {
    required: !options.optional,
    broadcasts: true,
    cell: {
      ...rangeJsonSchema(options),
      ...(options.absent !== undefined && Number.isFinite(options.absent) && { default: options.absent }),
    },
    ...describedBy(field),
    store(length) {
      let values: Float64Array | null = null;
      const filled = (): Float64Array => {
        values ??= new Float64Array(length).fill(options.absent ?? Number.NaN);
        return values;
      };
      return {
        get values() {
          return filled();
        },
        get isEmpty() {
          return values === null;
        },
        set(position, cell) {
          const inside = typeof cell === 'number' && cell > above && cell >= atLeast && cell < below && cell <= atMost;
          if (!inside || (integer && !Number.isSafeInteger(cell))) return numberFault(cell, options);
          filled()[position] = cell;
          return null;
        },
      };
    },
  };
}

/** A column of strings; absent cells are undefined. */
export function textColumn(
  field: string | Field,
  options: TextColumnOptions & Optional,
): Column<(string | undefined)[], string | undefined>;
export function textColumn(field: string | Field, options?: TextColumnOptions): Column<(string | undefined)[], string>;
export function textColumn(field: string | Field, options: TextColumnOptions = {}): Column<(string | undefined)[]> {
  const { optional = false, maxLength = 2048, broadcasts = true } = options;
  return {
    required: !optional,
    broadcasts,
    cell: { type: 'string', maxLength },
    ...describedBy(field),
    store(length) {
      const values = lazily(() => new Array<string | undefined>(length).fill(undefined));
      return {
        get values() {
          return values();
        },
        set(position, cell) {
          if (typeof cell !== 'string')
            return { code: 'invalid_type', message: `must be a string; got ${quoted(cell)}` };
          if (cell.length > maxLength) {
            return { code: 'too_big', message: `must have at most ${maxLength} characters; got ${cell.length}` };
          }
          values()[position] = cell;
          return null;
        },
      };
    },
  };
}

/** A column of one of several words, stored as positions in `words`; an absent cell is `absent` (default 0). */
export function choiceColumn<Word extends string>(
  field: string | Field,
  words: readonly Word[],
  options: ChoiceColumnOptions<Word> & Optional,
): Column<Uint8Array, Word | undefined>;
export function choiceColumn<Word extends string>(
  field: string | Field,
  words: readonly Word[],
  options?: ChoiceColumnOptions<Word>,
): Column<Uint8Array, Word>;
export function choiceColumn<Word extends string>(
  field: string | Field,
  words: readonly Word[],
  options: ChoiceColumnOptions<Word> = {},
): Column<Uint8Array> {
  const code = new Map<unknown, number>(words.map((word, position) => [word, position]));
  return {
    required: !options.optional,
    broadcasts: true,
    cell: { type: 'string', enum: words, ...(options.absent !== undefined && { default: options.absent }) },
    ...describedBy(field),
    store(length) {
      const values = new Uint8Array(length).fill(code.get(options.absent) ?? 0);
      return {
        values,
        set(position, cell) {
          const value = code.get(cell);
          if (value === undefined) {
            const accepted = words.map((word) => JSON.stringify(word)).join(', ');
            const hint = meantWord(cell, words);
            return { code: 'invalid_value', message: `must be one of ${accepted}; got ${quoted(cell)}${hint}` };
          }
          values[position] = value;
          return null;
        },
      };
    },
  };
}

/** True and false, or 1 and 0. */
export const flagForms: readonly JsonSchema[] = [
  { type: 'boolean' },
  { type: 'integer', enum: [0, 1], 'x-class': 'ZeroOrOne' },
];

/** A column of true and false, or 1 and 0; stored as 1 and 0. */
export function flagColumn(field: string | Field): Column<Uint8Array, boolean | 0 | 1> {
  return {
    required: true,
    broadcasts: false,
    cell: { anyOf: [...flagForms] },
    ...describedBy(field),
    store(length) {
      const values = new Uint8Array(length);
      return {
        values,
        set(position, cell) {
          if (cell !== true && cell !== false && cell !== 1 && cell !== 0)
            return { code: 'invalid_type', message: `must be true or false, or 1 or 0; got ${quoted(cell)}` };
          values[position] = cell ? 1 : 0;
          return null;
        },
      };
    },
  };
}

/**
 * A column whose cells are checked by a zod schema (nested objects, lists): the schema must bound its own arrays.
 * Absent cells are undefined.
 */
export function schemaColumn<Schema extends z.ZodType>(
  field: string | Field,
  schema: Schema,
  options: SchemaColumnOptions & Optional,
): Column<(z.output<Schema> | undefined)[], z.input<Schema> | undefined>;
export function schemaColumn<Schema extends z.ZodType>(
  field: string | Field,
  schema: Schema,
  options?: SchemaColumnOptions,
): Column<(z.output<Schema> | undefined)[], z.input<Schema>>;
export function schemaColumn<Schema extends z.ZodType>(
  field: string | Field,
  schema: Schema,
  options: SchemaColumnOptions = {},
): Column<(z.output<Schema> | undefined)[]> {
  const cell = lazily(() => jsonSchemaOf(schema));
  return {
    required: !options.optional,
    broadcasts: options.broadcasts ?? false,
    get cell() {
      return cell();
    },
    ...describedBy(field),
    store(length) {
      const values = lazily(() => new Array<z.output<Schema> | undefined>(length).fill(undefined));
      let described = 0;
      return {
        get values() {
          return values();
        },
        set(position, raw) {
          if (described >= maxShownErrors) {
            const count = countFaults(schema, raw);
            // the list is refused already: no more is read of it
            return count === 0 ? null : { code: 'invalid_type', message: 'is refused', more: count - 1 };
          }
          const result = schema.safeParse(raw, { reportInput: true });
          if (!result.success) {
            described++;
            const [first, ...rest] = result.error.issues.flatMap(describeIssue);
            const more = rest.reduce((sum, fault) => sum + 1 + (fault.more ?? 0), first.more ?? 0);
            return { ...first, more };
          }
          values()[position] = result.data;
          return null;
        },
      };
    },
  };
}
