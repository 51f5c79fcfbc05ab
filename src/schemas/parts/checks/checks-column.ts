/** The column `checks` of a list of pages: nested lists, stored as the estimators take them. */

import { changed, unchanged } from '../../../solvers/estimation/index.ts';
import { type Field, plain, time } from '../../contract/field.ts';
import { quoted } from '../../contract/problem.ts';
import { type Column, type ColumnStore, describedBy, flagForms } from '../../table/column.ts';
import type { JsonSchema } from '../../table/json-schema.ts';
import { listFault } from '../list.ts';
import { addCounts, type CheckCounts, checkCounts } from './check-counts.ts';
import { ChecksReader, longestTime, shortestSeconds, shortestTime } from './checks-reader.ts';

type CheckCell = readonly (readonly [number, boolean | 0 | 1])[];

/** In a check: true, false, 1 or 0. */
export const changedSchema: JsonSchema = {
  anyOf: [...flagForms],
  ...plain('Whether the page had changed since then'),
};

const checkList = (most: number): JsonSchema => ({
  type: 'array',
  maxItems: most,
  items: {
    type: 'array',
    ...plain('A check: the time since the one before, and whether the page had changed', { component: 'Check' }),
    minItems: 2,
    maxItems: 2,
    prefixItems: [
      { type: 'number', minimum: -longestTime, maximum: longestTime, ...time('Time since the check before') },
      changedSchema,
    ],
  },
});

/** `checks`: `[[elapsed, changed], …]`, oldest first. */
export function checksColumn(most: number, field: string | Field): Column<ChecksReader, CheckCell | undefined> {
  const store = (length: number): ColumnStore<ChecksReader> =>
    checksStore(new ChecksReader(length, shortestTime), most, false);
  return { required: false, broadcasts: false, cell: checkList(most), ...describedBy(field), store };
}

/** `checks` in seconds, as a list or, of regular checks, as counts: `{checks, changes, gap}`. */
export function checksOrCountsColumn(
  most: number,
  field: string | Field,
): Column<ChecksReader, CheckCell | CheckCounts | undefined> {
  const store = (length: number): ColumnStore<ChecksReader> =>
    checksStore(new ChecksReader(length, shortestSeconds), most, true);
  const cell = { 'x-class': 'PageChecks', anyOf: [checkList(most), checkCounts(most)] };
  return { required: false, broadcasts: false, cell, ...describedBy(field), store };
}

function checksStore(values: ChecksReader, most: number, counts: boolean): ColumnStore<ChecksReader> {
  return {
    values,
    set(position, cell) {
      if (counts && typeof cell === 'object' && cell !== null && !Array.isArray(cell)) {
        return addCounts(values, position, cell, most);
      }
      const fault = listFault(cell, { minItems: 0, maxItems: most }, 'checks [elapsed, changed]');
      if (fault || !Array.isArray(cell)) return fault;
      values.counts[position] = 0;
      for (let k = 0; k < cell.length; k++) {
        const check: unknown = cell[k];
        if (!Array.isArray(check) || check.length !== 2) {
          return { path: [k], code: 'invalid_type', message: `must be [elapsed, changed]; got ${quoted(check)}` };
        }
        const elapsed: unknown = check[0];
        const flag: unknown = check[1];
        if (typeof elapsed !== 'number' || !(Math.abs(elapsed) <= longestTime)) {
          const message = `must be a number, the time since the check before, at most ${longestTime}; got ${quoted(elapsed)}`;
          return { path: [k, 0], code: 'invalid_type', message };
        }
        if (flag !== true && flag !== false && flag !== 0 && flag !== 1) {
          return {
            path: [k, 1],
            code: 'invalid_type',
            message: `must be true, false, 1 or 0; got ${quoted(flag)}`,
          };
        }
        values.add(position, elapsed, flag === true || flag === 1 ? changed : unchanged);
      }
      return null;
    },
  };
}
