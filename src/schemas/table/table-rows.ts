/** Lists as rows: `[{…}, …]`. */
import type { Refusals } from '../contract/refusals.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  allowedNames,
  createStores,
  fieldOfColumn,
  finish,
  idColumn,
  isRecord,
  rowsFault,
  unknownNames,
} from './table-reading.ts';
import type { Columns, Table, TableOptions } from './table-types.ts';

export function readRows<C extends Columns>(
  rows: readonly unknown[],
  columns: C,
  options: TableOptions,
  report: Refusals,
): Table<C> {
  const length = rows.length;
  const outside = rowsFault(length, options);
  if (outside) {
    report.fault([], outside, rows);
    return finish(createStores(columns, 0), 'rows', 0, null);
  }
  const stores = createStores(columns, length);
  const ids = idColumn.store(length);
  const allowed = allowedNames(columns);
  const unknown = unknownNames(allowed);
  const names = Object.keys(columns);
  let anyId = false;
  // rows are mostly alike: the properties that such a row may lack, and lacks, are not looked for in each
  let lastKeys: readonly string[] = [];
  let looked: readonly string[] = names;
  for (let i = 0; i < length; i++) {
    const row = rows[i];
    if (!isRecord(row)) {
      report.fault([i], { code: 'invalid_type', message: `must be an object with ${allowed.join(', ')}` }, row);
      continue;
    }
    const keys = Object.keys(row);
    if (i === 0 || !alike(keys, lastKeys)) {
      lastKeys = keys;
      looked = names.filter((name) => columns[name].required || keys.includes(name));
    }
    let known = 0;
    for (const name of Object.getPrototypeOf(row) === Object.prototype ? looked : names) {
      const cell = row[name];
      if (cell !== undefined) {
        known++;
        const fault = stores[name].set(i, cell);
        if (fault) report.fault([i, name], fault, cell);
      } else if (columns[name].required) {
        report.fault([i, name], { code: 'required', message: `is required: ${columns[name].description}` }, undefined);
      }
    }
    if (row.id !== undefined && !('id' in columns)) {
      known++;
      anyId = true;
      const fault = ids.set(i, row.id);
      if (fault) report.fault([i, 'id'], fault, row.id);
    }
    if (keys.length > known) {
      for (const name of keys) {
        if (!Object.hasOwn(columns, name) && name !== 'id') report.fault([i, name], unknown(name), row);
      }
    }
  }
  return finish(stores, 'rows', length, anyId ? ids.values : null);
}

function alike(keys: readonly string[], others: readonly string[]): boolean {
  if (keys.length !== others.length) return false;
  for (let k = 0; k < keys.length; k++) if (keys[k] !== others[k]) return false;
  return true;
}

export function rowsJsonSchema(columns: Columns, options: TableOptions): JsonSchema {
  const properties: Record<string, unknown> = {};
  if (!('id' in columns)) properties.id = { ...idColumn.cell, ...fieldOfColumn(idColumn) };
  for (const name in columns) properties[name] = { ...columns[name].cell, ...fieldOfColumn(columns[name]) };
  const required = Object.keys(columns).filter((name) => columns[name].required);
  return {
    type: 'array',
    title: 'Rows',
    minItems: options.minRows ?? 1,
    maxItems: options.maxRows,
    items: {
      ...(options.rowName !== undefined && { 'x-class': options.rowName }),
      ...{ type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false },
    },
  };
}
