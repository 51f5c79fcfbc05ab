/** What reading rows and reading columns have in common: faults, stores, ids, names. */
import type * as z from 'zod';
import { type CellFault, type ColumnStore, textColumn } from './column.ts';
import type { Columns, Table, TableOptions } from './table-types.ts';

const shownFaults = 20;

/** The one property every list may carry. */
export const idColumn = textColumn('Name of the row, echoed in the answer', {
  optional: true,
  maxLength: 2048,
  broadcasts: false,
});

interface CustomIssue {
  readonly code: 'custom';
  readonly message: string;
  readonly path: PropertyKey[];
  readonly input: unknown;
  readonly params: Record<string, unknown>;
}

/** Collects at most twenty issues, counts all, and hands them to zod. */
export class Faults {
  readonly issues: CustomIssue[] = [];
  count = 0;

  fault(path: readonly PropertyKey[], { path: inner = [], code, message }: CellFault, input: unknown): void {
    this.count++;
    if (this.issues.length >= shownFaults) return;
    this.issues.push({ code: 'custom', message, path: [...path, ...inner], input, params: { code } });
  }

  handOver(issues: z.core.$ZodRawIssue[]): void {
    for (const issue of this.issues) issues.push({ ...issue });
    const more = this.count - this.issues.length;
    const last = this.issues.at(-1);
    if (more > 0 && last) last.params.more = more;
  }
}

/** Where the cells of every property go. */
export type Stores = Readonly<Record<string, ColumnStore<unknown>>>;

/** A store for each property. */
export function createStores(columns: Columns, length: number): Stores {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.store(length)]));
}

/** The checked values by property: each store holds what its column's type says, which the record type cannot. */
export function finish<C extends Columns>(
  stores: Stores,
  form: 'rows' | 'columns',
  length: number,
  ids: Table<C>['ids'],
): Table<C> {
  const values = Object.fromEntries(Object.entries(stores).map(([name, store]) => [name, store.values]));
  return { form, length, ids, columns: values as Table<C>['columns'] };
}

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with the length of a list, or null. */
export function lengthFault(length: number, { minRows = 1, maxRows }: TableOptions): CellFault | null {
  if (length < minRows) return { code: 'too_small', message: `must have at least ${minRows} rows; got ${length}` };
  if (length > maxRows) return { code: 'too_big', message: `must have at most ${maxRows} rows; got ${length}` };
  return null;
}

/** The names a row or the columns may have, for messages. */
export const allowedNames = (columns: Columns): string =>
  ['id', ...Object.keys(columns).filter((name) => name !== 'id')].join(', ');
/** The fault of a property that no list of this kind has. */
export const unknownProperty = (name: string, allowed: string): CellFault => ({
  code: 'unrecognized_key',
  message: `unknown property ${JSON.stringify(name.slice(0, 80))}; allowed here: ${allowed}`,
});
