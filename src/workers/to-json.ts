/**
 * Answer → JSON text. Typed arrays are written as arrays; a number that JSON cannot carry is an error naming its place,
 * where JSON.stringify would silently write null.
 */
/** An answer held a NaN or an infinity: a fault of a solver, never of the request. */
export class NotFinite extends Error {
  override readonly name = 'NotFinite';
  constructor(path: string, value: number) {
    super(`the answer has ${value} at ${path}`);
  }
}

type NumericArray = Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Uint8Array;

const isNumericArray = (value: unknown): value is NumericArray =>
  ArrayBuffer.isView(value) && !(value instanceof DataView);

/**
 * The value as JSON.stringify writes it and JSON.parse gives it back: typed arrays as arrays, undefined members
 * gone. What needs no change is not copied.
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
  if (Array.isArray(value)) return plainList(value, path);
  let copy: Record<string, unknown> | null = null;
  for (const [name, item] of Object.entries(value)) {
    const made = typeof item === 'string' ? item : plain(item, `${path}/${name}`);
    if (made === item && item !== undefined) continue;
    copy ??= Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
    if (made !== undefined) copy[name] = made;
  }
  return copy ?? value;
}

function plainList(list: readonly unknown[], path: string): readonly unknown[] {
  let copy: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const item = list[i];
    if (typeof item === 'string' || (typeof item === 'number' && Number.isFinite(item))) continue;
    const made = plain(item, `${path}/${i}`);
    if (made === item) continue;
    copy ??= list.slice();
    copy[i] = made;
  }
  return copy ?? list;
}

/** The value as JSON text. @throws NotFinite for NaN and infinities */
export const toJson = (value: object): string => JSON.stringify(plain(value));
