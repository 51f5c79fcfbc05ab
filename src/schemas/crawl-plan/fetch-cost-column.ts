/** The column `cost`: what a fetch costs, one number, or one for a fetch that finds no change and one for the others. */
import { type Field, fieldOf } from '../contract/field.ts';
import { type Fault, quoted } from '../contract/problem.ts';
import { objectFault, propertiesOf } from '../parts/cell-objects.ts';
import type { Column } from '../table/column.ts';
import { numberFault, rangeJsonSchema } from '../table/number-range.ts';

const range = { atLeast: 1e-9, atMost: 1e12 } as const;
const names = ['unchanged', 'changed'];

/** Costs by page; NaN where a page says none. */
export interface FetchCostCells {
  readonly unchanged: Float64Array;
  /** What is added where the fetch finds a change. */
  readonly ifChanged: Float64Array;
}

type Cell = number | { readonly unchanged: number; readonly changed: number };

export function fetchCostColumn(said: string | Field): Column<FetchCostCells, Cell | undefined> {
  const field = fieldOf(said);
  const each = rangeJsonSchema(range);
  return {
    required: false,
    broadcasts: true,
    cell: {
      'x-class': 'FetchCost',
      anyOf: [
        { ...each, 'x-quantity': 'cost' },
        {
          'x-class': 'CostByOutcome',
          type: 'object',
          properties: {
            unchanged: { ...each, description: 'Of a fetch that finds no change (304)', 'x-quantity': 'cost' },
            changed: { ...each, description: 'Of a fetch that finds a change; no less', 'x-quantity': 'cost' },
          },
          required: names,
          additionalProperties: false,
        },
      ],
    },
    description: field.description,
    said: field,
    store(length) {
      const unchanged = new Float64Array(length).fill(Number.NaN);
      const ifChanged = new Float64Array(length);
      return {
        values: { unchanged, ifChanged },
        set(position, cell) {
          if (typeof cell === 'number') {
            const fault = numberFault(cell, range);
            unchanged[position] = cell;
            return fault;
          }
          const fault = objectFault(cell, names);
          if (fault !== null) return { ...fault, message: fault.path ? fault.message : expected(cell) };
          const { unchanged: least, changed } = propertiesOf(cell);
          for (const [name, value] of [
            ['unchanged', least],
            ['changed', changed],
          ] as const) {
            const wrong = numberFault(value, range);
            if (wrong !== null) return { ...wrong, path: [name] };
          }
          if (typeof least !== 'number' || typeof changed !== 'number') return null;
          if (changed < least) {
            const message = `must be no less than unchanged (${least}); got ${changed}`;
            return { path: ['changed'], code: 'out-of-range', message };
          }
          unchanged[position] = least;
          ifChanged[position] = changed - least;
          return null;
        },
      };
    },
  };
}

const expected = (cell: unknown): Fault['message'] =>
  `must be a number, or {"unchanged": …, "changed": …}; got ${quoted(cell)}`;
