/**
 * Answer → JSON text. Typed arrays are written as arrays; a number that JSON cannot carry is an error naming its
 * place, where JSON.stringify would silently write null.
 */

import { type AnswerColumn, AnswerRows } from '../schemas/table/table-answer.ts';
import { TextBytes } from './wire/text-bytes.ts';

/** An answer held a NaN or an infinity: a fault of a solver, never of the request. */
export class NotFinite extends Error {
  override readonly name = 'NotFinite';
  constructor(path: string, value: number) {
    super(`the answer has ${value} at ${path}`);
  }
}

type NumericArray = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Uint8Array;

function isNumericArray(value: unknown): value is NumericArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

/**
 * What stands below a value: only what JSON.stringify writes as it should, typed arrays or rows too, or a number it
 * cannot write.
 */
type Contents = 'plain' | 'special' | 'not-finite';

function contents(value: unknown): Contents {
  if (typeof value === 'number') return Number.isFinite(value) ? 'plain' : 'not-finite';
  if (typeof value !== 'object' || value === null) return 'plain';
  if (isNumericArray(value) || value instanceof AnswerRows) return 'special';
  let found: Contents = 'plain';
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'number' ? Number.isFinite(item) : typeof item !== 'object' || item === null) continue;
      const below = contents(item);
      if (below === 'not-finite') return below;
      if (below === 'special') found = below;
    }
    return found;
  }
  for (const name in value) {
    const below = contents(Reflect.get(value, name));
    if (below === 'not-finite') return below;
    if (below === 'special') found = below;
  }
  return found;
}

/** Whether rows of the column's cells, with null for NaN, need no look of their own. */
function isPlainColumn(cells: AnswerColumn): boolean {
  if (!isNumericArray(cells)) return contents(cells) === 'plain';
  for (let i = 0; i < cells.length; i++) if (Math.abs(cells[i]) === Number.POSITIVE_INFINITY) return false;
  return true;
}

/** Where the first number stands that JSON cannot carry; walked only once it is known to be there. */
function refuseNotFinite(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NotFinite(path, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) refuseNotFinite(item, `${path}/${name}`);
}

/** Takes the pieces of a text, and numbers that are to stand in it with commas between. */
interface Writer {
  take(text: string): void;
  numbers(values: NumericArray): void;
}

/** Rows made and written at a time: young garbage, and no list of all. */
const rowsAtOnce = 256;

function writeRows(rows: AnswerRows, path: string, writer: Writer): void {
  const plainRows = rows.columns.every(isPlainColumn);
  writer.take('[');
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce);
    if (from > 0) writer.take(',');
    if (plainRows || contents(some) === 'plain') writer.take(JSON.stringify(some).slice(1, -1));
    else writeItems(some, (k) => `${path}/${from + k}`, writer);
  }
  writer.take(']');
}

function writeItems(items: readonly unknown[], pathOf: (k: number) => string, writer: Writer): void {
  for (const [k, item] of items.entries()) {
    if (k > 0) writer.take(',');
    write(item, pathOf(k), writer);
  }
}

/** Hands the value on as JSON text, in pieces. */
function write(value: unknown, path: string, writer: Writer): void {
  if (isNumericArray(value)) {
    // 0, or NaN where any is not finite
    let odd = 0;
    for (let i = 0; i < value.length; i++) odd += value[i] - value[i];
    for (let i = 0; odd !== 0; i++) if (!Number.isFinite(value[i])) throw new NotFinite(`${path}/${i}`, value[i]);
    writer.take('[');
    writer.numbers(value);
    writer.take(']');
    return;
  }
  if (value instanceof AnswerRows) {
    writeRows(value, path, writer);
    return;
  }
  const below = contents(value);
  if (below === 'not-finite') refuseNotFinite(value, path);
  if (below === 'plain') writer.take(JSON.stringify(value) ?? 'null');
  else if (Array.isArray(value)) {
    writer.take('[');
    writeItems(value, (i) => `${path}/${i}`, writer);
    writer.take(']');
  } else {
    let before = '{';
    for (const [name, item] of Object.entries(value ?? {})) {
      if (item === undefined) continue;
      writer.take(`${before}${JSON.stringify(name)}:`);
      write(item, `${path}/${name}`, writer);
      before = ',';
    }
    writer.take(before === '{' ? '{}' : '}');
  }
}

/**
 * The value as JSON text.
 *
 * @throws NotFinite for NaN and infinities
 */
export function serialise(value: unknown, path = ''): string {
  const pieces: string[] = [];
  const take = (text: string): void => void pieces.push(text);
  write(value, path, { take, numbers: (values) => take(JSON.stringify(Array.from(values)).slice(1, -1)) });
  return pieces.join('');
}

/**
 * The bytes of {@link serialise} in lists that follow one another, without a string of all of them.
 *
 * @throws NotFinite for NaN and infinities
 */
export function serialiseBytes(value: unknown): readonly Uint8Array[] {
  const text = new TextBytes();
  write(value, '', text);
  return text.pieces;
}

/**
 * The value as JSON.parse would give it back from {@link serialise}: typed arrays as arrays, undefined members gone.
 *
 * @throws NotFinite for NaN and infinities
 */
export function plain(value: unknown, path = ''): unknown {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotFinite(path, value);
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isNumericArray(value)) {
    const bad = value.findIndex((item) => !Number.isFinite(item));
    if (bad >= 0) throw new NotFinite(`${path}/${bad}`, value[bad]);
    return Array.from(value);
  }
  if (value instanceof AnswerRows) return plain(value.slice(), path);
  if (Array.isArray(value)) {
    const list: unknown[] = new Array(value.length);
    for (let i = 0; i < value.length; i++) list[i] = plain(value[i], `${path}/${i}`);
    return list;
  }
  const record: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) record[name] = plain(item, `${path}/${name}`);
  }
  return record;
}
