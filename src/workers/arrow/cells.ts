/** Arrow's buffers → cells as JSON would have them: every length that a batch claims is held against its buffers. */
import { type Batch, type Column, Type } from '@uwdata/flechette';
import { ArrowFault } from './verify.ts';

type AnyBatch = Batch<unknown>;

const inconsistencyFault = (): ArrowFault =>
  new ArrowFault('the Arrow stream is damaged: a column is shorter than its batch');

/** @throws ArrowFault */
export function cellsOf({ data: batches, length }: Column<unknown>): ArrayLike<unknown> {
  for (const batch of batches) checkBatch(batch, batch.length);
  const [first] = batches;
  const isPlain = batches.length === 1 && first.nullCount === 0 && first.values instanceof Float64Array;
  if (isPlain && first.type.typeId === Type.Float) return first.values.subarray(0, length);
  const cells: unknown[] = new Array(length);
  let at = 0;
  for (const batch of batches) for (let i = 0; i < batch.length; i++) cells[at++] = plainCell(batch.at(i));
  return cells;
}

/** Checks that the buffers of a batch hold its rows, at every depth. */
function checkBatch(batch: AnyBatch, rows: number): void {
  const { type, length, nullCount, validity, values, children } = batch;
  if (length < rows) throw inconsistencyFault();
  if (nullCount > 0 && type.typeId !== Type.Null && !(validity?.length * 8 >= length)) throw inconsistencyFault();
  switch (type.typeId) {
    case Type.List:
    case Type.LargeList: {
      const [items] = children;
      checkOffsets(batch, items.length);
      checkBatch(items, length === 0 ? 0 : Number(batch.offsets[length]));
      break;
    }
    case Type.Struct:
      for (const child of children) checkBatch(child, length);
      break;
    case Type.Utf8:
    case Type.LargeUtf8:
      checkOffsets(batch, values.length);
      break;
    case Type.Bool:
      if (values.length * 8 < length) throw inconsistencyFault();
      break;
    case Type.Null:
      break;
    default:
      if (values.length < length) throw inconsistencyFault();
  }
}

/** Checks that the offsets of a batch do not fall, and end within its values: lists that overlap have no end. */
function checkOffsets({ offsets, length }: AnyBatch, valueCount: number): void {
  if (length === 0) return;
  if (offsets.length < length + 1) throw inconsistencyFault();
  let last = 0;
  for (let i = 0; i <= length; i++) {
    const offset = Number(offsets[i]);
    if (!(offset >= last)) throw inconsistencyFault();
    last = offset;
  }
  if (last > valueCount) throw inconsistencyFault();
}

function plainCell(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainCell);
  // a view of numbers, or a list of the library's own kind
  if (Symbol.iterator in value && typeof value[Symbol.iterator] === 'function')
    return Array.from(Object(value), plainCell);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => [name, plainCell(item)]),
  );
}
