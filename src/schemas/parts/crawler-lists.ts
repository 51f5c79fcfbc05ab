/** The column of crawlers a task may use: a list of positions in each cell, stored in compressed rows. */

import { type Field, position } from '../contract/field.ts';
import { type Fault, quoted } from '../contract/problem.ts';
import { type Column, describedBy } from '../table/column.ts';

/** Lists in compressed rows: list i is items[start[i] .. start[i + 1] − 1]; an absent cell is an empty list. */
export interface Lists {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

/**
 * Collects the lists of a table; cells are set in the order of their positions. Exported because the declared types of
 * schemas refer to it.
 */
export class ListsReader {
  private readonly counts: Int32Array;
  private pool = new Int32Array(1024);
  private used = 0;

  constructor(length: number) {
    this.counts = new Int32Array(length);
  }

  append(position: number, list: readonly number[]): void {
    this.counts[position] = list.length;
    if (this.used + list.length > this.pool.length) {
      const larger = new Int32Array(Math.max(2 * this.pool.length, this.used + list.length));
      larger.set(this.pool);
      this.pool = larger;
    }
    this.pool.set(list, this.used);
    this.used += list.length;
  }

  /** The lists; null if no cell was given. */
  lists(): Lists | null {
    if (this.used === 0) return null;
    const start = new Int32Array(this.counts.length + 1);
    for (let i = 0; i < this.counts.length; i++) start[i + 1] = start[i] + this.counts[i];
    return { start, items: this.pool.subarray(0, this.used) };
  }
}

/** @param most maximum list length, and number of valid positions; @param field description of the column */
export function positionListColumn(
  field: string | Field,
  most: number,
): Column<ListsReader, readonly number[] | undefined> {
  return {
    required: false,
    broadcasts: false,
    cell: {
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: most - 1, ...position('Position of a crawler') },
      minItems: 1,
      maxItems: most,
      uniqueItems: true,
    },
    ...describedBy(field),
    store(length) {
      const values = new ListsReader(length);
      return {
        values,
        set(position, cell) {
          const list = positionsOf(cell, most);
          if ('code' in list) return list;
          values.append(position, list);
          return null;
        },
      };
    },
  };
}

/** The cell as a list of positions, or its fault. */
function positionsOf(cell: unknown, most: number): readonly number[] | Fault {
  if (!Array.isArray(cell)) {
    return { code: 'invalid_type', message: `must be an array of crawler positions; got ${quoted(cell)}` };
  }
  if (cell.length === 0) {
    return {
      code: 'too_small',
      message: 'must name at least one crawler (left out: any may run it); got an empty list',
    };
  }
  if (cell.length > most) return { code: 'too_big', message: `must have at most ${most} items; got ${cell.length}` };
  const list: number[] = [];
  for (const item of cell) {
    if (typeof item !== 'number' || !Number.isSafeInteger(item) || item < 0) {
      const message = `must be the position of a crawler, an integer from 0; got ${quoted(item)}`;
      return { path: [list.length], code: 'invalid_type', message };
    }
    if (item >= most) {
      const message = `must be the position of a crawler, at most ${most - 1}; got ${quoted(item)}`;
      return { path: [list.length], code: 'too_big', message };
    }
    list.push(item);
  }
  if (new Set(list).size !== list.length) {
    return { code: 'duplicate', message: `must not name a crawler twice; got [${list.slice(0, 10).join(', ')}]` };
  }
  return list;
}
