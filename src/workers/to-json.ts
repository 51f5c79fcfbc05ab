/**
 * Answer → JSON text. Typed arrays are written as arrays; a number that JSON cannot carry is an error naming its place,
 * where JSON.stringify would silently write null.
 */
import { isRecord } from '../schemas/contract/strict-object.ts';

/** Where a value stands, from the outside in. */
type Place = readonly (string | number)[];

/** An answer held a NaN or an infinity: a fault of a solver, never of the request. */
export class NotFinite extends Error {
  override readonly name = 'NotFinite';
  constructor(place: Place, value: number) {
    super(`the answer has ${value} at ${place.map((step) => `/${step}`).join('')}`);
  }
}

type NumericArray = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Uint8Array;

export const isNumericArray = (value: unknown): value is NumericArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/** @throws NotFinite for a cell that is NaN or an infinity */
export function checkFinite(cells: ArrayLike<unknown>, place: Place): void {
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i];
    if (typeof cell === 'number' && !Number.isFinite(cell)) throw new NotFinite([...place, i], cell);
  }
}

/**
 * The value as JSON.stringify writes it and JSON.parse gives it back: typed arrays as arrays, undefined members
 * gone. What needs no change is not copied.
 *
 * @throws NotFinite for NaN and infinities
 */
export function toPlain(value: unknown, place: (string | number)[] = []): unknown {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotFinite(place, value);
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (isNumericArray(value)) {
    checkFinite(value, place);
    return Array.from(value);
  }
  if (Array.isArray(value)) return plainList(value, place);
  if (!isRecord(value)) return value;
  let copy: Record<string, unknown> | null = null;
  for (const name of Object.keys(value)) {
    const item = value[name];
    if (typeof item === 'string') continue;
    place.push(name);
    const plainItem = toPlain(item, place);
    place.pop();
    if (plainItem === item && item !== undefined) continue;
    copy ??= { ...value };
    if (plainItem === undefined) delete copy[name];
    else copy[name] = plainItem;
  }
  return copy ?? value;
}

function plainList(list: readonly unknown[], place: (string | number)[]): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (typeof item === 'string' || (typeof item === 'number' && Number.isFinite(item))) continue;
    place.push(i);
    const plainItem = toPlain(item, place);
    place.pop();
    if (plainItem === item) continue;
    copy ??= list.slice();
    copy[i] = plainItem;
  }
  return copy ?? list;
}

/** The value as JSON text. @throws NotFinite for NaN and infinities */
export const toJson = (value: object): string => JSON.stringify(toPlain(value));
