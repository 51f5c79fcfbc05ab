/**
 * Answer → JSON text. Typed arrays are written as arrays; a number that JSON cannot carry is an error naming its
 * place, where JSON.stringify would silently write null.
 */

import { AnswerRows } from '../schemas/table/table-answer.ts';

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

/** Where the first number stands that JSON cannot carry; walked only once it is known to be there. */
function refuseNotFinite(value: unknown, path: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NotFinite(path, value);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) refuseNotFinite(item, `${path}/${name}`);
}

const pieceLength = 65_536;

/** Doubles as JSON text: JSON.stringify writes a plain array of them in half the time of a typed array's own join. */
function serialiseDoubles(values: Float64Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < values.length; at += pieceLength) {
    pieces.push(JSON.stringify(Array.from(values.subarray(at, at + pieceLength))).slice(1, -1));
  }
  return `[${pieces.join(',')}]`;
}

/** Rows made and written at a time: young garbage, and no list of all. */
const rowsAtOnce = 256;

function serialiseRows(rows: AnswerRows, path: string): string {
  const pieces: string[] = [];
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce);
    if (contents(some) === 'plain') pieces.push(JSON.stringify(some).slice(1, -1));
    else pieces.push(...some.map((row, k) => serialise(row, `${path}/${from + k}`)));
  }
  return `[${pieces.join(',')}]`;
}

/**
 * The value as JSON text.
 *
 * @throws NotFinite for NaN and infinities
 */
export function serialise(value: unknown, path = ''): string {
  if (isNumericArray(value)) {
    for (let i = 0; i < value.length; i++) {
      if (!Number.isFinite(value[i])) throw new NotFinite(`${path}/${i}`, value[i]);
    }
    return value instanceof Float64Array ? serialiseDoubles(value) : `[${value.join(',')}]`;
  }
  if (value instanceof AnswerRows) return serialiseRows(value, path);
  const below = contents(value);
  if (below === 'not-finite') refuseNotFinite(value, path);
  if (below === 'plain') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item, i) => serialise(item, `${path}/${i}`)).join(',')}]`;
  const members: string[] = [];
  for (const [name, item] of Object.entries(value ?? {})) {
    if (item !== undefined) members.push(`${JSON.stringify(name)}:${serialise(item, `${path}/${name}`)}`);
  }
  return `{${members.join(',')}}`;
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
