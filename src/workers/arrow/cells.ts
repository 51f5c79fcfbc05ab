/** Arrow's buffers → cells of a list: every length that a batch claims is held against its buffers. */
import { type Batch, type Column, Type } from '@uwdata/flechette';
import { NumberCells, NumberListCells, TextCells } from '../../schemas/table/cells.ts';
import { ArrowFault } from './fault.ts';

type AnyBatch = Batch<unknown>;

const inconsistent = (): ArrowFault =>
  new ArrowFault('the Arrow stream is damaged: a column is shorter than its batch');

/** One byte a row, 1 where there is a cell; null where all rows have one. */
function validityOf(batches: readonly AnyBatch[], length: number): Uint8Array | null {
  if (batches.every(({ nullCount }) => nullCount === 0)) return null;
  const valid = new Uint8Array(length);
  let at = 0;
  for (const batch of batches) {
    const { validity, nullCount, length: rows, type } = batch;
    if (nullCount === 0) valid.fill(1, at, at + rows);
    else if (type.typeId !== Type.Null) {
      if (validity === undefined || validity.length * 8 < rows) throw inconsistent();
      for (let i = 0; i < rows; i++) valid[at + i] = (validity[i >> 3] >> (i & 7)) & 1;
    }
    at += rows;
  }
  return valid;
}

/** What makes a number NaN where there is no cell, or leaves it as it is, −0 too: no branch has to be guessed. */
const absentOrThere = Float64Array.of(Number.NaN, -0);

/** A batch of numbers into `target` from `at`. */
function setNumbers(batch: AnyBatch, target: Float64Array, at: number): void {
  const { values, length, type } = batch;
  if (type.typeId === Type.Null) return;
  if (values.length < length) throw inconsistent();
  if (type.typeId === Type.Float && values instanceof Uint16Array) {
    for (let i = 0; i < length; i++) target[at + i] = Number(batch.at(i) ?? 0);
  } else if (values instanceof BigInt64Array || values instanceof BigUint64Array) {
    for (let i = 0; i < length; i++) target[at + i] = Number(values[i]);
  } else {
    target.set(values.subarray(0, length), at);
  }
}

export function numberCells(column: Column<unknown>): NumberCells {
  const { data: batches, length } = column;
  const valid = validityOf(batches, length);
  const [first] = batches;
  if (
    valid === null &&
    batches.length === 1 &&
    first.values instanceof Float64Array &&
    first.values.length === length
  ) {
    return new NumberCells(first.values, valid);
  }
  const values = new Float64Array(length);
  let at = 0;
  for (const batch of batches) {
    setNumbers(batch, values, at);
    at += batch.length;
  }
  if (valid !== null) for (let i = 0; i < length; i++) values[i] += absentOrThere[valid[i]];
  return new NumberCells(values, valid);
}

/** Checks that the offsets of a batch do not fall, and end within its values. */
function checkOffsets({ offsets, length }: AnyBatch, most: number): void {
  if (length === 0) return;
  if (offsets.length < length + 1) throw inconsistent();
  let last = Number(offsets[0]);
  if (last < 0) throw inconsistent();
  if (offsets instanceof Int32Array) {
    for (let i = 1; i <= length; i++) {
      const offset = offsets[i];
      if (offset < last) throw inconsistent();
      last = offset;
    }
  } else {
    for (let i = 1; i <= length; i++) {
      const offset = Number(offsets[i]);
      if (!(offset >= last)) throw inconsistent();
      last = offset;
    }
  }
  if (last > most) throw inconsistent();
}

