/** Lists as columns: `{"changeRate": […], …}`, arrays of one length or one value for all rows. */
import type { Refusals } from '../contract/refusals.ts';
import type { Column, ColumnStore } from './column.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  allowedNames,
  createStores,
  fieldOfColumn,
  finish,
  idColumn,
  rowsFault,
  unknownNames,
} from './table-reading.ts';
import type { Columns, Table, TableOptions } from './table-types.ts';

/** An array of cells; a typed array is as good, as Arrow and callers of the library send. */
const isArray = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || value instanceof Float64Array || value instanceof Float32Array || value instanceof Int32Array;

export function readColumns<C extends Columns>(
  given: Readonly<Record<string, unknown>>,
  columns: C,
  options: TableOptions,
  report: Refusals,
): Table<C> {
  const withId: Columns = 'id' in columns ? columns : { ...columns, id: idColumn };
  const unknown = unknownNames(allowedNames(columns));
  let length = -1;
  let lengthFrom = '';
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(withId, name)) report.fault([name], unknown(name), given);
  }
  for (const name in withId) {
    const cells = given[name];
    if (!isArray(cells) || (withId[name].broadcasts && withId[name].cell.type === 'array')) continue;
    if (length === -1) {
      length = cells.length;
      lengthFrom = name;
    } else if (cells.length !== length) {
      const message = `must have the length of ${lengthFrom} (${length}); got ${cells.length}`;
      report.fault([name], { code: 'unequal-lengths', message }, cells);
      return finish(createStores(columns, 0), 'columns', 0, null);
    }
  }
  if (length === -1) {
    report.fault([], { code: 'no-length', message: 'at least one column must be an array' }, given);
    return finish(createStores(columns, 0), 'columns', 0, null);
  }
  const outside = rowsFault(length, options);
  if (outside) {
    report.fault([lengthFrom], outside, given);
    return finish(createStores(columns, 0), 'columns', 0, null);
  }
  const stores = createStores(columns, length);
  const ids = idColumn.store(given.id === undefined ? 0 : length);
  for (const name in withId) {
    const column = withId[name];
    const store: ColumnStore<unknown> = name === 'id' && !('id' in columns) ? ids : stores[name];
    const cells = given[name];
    if (cells === undefined || cells === null) {
      if (column.required)
        report.fault([name], { code: 'required', message: `is required: ${column.description}` }, cells);
    } else if (isArray(cells)) {
      readCells(name, column, cells, store, report);
    } else if (column.broadcasts) {
      broadcast(name, cells, store, length, report);
    } else {
      report.fault([name], { code: 'invalid_type', message: 'must be an array, one item a row' }, cells);
    }
  }
  return finish(stores, 'columns', length, given.id === undefined || 'id' in columns ? null : ids.values);
}

function readCells(
  name: string,
  column: Column<unknown>,
  cells: ArrayLike<unknown>,
  store: ColumnStore<unknown>,
  report: Refusals,
): void {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i];
    if (cell === null && !column.required) continue;
    const fault = store.set(i, cell);
    if (fault) report.fault([name, i], fault, cell);
  }
}

function broadcast(name: string, cell: unknown, store: ColumnStore<unknown>, length: number, report: Refusals): void {
  const { values } = store;
  if (values instanceof Float64Array || values instanceof Uint8Array) {
    const fault = store.set(0, cell);
    if (fault) report.fault([name], fault, cell);
    else values.fill(values[0]);
    return;
  }
  for (let i = 0; i < length; i++) {
    const fault = store.set(i, cell);
    if (fault) {
      report.fault([name], fault, cell);
      return;
    }
  }
}

export function columnsJsonSchema(columns: Columns, options: TableOptions): JsonSchema {
  const properties: Record<string, unknown> = {};
  const withId: Columns = 'id' in columns ? columns : { id: idColumn, ...columns };
  for (const name in withId) {
    const { cell, required, broadcasts } = withId[name];
    const field = fieldOfColumn(withId[name]);
    const items = required ? cell : { anyOf: [cell, { type: 'null' }] };
    const array = { type: 'array', items, minItems: options.minRows ?? 1, maxItems: options.maxRows };
    const forms = [array, ...(broadcasts ? [cell] : []), ...(required ? [] : [{ type: 'null' }])];
    properties[name] = forms.length === 1 ? { ...array, ...field } : { anyOf: forms, ...field };
  }
  const required = Object.keys(columns).filter((name) => columns[name].required);
  return {
    type: 'object',
    title: 'Columns',
    description: 'The rows as columns: a list per property',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}
