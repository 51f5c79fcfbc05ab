/**
 * Columns of JSON read from their bytes: numbers, texts, and lists of numbers, any cell of which may be null. It reads
 * what JSON.parse would have read; any other column is left to the parser. The loops are written out: a call for each
 * of millions of cells takes as long as reading it.
 */
import { NumberCells, NumberListCells, TextCells } from '../../schemas/table/cells.ts';
import type { Arriving, Steps } from './arriving.ts';
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

/** Where a column begins, and how long it may be. */
export interface ColumnStart {
  readonly bytes: Uint8Array;
  /** Its bracket. */
  readonly at: number;
  /** Cells it may have, and probably has. */
  readonly most: number;
  readonly expected: number;
  readonly arriving: Arriving;
}

/** The numbers of a column; null where it is anything else, empty or too long. */
export function* readNumbers({ bytes, at, most, expected, arriving }: ColumnStart): Steps<ReadColumn | null> {
  let values: Float64Array = new Float64Array(Math.max(firstCapacity, expected));
  const present = new Presence();
  let { available, enough } = arriving;
  for (let from = at + 1, k = 0; k < most; ) {
    if (from > enough) ({ available, enough } = yield* arriving.around(from));
    if (k === values.length) values = twice(values);
    let i = afterBlanks(bytes, from);
    const there = bytes[i] !== lowerN;
    if (there) i = readNumber(bytes, i, values, k);
    else i = startsWith(bytes, i, nullBytes) ? i + nullBytes.length : -1;
    if (i >= 0) i = afterBlanks(bytes, i);
    const byte = i < 0 ? 0 : bytes[i];
    if (byte !== comma || i >= available) {
      const step = yield* arriving.after(from, i, byte === closeArray);
      if (step === 'other') return null;
      ({ available, enough } = arriving);
      if (step === 'again') continue;
    }
    if (!there) {
      present.miss(k, values.length);
      values[k] = Number.NaN;
    }
    k++;
    if (byte === closeArray) {
      const cells = new NumberCells(values.subarray(0, k), present.of(k));
      return { ...none, cells, end: i + 1, commas: k - 1 };
    }
    from = i + 1;
  }
  return null;
}

/** Texts without escapes, which stay where they are. */
export function* readTexts({ bytes, at, most, expected, arriving }: ColumnStart): Steps<ReadColumn | null> {
  let starts: Int32Array = new Int32Array(Math.max(firstCapacity, expected));
  let ends: Int32Array = new Int32Array(starts.length);
  let textBytes = 0;
  let texts = 0;
  const present = new Presence();
  let { available, enough } = arriving;
  for (let from = at + 1, k = 0; k < most; ) {
    if (from > enough) ({ available, enough } = yield* arriving.around(from));
    if (k === starts.length) {
      starts = twiceAsMany(starts);
      ends = twiceAsMany(ends);
    }
    let i = afterBlanks(bytes, from);
    const there = bytes[i] === quote;
    if (there) {
      starts[k] = ++i - at;
      while (bytes[i] >= 0x20 && bytes[i] !== quote && bytes[i] !== backslash) i++;
      ends[k] = i - at;
      // an escape, or what JSON does not allow in a text
      i = bytes[i] === quote ? i + 1 : -1;
    } else i = startsWith(bytes, i, nullBytes) ? i + nullBytes.length : -1;
    if (i >= 0) i = afterBlanks(bytes, i);
    const byte = i < 0 ? 0 : bytes[i];
    if (byte !== comma || i >= available) {
      const step = yield* arriving.after(from, i, byte === closeArray);
      if (step === 'other') return null;
      ({ available, enough } = arriving);
      if (step === 'again') continue;
    }
    if (there) {
      texts++;
      textBytes += ends[k] - starts[k];
    } else {
      starts[k] = ends[k] = 0;
      present.miss(k, starts.length);
    }
    k++;
    if (byte === closeArray) {
      const cells = new TextCells(starts.subarray(0, k), ends.subarray(0, k), bytes.subarray(at, i), present.of(k));
      return { ...none, cells, end: i + 1, commas: k - 1, texts, textBytes };
    }
    from = i + 1;
  }
  return null;
}

/** Lists of numbers, each of at most `mostItems`. */
export function* readNumberLists(
  { bytes, at, most, expected, arriving }: ColumnStart,
  mostItems: number,
): Steps<ReadColumn | null> {
  let offsets: Int32Array = new Int32Array(Math.max(firstCapacity, expected + 1));
  let values: Float64Array = new Float64Array(firstCapacity);
  let lists = 0;
  let filledLists = 0;
  const present = new Presence();
  let { available, enough } = arriving;
  for (let from = at + 1, k = 0; k < most; ) {
    if (from > enough) ({ available, enough } = yield* arriving.around(from));
    if (k + 1 === offsets.length) offsets = twiceAsMany(offsets);
    let used = offsets[k];
    let i = afterBlanks(bytes, from);
    const there = bytes[i] === openArray;
    if (there) {
      i = afterBlanks(bytes, i + 1);
      const last = used + mostItems;
      let byte = bytes[i];
      if (byte === closeArray) i++;
      while (i >= 0 && byte !== closeArray) {
        if (used === values.length) values = twice(values);
        i = used === last ? -1 : readNumber(bytes, i, values, used++);
        if (i < 0) break;
        i = afterBlanks(bytes, i);
        byte = bytes[i];
        if (byte === comma) i = afterBlanks(bytes, i + 1);
        else i = byte === closeArray ? i + 1 : -1;
      }
    } else i = startsWith(bytes, i, nullBytes) ? i + nullBytes.length : -1;
    if (i >= 0) i = afterBlanks(bytes, i);
    const byte = i < 0 ? 0 : bytes[i];
    if (byte !== comma || i >= available) {
      const step = yield* arriving.after(from, i, byte === closeArray);
      if (step === 'other') return null;
      ({ available, enough } = arriving);
      if (step === 'again') continue;
    }
    if (there) {
      lists++;
      if (used > offsets[k]) filledLists++;
    } else present.miss(k, offsets.length);
    offsets[++k] = used;
    if (byte === closeArray) {
      const cells = new NumberListCells(offsets.subarray(0, k + 1), values.subarray(0, used), present.of(k));
      return { ...none, cells, end: i + 1, commas: k - 1 + used - filledLists, lists, filledLists };
    }
    from = i + 1;
  }
  return null;
}