export function textCells(column: Column<unknown>): TextCells {
  const { data: batches, length } = column;
  const valid = validityOf(batches, length);
  let size = 0;
  for (const batch of batches) {
    if (batch.type.typeId === Type.Null) continue;
    checkOffsets(batch, batch.values.length);
    size += batch.length === 0 ? 0 : Number(batch.offsets[batch.length]) - Number(batch.offsets[0]);
  }
  if (size > 2 ** 31 - 1) throw new ArrowFault('a column of texts may have at most 2 GiB');
  const [first] = batches;
  if (batches.length === 1 && first.offsets instanceof Int32Array && first.values instanceof Uint8Array) {
    return new TextCells(first.offsets.subarray(0, length), first.offsets.subarray(1, length + 1), first.values, valid);
  }
  const offsets = new Int32Array(length + 1);
  const bytes = new Uint8Array(size);
  let row = 0;
  let at = 0;
  for (const { offsets: own, values, length: rows, type } of batches) {
    if (type.typeId === Type.Null || rows === 0) {
      offsets.fill(at, row + 1, row + rows + 1);
      row += rows;
      continue;
    }
    const start = Number(own[0]);
    for (let i = 1; i <= rows; i++) offsets[row + i] = at + Number(own[i]) - start;
    const end = Number(own[rows]);
    if (!(values instanceof Uint8Array)) throw inconsistent();
    bytes.set(values.subarray(start, end), at);
    at += end - start;
    row += rows;
  }
  return new TextCells(offsets.subarray(0, length), offsets.subarray(1), bytes, valid);
}

/** Cells of lists and structs: lists of numbers as they lie, others as JSON would have them. */
export function nestedCells(column: Column<unknown>): NumberListCells | unknown[] {
  const { data: batches, length } = column;
  for (const batch of batches) checkNested(batch, batch.length);
  if (batches.every(isPlainLists)) return numberLists(batches, length);
  const cells: unknown[] = new Array(length);
  let at = 0;
  for (const batch of batches) for (let i = 0; i < batch.length; i++) cells[at++] = plainCell(batch.at(i));
  return cells;
}

/** Whether a batch is of lists of numbers that are all there, the most common. */
function isPlainLists({ type, offsets, children }: AnyBatch): boolean {
  if (type.typeId !== Type.List || !(offsets instanceof Int32Array)) return false;
  const [items] = children;
  return items.nullCount === 0 && items.values instanceof Float64Array;
}

function numberLists(batches: readonly AnyBatch[], length: number): NumberListCells {
  const valid = validityOf(batches, length);
  const offsets = new Int32Array(length + 1);
  const parts: Float64Array[] = [];
  let row = 0;
  let at = 0;
  for (const { offsets: own, children, length: rows } of batches) {
    const { values } = children[0];
    if (!(own instanceof Int32Array && values instanceof Float64Array)) throw inconsistent();
    if (batches.length === 1 && rows > 0) return new NumberListCells(own.subarray(0, length + 1), values, valid);
    if (rows === 0) continue;
    parts.push(values.subarray(own[0], own[rows]));
    for (let i = 1; i <= rows; i++) offsets[row + i] = at + own[i] - own[0];
    row += rows;
    at += own[rows] - own[0];
  }
  const joined = new Float64Array(at);
  let to = 0;
  for (const part of parts) {
    joined.set(part, to);
    to += part.length;
  }
  return new NumberListCells(offsets, joined, valid);
}

/** Checks that the buffers of a batch hold its rows, at every depth. */
function checkNested(batch: AnyBatch, rows: number): void {
  const { type, length, nullCount, validity, values, children } = batch;
  if (length < rows) throw inconsistent();
  if (nullCount > 0 && type.typeId !== Type.Null && !(validity?.length * 8 >= length)) throw inconsistent();
  switch (type.typeId) {
    case Type.List:
    case Type.LargeList: {
      const [items] = children;
      checkOffsets(batch, items.length);
      checkNested(items, length === 0 ? 0 : Number(batch.offsets[length]));
      break;
    }
    case Type.Struct:
      for (const each of children) checkNested(each, length);
      break;
    case Type.Utf8:
    case Type.LargeUtf8:
      checkOffsets(batch, values.length);
      break;
    case Type.Bool:
      if (values.length * 8 < length) throw inconsistent();
      break;
    case Type.Null:
      break;
    default:
      if (values.length < length) throw inconsistent();
  }
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
