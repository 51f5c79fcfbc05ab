/**
 * Answer → JSON text. Typed arrays are written as arrays; a number that JSON cannot carry is an error naming its
 * place, where JSON.stringify would silently write null.
 */

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

/** True when every number below `value` is finite and no typed array stands below it. */
function isPlain(value: unknown, path: string): boolean {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new NotFinite(path, value);
    return true;
  }
  if (typeof value !== 'object' || value === null) return true;
  if (isNumericArray(value)) return false;
  let plain = true;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) {
      const item: unknown = value[i];
      if (typeof item === 'number' ? !Number.isFinite(item) : typeof item === 'object' && item !== null) {
        if (!isPlain(item, `${path}/${i}`)) plain = false;
      }
    }
    return plain;
  }
  for (const [name, item] of Object.entries(value)) {
    if (!isPlain(item, `${path}/${name}`)) plain = false;
  }
  return plain;
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
    return `[${value.join(',')}]`;
  }
  if (isPlain(value, path)) return JSON.stringify(value) ?? 'null';
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
