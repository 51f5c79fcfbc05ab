/**
 * Answer → JSON text. Typed arrays are written as arrays; a number that JSON cannot carry is an error naming its place,
 * where JSON.stringify would silently write null.
 */
import { isRecord } from '../schemas/contract/strict-object.ts';

/** Path of a value in the answer, from the outside in. */
type Place = (string | number)[];

/** An answer held a NaN or an infinity: a fault of a solver, never of the request. */
export class NotFiniteError extends Error {
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
    if (typeof cell === 'number' && !Number.isFinite(cell)) throw new NotFiniteError([...place, i], cell);
  }
}

/**
 * The value as JSON.stringify writes it and JSON.parse gives it back: typed arrays as arrays, undefined members gone.
 *
 * @throws NotFinite for NaN and infinities
 */
export function toPlain(value: unknown, place: Place = []): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new NotFiniteError(place, value);
  if (isNumericArray(value)) {
    checkFinite(value, place);
    return Array.from(value);
  }
  const plainItem = (item: unknown, step: string | number): unknown => {
    if (typeof item === 'string') return item;
    place.push(step);
    const result = toPlain(item, place);
    place.pop();
    return result;
  };
  if (Array.isArray(value)) return value.map(plainItem);
  if (!isRecord(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (value[name] !== undefined) copy[name] = plainItem(value[name], name);
  }
  return copy;
}

/** The value as JSON text. @throws NotFinite for NaN and infinities */
export const toJson = (value: object): string => JSON.stringify(toPlain(value));
