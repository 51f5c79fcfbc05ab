/**
 * Columns of JSON read from their bytes: numbers, texts, and lists of numbers, any cell of which may be null. It reads
 * what JSON.parse would have read; any other column is left to the parser.
 */
import { NumberCells, NumberListCells, TextCells } from '../../schemas/table/cells.ts';
import type { CellKind } from '../column-lists.ts';
import type { Arriving, Steps } from './arriving.ts';
import { afterBlanks, afterNull, backslash, closeArray, comma, lowerN, openArray, quote, zero } from './json-bytes.ts';
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

/** Room for twice as many. */
function grown<Values extends Float64Array | Int32Array | Uint8Array>(values: Values, next: Values): Values {
  next.set(values);
  return next;
}

const twice = (values: Float64Array): Float64Array => grown(values, new Float64Array(2 * values.length));
const twiceAsMany = (values: Int32Array): Int32Array => grown(values, new Int32Array(2 * values.length));

/** Where a column stands, and how long it probably is. */
interface ColumnStart {
  readonly bytes: Uint8Array;
  /** The same bytes. */
  readonly words: DataView;
  /** Its bracket. */
  readonly at: number;
  readonly expected: number;
}

/** The cells of a column that have been read. */
abstract class CellReader {
  readonly bytes: Uint8Array;
  readonly words: DataView;
  readonly at: number;
  count = 0;

  constructor({ bytes, words, at }: ColumnStart) {
    this.bytes = bytes;
    this.words = words;
    this.at = at;
  }

  /** Reads a cell to position k, perhaps again; where it ends, or −1. */
  abstract cell(at: number, k: number): number;

  /** The column, whose bracket closes before `end`. */
  abstract column(end: number): ReadColumn;

  /**
   * Reads the cells that a comma follows at once, as nearly all are written, as far as enough has come. A loop of a
   * generator takes twice as long. Returns where the first other cell begins.
   */
  run(from: number, { available, enough }: Arriving, most: number): number {
    const { bytes } = this;
    let k = this.count;
    let at = from;
    while (at <= enough && k < most) {
      const end = this.cell(afterBlanks(bytes, at), k);
      if (bytes[end] !== comma || end >= available) break;
      k++;
      at = end + 1;
    }
    this.count = k;
    return at;
  }
}

/** Reads a column of at most so many cells as it arrives; null where it is anything else, empty or too long. */
export function* readColumn(cells: CellReader, most: number, arriving: Arriving): Steps<ReadColumn | null> {
  const { bytes } = cells;
  for (let from = cells.at + 1; cells.count < most; ) {
    if (from > arriving.enough) yield* arriving.around(from);
    from = cells.run(from, arriving, most);
    if (cells.count === most) break;
    if (from > arriving.enough) continue;
    let i = cells.cell(afterBlanks(bytes, from), cells.count);
    if (i >= 0) i = afterBlanks(bytes, i);
    const byte = i < 0 ? 0 : bytes[i];
    if (byte !== comma || i >= arriving.available) {
      const step = yield* arriving.after(from, i, byte === closeArray);
      if (step === 'other') return null;
      if (step === 'again') continue;
    }
    cells.count++;
    if (byte === closeArray) return cells.column(i + 1);
    from = i + 1;
  }
  return null;
}

class NumberReader extends CellReader {
  #values: Float64Array;

  constructor(start: ColumnStart) {
    super(start);
    this.#values = new Float64Array(Math.max(firstCapacity, start.expected));
  }

