/**
 * Columns of JSON read from their bytes: numbers, texts, and lists of numbers, any cell of which may be null. What is
 * read is what JSON.parse would have read; any other column is left to the parser.
 */
import { NumberCells, TextCells } from '../../schemas/table/cells.ts';
import { afterBlanks, backslash, closeArray, comma, nullBytes, openArray, quote, startsWith } from './json-bytes.ts';
import { readNumber } from './number.ts';

export interface ReadColumn {
  readonly cells: NumberCells | TextCells | (number[] | null)[];
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

/**
 * Reads the cells after the bracket at `at`.
 * @param readCell reads cell k at a position, null too; where it ends, or −1
 * @returns how many cells there are and where the column ends; null where it is anything else, empty or longer than
 * `most`
 */
function readCells(
  bytes: Uint8Array,
  at: number,
  most: number,
  readCell: (i: number, k: number) => number,
): { count: number; end: number } | null {
  let i = afterBlanks(bytes, at + 1);
  for (let k = 0; k < most; k++) {
    i = readCell(i, k);
    if (i < 0) return null;
    i = afterBlanks(bytes, i);
    if (bytes[i] === closeArray) return { count: k + 1, end: i + 1 };
    if (bytes[i] !== comma) return null;
    i = afterBlanks(bytes, i + 1);
  }
  return null;
}

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

/** @param expected cells that the column probably has */
export function readNumbers(bytes: Uint8Array, at: number, most: number, expected: number): ReadColumn | null {
  let values = new Float64Array(Math.max(firstCapacity, expected));
  const present = new Presence();
  const column = readCells(bytes, at, most, (i, k) => {
    if (k === values.length) values = grown(values);
    const end = readNumber(bytes, i, values, k);
    if (end >= 0 || !startsWith(bytes, i, nullBytes)) return end;
    present.miss(k, values.length);
    return i + nullBytes.length;
  });
  if (column === null) return null;
  const { count, end } = column;
  return { ...none, cells: new NumberCells(values.subarray(0, count), present.of(count)), end, commas: count - 1 };
}

function grown(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const next = new Float64Array(2 * values.length);
  next.set(values);
  return next;
}

/** Texts without escapes. */
export function readTexts(bytes: Uint8Array, at: number, most: number, expected: number): ReadColumn | null {
  let offsets = new Int32Array(Math.max(firstCapacity, expected + 1));
  let characters = new Uint8Array(16 * offsets.length);
  let used = 0;
  let texts = 0;
  const present = new Presence();
  const column = readCells(bytes, at, most, (i, k) => {
    if (k + 1 === offsets.length) {
      const next = new Int32Array(2 * offsets.length);
      next.set(offsets);
      offsets = next;
    }
    let end = i + nullBytes.length;
    if (bytes[i] === quote) {
      end = endOfText(bytes, i + 1);
      if (end < 0) return -1;
      const size = end - i - 1;
      if (used + size > characters.length) {
        const next = new Uint8Array(Math.max(used + size, 2 * characters.length));
        next.set(characters);
        characters = next;
      }
      for (let from = i + 1; from < end; from++) characters[used++] = bytes[from];
      end++;
      texts++;
    } else if (startsWith(bytes, i, nullBytes)) present.miss(k, offsets.length);
    else return -1;
    offsets[k + 1] = used;
    return end;
  });
  if (column === null) return null;
  const { count, end } = column;
  const cells = new TextCells(offsets.subarray(0, count + 1), characters.subarray(0, used), present.of(count));
  return { ...none, cells, end, commas: count - 1, texts, textBytes: used };
}

/** Where the quote stands that ends a text; −1 where there is an escape or what JSON does not allow in a text. */
function endOfText(bytes: Uint8Array, at: number): number {
  let i = at;
  while (bytes[i] >= 0x20 && bytes[i] !== quote && bytes[i] !== backslash) i++;
  return bytes[i] === quote ? i : -1;
}

/** Lists of numbers. */
export function readNumberLists(bytes: Uint8Array, at: number, most: number, mostItems: number): ReadColumn | null {
  const cells: (number[] | null)[] = [];
  const number = new Float64Array(1);
  let commas = 0;
  let lists = 0;
  let filledLists = 0;
  const column = readCells(bytes, at, most, (i) => {
    if (bytes[i] !== openArray) {
      cells.push(null);
      return startsWith(bytes, i, nullBytes) ? i + nullBytes.length : -1;
    }
    const list: number[] = [];
    cells.push(list);
    lists++;
    const first = afterBlanks(bytes, i + 1);
    if (bytes[first] === closeArray) return first + 1;
    const read = readCells(bytes, i, mostItems, (from) => {
      const end = readNumber(bytes, from, number, 0);
      list.push(number[0]);
      return end;
    });
    if (read === null) return -1;
    commas += read.count - 1;
    filledLists++;
    return read.end;
  });
  if (column === null) return null;
  return { ...none, cells, end: column.end, commas: commas + column.count - 1, lists, filledLists };
}
