/**
 * Columns of JSON read from their bytes: numbers, texts, and lists of numbers, any cell of which may be null. It reads
 * what JSON.parse would have read; any other column is left to the parser. The loops are written out: a call for each
 * of millions of cells takes as long as reading it.
 */
import { NumberCells, NumberListCells, TextCells } from '../../schemas/table/cells.ts';
import {
  afterBlanks,
  backslash,
  closeArray,
  comma,
  lowerN,
  nullBytes,
  openArray,
  quote,
  startsWith,
} from './json-bytes.ts';
import { readNumber } from './number.ts';

export interface ReadColumn {
  readonly cells: NumberCells | NumberListCells | TextCells;
  /** Where the column ends. */
  readonly end: number;
  /** The commas between cells, and within them. */
  readonly commas: number;
  /** Cells that are lists, and how many of them are not empty. */
  readonly lists: number;
  readonly filledLists: number;
  /** Texts, and their bytes. */
  readonly texts: number;
  readonly textBytes: number;
}

const none = { lists: 0, filledLists: 0, texts: 0, textBytes: 0 };
const firstCapacity = 1024;

/** Which cells are there: made where the first is not. */
class Presence {
  #valid: Uint8Array | null = null;

  miss(k: number, room: number): void {
    if (this.#valid === null || this.#valid.length < room) {
      const next = new Uint8Array(room).fill(1);
      if (this.#valid !== null) next.set(this.#valid);
      this.#valid = next;
    }
    this.#valid[k] = 0;
  }

  /** One byte a cell, or null where all are there. */
  of(count: number): Uint8Array | null {
    if (this.#valid === null || this.#valid.length >= count) return this.#valid?.subarray(0, count) ?? null;
    const valid = new Uint8Array(count).fill(1);
    valid.set(this.#valid);
    return valid;
  }
}

/** Room for twice as many. */
function grown<Values extends Float64Array | Int32Array>(values: Values, next: Values): Values {
  next.set(values);
  return next;
}

const twice = (values: Float64Array): Float64Array => grown(values, new Float64Array(2 * values.length));
const twiceAsMany = (values: Int32Array): Int32Array => grown(values, new Int32Array(2 * values.length));

/**
 * The numbers of a column after the bracket at `at`; null where it is anything else, empty or longer than `most`.
 * @param expected cells that the column probably has
 */
export function readNumbers(bytes: Uint8Array, at: number, most: number, expected: number): ReadColumn | null {
  let values: Float64Array = new Float64Array(Math.max(firstCapacity, expected));
  const present = new Presence();
  let i = afterBlanks(bytes, at + 1);
  for (let k = 0; k < most; k++) {
    if (k === values.length) values = twice(values);
    if (bytes[i] !== lowerN) {
      i = readNumber(bytes, i, values, k);
      if (i < 0) return null;
    } else if (startsWith(bytes, i, nullBytes)) {
      present.miss(k, values.length);
      values[k] = Number.NaN;
      i += nullBytes.length;
    } else return null;
    i = afterBlanks(bytes, i);
    if (bytes[i] === closeArray) {
      const cells = new NumberCells(values.subarray(0, k + 1), present.of(k + 1));
      return { ...none, cells, end: i + 1, commas: k };
    }
    if (bytes[i] !== comma) return null;
    i = afterBlanks(bytes, i + 1);
  }
  return null;
}

/** Texts without escapes, which stay where they are. */
export function readTexts(bytes: Uint8Array, at: number, most: number, expected: number): ReadColumn | null {
  let starts: Int32Array = new Int32Array(Math.max(firstCapacity, expected));
  let ends: Int32Array = new Int32Array(starts.length);
  let textBytes = 0;
  let texts = 0;
  const present = new Presence();
  let i = afterBlanks(bytes, at + 1);
  for (let k = 0; k < most; k++) {
    if (k === starts.length) {
      starts = twiceAsMany(starts);
      ends = twiceAsMany(ends);
    }
    if (bytes[i] === quote) {
      const from = ++i;
      while (bytes[i] >= 0x20 && bytes[i] !== quote && bytes[i] !== backslash) i++;
      // an escape, or what JSON does not allow in a text
      if (bytes[i] !== quote) return null;
      starts[k] = from - at;
      ends[k] = i - at;
      textBytes += i - from;
      texts++;
      i++;
    } else if (startsWith(bytes, i, nullBytes)) {
      present.miss(k, starts.length);
      i += nullBytes.length;
    } else return null;
    i = afterBlanks(bytes, i);
    if (bytes[i] === closeArray) {
      const [from, to] = [starts.subarray(0, k + 1), ends.subarray(0, k + 1)];
      const cells = new TextCells(from, to, bytes.subarray(at, i), present.of(k + 1));
      return { ...none, cells, end: i + 1, commas: k, texts, textBytes };
    }
    if (bytes[i] !== comma) return null;
    i = afterBlanks(bytes, i + 1);
  }
  return null;
}

/** Lists of numbers, each of at most `mostItems`. */
export function readNumberLists(bytes: Uint8Array, at: number, most: number, mostItems: number): ReadColumn | null {
  let offsets: Int32Array = new Int32Array(firstCapacity);
  let values: Float64Array = new Float64Array(firstCapacity);
  let used = 0;
  let lists = 0;
  let filledLists = 0;
  const present = new Presence();
  let i = afterBlanks(bytes, at + 1);
  for (let k = 0; k < most; k++) {
    if (k + 1 === offsets.length) offsets = twiceAsMany(offsets);
    if (bytes[i] === openArray) {
      lists++;
      i = afterBlanks(bytes, i + 1);
      if (bytes[i] === closeArray) i++;
      else {
        filledLists++;
        const last = used + mostItems;
        for (;;) {
          if (used === last) return null;
          if (used === values.length) values = twice(values);
          i = readNumber(bytes, i, values, used++);
          if (i < 0) return null;
          i = afterBlanks(bytes, i);
          const byte = bytes[i];
          i = byte === comma ? afterBlanks(bytes, i + 1) : i + 1;
          if (byte === closeArray) break;
          if (byte !== comma) return null;
        }
      }
    } else if (startsWith(bytes, i, nullBytes)) {
      present.miss(k, offsets.length);
      i += nullBytes.length;
    } else return null;
    offsets[k + 1] = used;
    i = afterBlanks(bytes, i);
    if (bytes[i] === closeArray) {
      const cells = new NumberListCells(offsets.subarray(0, k + 2), values.subarray(0, used), present.of(k + 1));
      return { ...none, cells, end: i + 1, commas: k + used - filledLists, lists, filledLists };
    }
    if (bytes[i] !== comma) return null;
    i = afterBlanks(bytes, i + 1);
  }
  return null;
}
