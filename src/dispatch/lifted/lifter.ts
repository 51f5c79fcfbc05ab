/**
 * Columns of numbers, texts and lists of numbers, and lists of pairs, are lifted out of a large body before it is
 * parsed. The parser would make an object of every text, list and pair, which takes longer than most solves. `[k]`
 * stands in their place. When the rest has been parsed, the cells that were read replace each (NumberCells, TextCells,
 * PairsCell). A column's reader takes them as it takes a list.
 *
 * A list of one number that stood there from the first, or a name written with an escape, could be taken for one of
 * these. Then nothing is lifted. Nothing is lifted either where a list is longer than it may be. A body whose rest is
 * no JSON is parsed as it came. So what is refused, and how, does not depend on any of this.
 */
import { type PairColumn, PairStore, PairsCell } from '../../schemas/table/pair-cells.ts';
import { isRecord } from '../../schemas/table/table-reading.ts';
import type { ColumnLists } from '../column-lists.ts';
import type { Arriving, Steps } from './arriving.ts';
import { type ReadColumn, readColumn, readerOf } from './cells.ts';
import {
  afterBlanks,
  closeArray,
  comma,
  minus,
  nullBytes,
  openArray,
  startsWith,
  wordsOf,
  zero,
} from './json-bytes.ts';
import { readPairs } from './pairs.ts';

/** What an operation's requests have in columns. */
interface LiftedColumns {
  readonly list: NonNullable<ColumnLists['request']>;
  readonly pairs?: PairColumn;
}

/** Longer lists are left to the parser, and to whoever refuses them. */
interface LongestLists {
  /** Most rows of the list, and most items of any other. */
  readonly rows: number;
  readonly items: number;
}

type Lifted = PairsCell | readonly (PairsCell | null)[] | ReadColumn['cells'];

/** What the parser would have made of the value lifted last, for whoever counts that. */
interface LiftedCount {
  containers: number;
  commas: number;
  /** Containers that are not empty. */
  filled: number;
  /** Levels below the value's own. */
  levels: number;
  texts: number;
  textBytes: number;
}

/** A number in brackets and a blank on either side. */
const longestPlaceholder = 14;
/** Of a body that is nearly all pairs, a pair with what stands between takes about as many. */
const bytesAPair = 12;

export class Lifter {
  readonly #names: ReadonlyMap<string, Uint8Array>;
  readonly #columns: LiftedColumns;
  readonly #list: Uint8Array;
  readonly #longest: LongestLists;
  readonly #store = new PairStore();
  readonly #lifted: Lifted[] = [];
  /** Where each lifted value stood: from, to. */
  readonly #cuts: number[] = [];
  readonly #count: LiftedCount = { containers: 0, commas: 0, filled: 0, levels: 0, texts: 0, textBytes: 0 };
  #rows = 0;
  #abandoned = false;

  constructor(columns: LiftedColumns, longest: LongestLists) {
    const encoder = new TextEncoder();
    this.#columns = columns;
    this.#longest = longest;
    this.#names = new Map([...columns.list.columns.keys()].map((name) => [name, encoder.encode(name)]));
    this.#list = encoder.encode(columns.list.name);
  }

  /** Nothing is to be lifted from this body after all. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Whether the name of the list stands between the positions. */
  isList(bytes: Uint8Array, from: number, to: number): boolean {
    return to - from === this.#list.length && startsWith(bytes, from, this.#list);
  }

  /** Whether the name between the positions may be that of a list of pairs, as rows have them. */
  isPairs(bytes: Uint8Array, from: number, to: number): boolean {
    const { pairs } = this.#columns;
    if (pairs === undefined) return false;
    const name = this.#names.get(pairs.column);
    return name !== undefined && to - from === name.length && startsWith(bytes, from, name);
  }

  /** Of the value taken last. */
  get count(): Readonly<LiftedCount> {
    return this.#count;
  }