  cell(at: number, k: number): number {
    if (k === this.#values.length) this.#values = twice(this.#values);
    if (this.bytes[at] !== lowerN) return readNumber(this.bytes, at, this.#values, k, this.words);
    this.#values[k] = Number.NaN;
    return afterNull(this.bytes, at);
  }

  /** The same with the loop for numbers written out. */
  override run(from: number, { available, enough }: Arriving, most: number): number {
    const { bytes, words } = this;
    const values = this.#values;
    const last = Math.min(most, values.length);
    let k = this.count;
    let at = from;
    while (at <= enough && k < last) {
      let end = afterBlanks(bytes, at);
      const byte = bytes[end];
      if (bytes[end + 1] === comma && byte >= zero && byte <= zero + 9) {
        values[k] = byte - zero;
        end++;
      } else if (byte === lowerN) {
        values[k] = Number.NaN;
        end = afterNull(bytes, end);
      } else end = readNumber(bytes, end, values, k, words);
      if (bytes[end] !== comma || end >= available) break;
      k++;
      at = end + 1;
    }
    this.count = k;
    return at;
  }

  column(end: number): ReadColumn {
    const values = this.#values.subarray(0, this.count);
    const valid = new Uint8Array(this.count);
    let there = 0;
    for (let k = 0; k < valid.length; k++) {
      // false for NaN; a branch would be guessed wrong
      const is = +(values[k] <= Number.POSITIVE_INFINITY);
      valid[k] = is;
      there += is;
    }
    const cells = new NumberCells(values, there === this.count ? null : valid);
    return { ...none, cells, end, commas: this.count - 1 };
  }
}

/** Texts without escapes, which stay where they are: from `at` on, as the bracket is no text's start. */
class TextReader extends CellReader {
  #starts: Int32Array;
  #ends: Int32Array;

  constructor(start: ColumnStart) {
    super(start);
    this.#starts = new Int32Array(Math.max(firstCapacity, start.expected));
    this.#ends = new Int32Array(this.#starts.length);
  }

  cell(at: number, k: number): number {
    if (k === this.#starts.length) {
      this.#starts = twiceAsMany(this.#starts);
      this.#ends = twiceAsMany(this.#ends);
    }
    const { bytes } = this;
    if (bytes[at] !== quote) {
      this.#starts[k] = this.#ends[k] = 0;
      return afterNull(bytes, at);
    }
    let i = at + 1;
    this.#starts[k] = i - this.at;
    while (bytes[i] >= 0x20 && bytes[i] !== quote && bytes[i] !== backslash) i++;
    this.#ends[k] = i - this.at;
    // otherwise an escape, or what JSON does not allow in a text
    return bytes[i] === quote ? i + 1 : -1;
  }

  column(end: number): ReadColumn {
    const starts = this.#starts.subarray(0, this.count);
    const ends = this.#ends.subarray(0, this.count);
    const valid = new Uint8Array(this.count);
    let texts = 0;
    let textBytes = 0;
    for (let k = 0; k < ends.length; k++) {
      valid[k] = Math.min(1, ends[k]);
      texts += valid[k];
      textBytes += ends[k] - starts[k];
    }
    const whole = this.bytes.subarray(this.at, end - 1);
    const cells = new TextCells(starts, ends, whole, texts === this.count ? null : valid);
    return { ...none, cells, end, commas: this.count - 1, texts, textBytes };
  }
}

/** Lists of numbers, each of at most `mostItems`. */
class ListReader extends CellReader {
  readonly #mostItems: number;
  #offsets: Int32Array;
  #there: Uint8Array;
  #values: Float64Array = new Float64Array(firstCapacity);

  constructor(start: ColumnStart, mostItems: number) {
    super(start);
    this.#mostItems = mostItems;
    this.#offsets = new Int32Array(Math.max(firstCapacity, start.expected + 1));
    this.#there = new Uint8Array(this.#offsets.length);
  }

  cell(at: number, k: number): number {
    if (k + 1 === this.#offsets.length) {
      this.#offsets = twiceAsMany(this.#offsets);
      this.#there = grown(this.#there, new Uint8Array(this.#offsets.length));
    }
    const isList = this.bytes[at] === openArray;
    this.#there[k] = isList ? 1 : 0;
    this.#offsets[k + 1] = this.#offsets[k];
    return isList ? this.#list(at + 1, k) : afterNull(this.bytes, at);
  }

  #list(at: number, k: number): number {
    const { bytes, words } = this;
    let used = this.#offsets[k];
    const last = used + this.#mostItems;
    let i = afterBlanks(bytes, at);
    if (bytes[i] === closeArray) return i + 1;
    while (used < last) {
      if (used === this.#values.length) this.#values = twice(this.#values);
      i = readNumber(bytes, i, this.#values, used++, words);
      if (i < 0) return -1;
      i = afterBlanks(bytes, i);
      if (bytes[i] === closeArray) {
        this.#offsets[k + 1] = used;
        return i + 1;
      }
      if (bytes[i] !== comma) return -1;
      i = afterBlanks(bytes, i + 1);
    }
    return -1;
  }

  column(end: number): ReadColumn {
    const { count } = this;
    const offsets = this.#offsets.subarray(0, count + 1);
    const there = this.#there.subarray(0, count);
    const used = offsets[count];
    let lists = 0;
    let filledLists = 0;
    for (let k = 0; k < count; k++) {
      lists += there[k];
      filledLists += +(offsets[k + 1] > offsets[k]);
    }
    const cells = new NumberListCells(offsets, this.#values.subarray(0, used), lists === count ? null : there);
    return { ...none, cells, end, commas: count - 1 + used - filledLists, lists, filledLists };
  }
}

/** A reader of cells of a kind; those of lists have at most `items` each. */
export function readerOf(kind: CellKind | undefined, start: ColumnStart, items: number): CellReader {
  if (kind === 'number' || kind === 'flag') return new NumberReader(start);
  return kind === 'text' ? new TextReader(start) : new ListReader(start, items);
}
