/** What reading rows and reading columns have in common: stores, ids, names. */

import { type Field, id } from '../contract/field.ts';
import type { Fault } from '../contract/problem.ts';
import { lengthFault } from '../contract/refusals.ts';
import { maxShownErrors, unknownProperty } from '../contract/unknown-property.ts';
import { type Column, type ColumnStore, textColumn } from './column.ts';
import type { Columns, Table, TableOptions } from './table-types.ts';

/** The one property every list may carry. */
export const idColumn = textColumn(id('Name of the row'), { optional: true, maxLength: 2048, broadcasts: false });

/** What a column says of itself in a JSON Schema. */
export const fieldOfColumn = ({ description, field }: Column<unknown>): Field => field ?? { description };

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
  const values = {};
  for (const [name, store] of Object.entries(stores)) {
    // made when it is asked for, which those that never came mostly are not
    const get = (): unknown => {
      const { values: value } = store;
      Object.defineProperty(values, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(values, name, { get, enumerable: true, configurable: true });
  }
  const lacks = (name: string): boolean => stores[name].isEmpty === true;
  return { form, length, ids, lacks, columns: values as Table<C>['columns'] };
}

/** True for an object that is not an array. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with the number of rows, or null. */
export function rowsFault(length: number, { minRows = 1, maxRows }: TableOptions): Fault | null {
  return lengthFault(length, { least: minRows, most: maxRows, of: 'rows' });
}

/** The names a row or the columns may have, for messages. */
export const allowedNames = (columns: Columns): string[] => [
  'id',
  ...Object.keys(columns).filter((name) => name !== 'id'),
];

/** The fault of a property that no list of this kind has; made once a name, for a million rows may have it. */
export function unknownNames(allowed: readonly string[]): (name: string) => Fault {
  const known = new Map<string, Fault>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    // nobody reads further ones
    if (known.size >= maxShownErrors) return { code: 'unrecognized_key', message: 'unknown property' };
    const fault: Fault = { code: 'unrecognized_key', message: unknownProperty(name, allowed) };
    known.set(name, fault);
    return fault;
  };
}
