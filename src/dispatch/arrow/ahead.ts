/**
 * Columns of an Arrow stream that still arrives, each read and looked through once all its bytes are there. So little
 * is left to do when the last byte has come. Only the rows of its last batch may still be on their way. What is wrong
 * with a stream is told when all of it is there, and what is read here depends on the bytes alone.
 */
import { type Batch, type Column, tableFromIPC } from '@uwdata/flechette';
import type { Operation } from '../../operations/operation.ts';
import { type BinaryCells, NumberCells, type TextCells } from '../../schemas/table/cells.ts';
import type { JsonSchema } from '../../schemas/table/json-schema.ts';
import { allWithin, rangeOfJsonSchema } from '../../schemas/table/number-range.ts';
import { columnLists } from '../column-lists.ts';
import { elementBounds } from '../refuse-unparsed.ts';
import { numberCells, textCells } from './cells.ts';
import { typeFault } from './types.ts';
import { verifyStream } from './verify.ts';

interface Awaited {
  readonly name: string;
  /** The schema of its cells. */
  readonly cell: JsonSchema;
  readonly read: () => NumberCells | TextCells;
  /** Where its bytes end. */
  readonly end: number;
}

/** A stream ends with so many bytes after its last batch, or fewer. */
const mostAfter = 8;
/** Each look goes over the stream from its start, so a stream of many small batches is soon left alone. */
const mostLooks = 16;

export class ColumnsAhead {
  readonly #operation: Operation;
  readonly #bytes: Uint8Array;
  #awaited: readonly Awaited[] | null = null;
  readonly #read = new Map<string, BinaryCells>();
  #looks = 0;
  /** Before so many bytes are there, a look would find no message that the last one did not. */
  #nextLook = 0;

  /** @param bytes the place of all of them */
  constructor(operation: Operation, bytes: Uint8Array) {
    this.#operation = operation;
    this.#bytes = bytes;
  }

  /** Reads on: so many bytes are there. */
  read(available: number): void {
    try {
      this.#awaited ??= this.#columns(available);
      for (const { name, cell, read, end } of this.#awaited ?? []) {
        if (end > available || this.#read.has(name)) continue;
        const cells = read();
        lookThrough(cells, cell);
        this.#read.set(name, cells);
      }
    } catch {
      this.#awaited = [];
    }
  }

  /** The cells of a column of so many rows, where they have been read. */
  cells(name: string, rows: number): BinaryCells | undefined {
    const read = this.#read.get(name);
    return read?.length === rows ? read : undefined;
  }

  /** The columns that are read ahead; null where the last batch has not begun. */
  #columns(available: number): Awaited[] | null {
    const bytes = this.#bytes;
    const { request: list } = columnLists(this.#operation);
    if (list === null || this.#looks === mostLooks) return [];
    if (available <= this.#nextLook) return null;
    this.#looks++;
    const { end, rows } = verifyStream(bytes, available);
    this.#nextLook = end;
    if (end < bytes.length - mostAfter) return null;
    if (rows > elementBounds(this.#operation.limits).most(list.name)) return [];
    const { schema, children } = tableFromIPC(bytes.subarray(0, end));
    const names = schema.fields.map(({ name }) => name);
    return schema.fields.flatMap(({ name, type }, i) => {
      const kind = list.columns.get(name);
      const column: Column<unknown> = children[i];
      if ((kind !== 'number' && kind !== 'text') || typeFault(type, kind) !== null) return [];
      if (column.length !== rows || names.indexOf(name) !== i) return [];
      const read = () => (kind === 'number' ? numberCells(column) : textCells(column));
      const ends = column.data.map((batch) => endOf(batch) - bytes.byteOffset);
      return [{ name, cell: list.cells.get(name) ?? {}, read, end: Math.max(0, ...ends) }];
    });
  }
}

/** Asks what the check of the column will ask. */
function lookThrough(cells: NumberCells | TextCells, cell: JsonSchema): void {
  if (cells instanceof NumberCells) allWithin(cells, rangeOfJsonSchema(cell));
  else if (Array.isArray(cell.enum)) cells.positionsIn(cell.enum);
}

/** Where the buffers of a batch end in theirs. */
function endOf({ validity, offsets, values }: Batch<unknown>): number {
  return [validity, offsets, values].reduce(
    (end, view) => (ArrayBuffer.isView(view) ? Math.max(end, view.byteOffset + view.byteLength) : end),
    0,
  );
}
