/**
 * Readers of requests and answers for certificates: JSON in rows or columns, with plain or typed arrays. What cannot be
 * read throws {@link MalformedInput}, which names its place.
 */

/** A part of a request or an answer that does not have the contract's form. */
export class MalformedInput extends Error {
  override readonly name = 'MalformedInput';
}

export type WireObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is WireObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** A JSON array or a typed array. */
type WireList = ArrayLike<unknown>;

function isList(value: unknown): value is WireList {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && 'length' in value);
}

/** The object at a path below a value. */
export function readObject(value: unknown, ...names: readonly string[]): WireObject {
  let at = value;
  for (const name of names) at = isObject(at) ? at[name] : undefined;
  if (!isObject(at)) throw new MalformedInput(`${names.join('/') || 'the document'} must be an object`);
  return at;
}

/** A number property; if it is missing or null, `absent`, without which it is required. */
export function readNumber(object: WireObject, name: string, absent?: number): number {
  const value = object[name];
  if (typeof value === 'number') return value;
  if ((value === undefined || value === null) && absent !== undefined) return absent;
  throw new MalformedInput(`${name} must be a number`);
}

/** A string property; `absent` as in {@link readNumber}. */
export function readText(object: WireObject, name: string, absent?: string): string {
  const value = object[name];
  if (typeof value === 'string') return value;
  if ((value === undefined || value === null) && absent !== undefined) return absent;
  throw new MalformedInput(`${name} must be a text`);
}

/** The items of a list property; empty if it is optional and missing. */
export function readList(object: WireObject, name: string, mayLack = false): readonly unknown[] {
  const value = object[name];
  if (isList(value)) return Array.from(value);
  if (mayLack && (value === undefined || value === null)) return [];
  throw new MalformedInput(`${name} must be a list`);
}

/** The numbers of a list; NaN for null. */
export function readNumbers(object: WireObject, name: string): Float64Array {
  return Float64Array.from(readList(object, name), (item) => {
    if (item !== null && typeof item !== 'number') throw new MalformedInput(`${name} must be a list of numbers`);
    return item ?? Number.NaN;
  });
}

/** A list of pages, tasks or hosts, in rows or in columns; a scalar column holds for all rows. */
export class WireTable {
  readonly length: number;
  readonly #rows: readonly WireObject[] | null;
  readonly #columns: WireObject;
  readonly #name: string;

  /** @param length required number of rows, if the list belongs to another one */
  constructor(value: unknown, name: string, length?: number) {
    this.#name = name;
    if (isList(value)) {
      this.#rows = Array.from(value, (row) => {
        if (!isObject(row)) throw new MalformedInput(`${name} must be rows or columns`);
        return row;
      });
      this.#columns = {};
      this.length = this.#rows.length;
    } else if (isObject(value)) {
      this.#rows = null;
      this.#columns = value;
      const lists = Object.values(value).filter(isList);
      this.length = lists[0]?.length ?? length ?? 0;
      if (lists.some((list) => list.length !== this.length))
        throw new MalformedInput(`columns of ${name} differ in length`);
    } else throw new MalformedInput(`${name} must be rows or columns`);
    if (length !== undefined && length !== this.length) {
      throw new MalformedInput(`${name} has ${this.length} rows for ${length}`);
    }
  }

  /** Whether any row has the property. */
  has(name: string): boolean {
    if (this.#rows === null) return this.#columns[name] !== undefined;
    return this.#rows.some((row) => row[name] !== undefined && row[name] !== null);
  }

  /** The value of every row; undefined or null if missing. */
  values(name: string): readonly unknown[] {
    if (this.#rows !== null) return this.#rows.map((row) => row[name]);
    const column = this.#columns[name];
    return isList(column) ? Array.from(column) : new Array<unknown>(this.length).fill(column);
  }

  /** The number of every row. A missing one counts as `absent`. @throws MalformedInput where `absent` is left out too */
  numbers(name: string, absent?: number): Float64Array {
    return Float64Array.from(this.values(name), (value, i) => {
      if (typeof value === 'number') return value;
      if ((value === undefined || value === null) && absent !== undefined) return absent;
      throw new MalformedInput(`${this.#name} ${i} must have a number ${name}`);
    });
  }

  /** The string of every row; null if missing. */
  texts(name: string): readonly (string | null)[] {
    return this.values(name).map((value) => (typeof value === 'string' ? value : null));
  }

  /** The list of every row; null if missing. */
  lists(name: string): readonly (readonly unknown[] | null)[] {
    return this.values(name).map((value) => (isList(value) ? Array.from(value) : null));
  }
}

export const sumOf = (numbers: ArrayLike<number>): number => Array.from(numbers).reduce((sum, each) => sum + each, 0);

/** The value and the bound of an answer's objective; a bound of −Infinity for none. */
export function objectiveOf(answer: WireObject): { value: number; bound: number } {
  const objective = readObject(answer, 'objective');
  return { value: readNumber(objective, 'value'), bound: readNumber(objective, 'bound', Number.NEGATIVE_INFINITY) };
}

export function warningCodes(answer: WireObject): readonly string[] {
  return readList(answer, 'warnings', true).map((warning) => readText(readObject(warning), 'code'));
}