  /**
   * Takes the value after the colon before `at`: one row's list of pairs.
   * @returns where the value ends; `at` where it is left to the parser; −1 where that takes more than is `available`
   */
  takeList(bytes: Uint8Array, at: number, available: number): number {
    if (this.#abandoned) return at;
    const from = afterBlanks(bytes, at);
    const next = afterBlanks(bytes, from + 1);
    if (next < available && (bytes[from] !== openArray || bytes[next] === closeArray)) return at;
    this.#countNothing();
    const used = this.#store.used;
    const value = bytes[from] === openArray ? this.#takePairs(bytes, from) : null;
    if (available === bytes.length) return this.#lift(bytes, at, from, value);
    if (value !== null && value.end < available) return this.#lift(bytes, at, from, value);
    this.#store.used = used;
    return -1;
  }

  /** Takes the whole column of the name between the other positions, as it arrives; returns the same. */
  *takeColumn(
    bytes: Uint8Array,
    at: number,
    name: { readonly from: number; readonly to: number },
    arriving: Arriving,
  ): Steps<number> {
    if (this.#abandoned) return at;
    yield* arriving.around(at);
    let from = afterBlanks(bytes, at);
    if (from >= arriving.available) {
      yield* arriving.whole();
      from = afterBlanks(bytes, at);
    }
    if (bytes[from] !== openArray) return at;
    this.#countNothing();
    const value = yield* this.#takeNamed(bytes, from, name, arriving);
    // what it is instead, the bytes after it tell
    if (value === null) yield* arriving.whole();
    return this.#lift(bytes, at, from, value);
  }

  #countNothing(): void {
    const count = this.#count;
    count.containers = count.commas = count.filled = count.levels = count.texts = count.textBytes = 0;
  }

  /** Keeps what was read of the value after `at`, and returns where it ends; null is left to the parser. */
  #lift(bytes: Uint8Array, at: number, from: number, value: { lifted: Lifted; end: number } | null): number {
    if (value === null) {
      // could be taken for a list that stands for a lifted one
      const next = bytes[afterBlanks(bytes, from + 1)];
      if (next === minus || (next >= zero && next <= zero + 9)) this.abandon();
      return at;
    }
    this.#lifted.push(value.lifted);
    this.#cuts.push(from, value.end);
    return value.end;
  }

  *#takeNamed(
    bytes: Uint8Array,
    at: number,
    { from, to }: { from: number; to: number },
    arriving: Arriving,
  ): Steps<{ lifted: Lifted; end: number } | null> {
    const { list, pairs } = this.#columns;
    for (const [name, encoded] of this.#names) {
      if (to - from !== encoded.length || !startsWith(bytes, from, encoded)) continue;
      if (name === pairs?.column) {
        yield* arriving.whole();
        return this.#takePairsColumn(bytes, at);
      }
      const { rows, items } = this.#longest;
      const start = { bytes, words: wordsOf(bytes), at, expected: this.#rows };
      const cells = readerOf(list.columns.get(name), start, items);
      return this.#taken(yield* readColumn(cells, rows, arriving));
    }
    return null;
  }

  /** Counts a column that was read. */
  #taken(column: ReadColumn | null): { lifted: Lifted; end: number } | null {
    if (column === null) return null;
    const count = this.#count;
    count.containers = 1 + column.lists;
    count.filled = 1 + column.filledLists;
    count.commas = column.commas;
    count.levels = column.lists > 0 ? 1 : 0;
    count.texts = column.texts;
    count.textBytes = column.textBytes;
    this.#rows = column.cells.length;
    return { lifted: column.cells, end: column.end };
  }

  #takePairs(bytes: Uint8Array, at: number): { lifted: PairsCell; end: number } | null {
    const { pairs: place } = this.#columns;
    if (place === undefined) return null;
    if (this.#store.used === 0) this.#store.reserve(Math.ceil(bytes.length / bytesAPair));
    const from = this.#store.used;
    const end = readPairs(bytes, at, this.#store, place.mostSize);
    const pairs = this.#store.used - from;
    if (end < 0 || pairs > this.#longest.items) {
      this.#store.used = from;
      return null;
    }
    this.#count.containers += 1 + pairs;
    this.#count.commas += 2 * pairs - 1;
    this.#count.filled += 1 + pairs;
    this.#count.levels = Math.max(this.#count.levels, 1);
    return { lifted: new PairsCell(this.#store, from, this.#store.used), end };
  }

  /** A column of lists of pairs, of which some may be empty or null. */
  #takePairsColumn(bytes: Uint8Array, at: number): { lifted: Lifted; end: number } | null {
    const used = this.#store.used;
    const cells: (PairsCell | null)[] = [];
    for (let i = afterBlanks(bytes, at + 1); cells.length < this.#longest.rows; i = afterBlanks(bytes, i + 1)) {
      if (bytes[i] === openArray && bytes[afterBlanks(bytes, i + 1)] === closeArray) {
        cells.push(new PairsCell(this.#store, this.#store.used, this.#store.used));
        this.#count.containers++;
        this.#count.levels = Math.max(this.#count.levels, 1);
        i = afterBlanks(bytes, i + 1) + 1;
      } else if (startsWith(bytes, i, nullBytes)) {
        cells.push(null);
        i += nullBytes.length;
      } else {
        const list = bytes[i] === openArray ? this.#takePairs(bytes, i) : null;
        if (list === null) break;
        cells.push(list.lifted);
        this.#count.levels = 2;
        i = list.end;
      }
      i = afterBlanks(bytes, i);
      if (bytes[i] === closeArray) {
        this.#count.containers++;
        this.#count.filled++;
        this.#count.commas += cells.length - 1;
        return { lifted: cells, end: i + 1 };
      }
      if (bytes[i] !== comma) break;
    }
    this.#store.used = used;
    return null;
  }

  /** The body with `[k]` for each lifted value; null where nothing was lifted. */
  rest(body: Uint8Array): Uint8Array | null {
    if (this.#abandoned || this.#lifted.length === 0) return null;
    const cuts = this.#cuts;
    let length = body.length + longestPlaceholder * this.#lifted.length;
    for (let k = 0; k < cuts.length; k += 2) length -= cuts[k + 1] - cuts[k];
    const rest = new Uint8Array(length);
    let at = 0;
    let from = 0;
    for (let k = 0; k < this.#lifted.length; k++) {
      rest.set(body.subarray(from, cuts[2 * k]), at);
      at = writePlaceholder(rest, at + cuts[2 * k] - from, k);
      from = cuts[2 * k + 1];
    }
    rest.set(body.subarray(from), at);
    return rest.subarray(0, at + body.length - from);
  }

  /** Puts the cells in the place of their numbers in the parsed rest. */
  restore(parsed: unknown): void {
    const { list, pairs } = this.#columns;
    const given = isRecord(parsed) ? parsed[list.name] : null;
    if (isRecord(given)) for (const name of this.#names.keys()) this.#restoreAt(given, name);
    if (!Array.isArray(given) || pairs === undefined) return;
    for (let i = 0; i < given.length; i++) {
      const row: unknown = given[i];
      if (isRecord(row)) this.#restoreAt(row, pairs.column);
    }
  }

  #restoreAt(holder: Readonly<Record<string, unknown>>, name: string): void {
    const value = Object.hasOwn(holder, name) ? holder[name] : null;
    if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'number') {
      Reflect.set(holder, name, this.#lifted[value[0]]);
    }
  }
}

/** Writes ` [k] ` at a position; where it ends. The blanks keep it apart from whatever stands beside it. */
function writePlaceholder(target: Uint8Array, at: number, k: number): number {
  const text = ` [${k}] `;
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i);
  return at + text.length;
}
