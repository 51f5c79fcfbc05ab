/**
 * Lists of pairs are lifted out of a large body before it is parsed: of a log with thirty checks a page the parser
 * would make thirty-one arrays a page, which takes longer than the plan's estimates. In their place stands a number;
 * when the rest has been parsed, each is replaced by the cell that was read (PairsCell), which the column's reader
 * takes as it takes a list.
 *
 * A number that stood there from the first, or a name written with an escape, could be taken for one of these: then
 * nothing is lifted, and so where a list is longer than it may be. A body whose rest is no JSON is parsed as it came,
 * so that what is refused, and how, does not depend on any of this.
 */
import { type PairColumn, PairStore, PairsCell } from '../../schemas/table/pair-cells.ts';
import { isRecord } from '../../schemas/table/table-reading.ts';
import { afterBlanks, readPairs, startsWith } from './read-pairs.ts';

/** Longer lists are left to the parser, and to whoever refuses them. */
export interface LongestLists {
  /** Most rows of the list, and most cells of a column of it. */
  readonly rows: number;
  readonly pairs: number;
}

type Lifted = PairsCell | (PairsCell | null)[];

/** What the parser would have made of the value lifted last, for whoever counts that. */
export interface LiftedCount {
  containers: number;
  commas: number;
  /** Containers that are not empty. */
  filled: number;
  /** Levels below the value's own. */
  levels: number;
}

const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const space = 0x20;
const openArray = 0x5b;
const closeArray = 0x5d;
const nullBytes = Uint8Array.of(0x6e, 0x75, 0x6c, 0x6c);
/** A number and a blank on either side. */
const longestPlaceholder = 12;
/** Of a body that is nearly all pairs, a pair with what stands between takes about as many. */
const bytesAPair = 12;

export class PairLifter {
  readonly column: Uint8Array;
  readonly #list: Uint8Array;
  readonly #place: PairColumn;
  readonly #longest: LongestLists;
  readonly #store = new PairStore();
  readonly #lifted: Lifted[] = [];
  /** Where each lifted value stood: from, to. */
  readonly #cuts: number[] = [];
  readonly #count: LiftedCount = { containers: 0, commas: 0, filled: 0, levels: 0 };
  #abandoned = false;

  constructor(place: PairColumn, longest: LongestLists) {
    this.#place = place;
    this.#longest = longest;
    this.column = new TextEncoder().encode(place.column);
    this.#list = new TextEncoder().encode(place.list);
  }

  /** Nothing is to be lifted from this body after all. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Whether the name of the list stands between the positions. */
  isList(bytes: Uint8Array, from: number, to: number): boolean {
    return to - from === this.#list.length && startsWith(bytes, from, this.#list);
  }

  /** Of the value taken last. */
  get count(): Readonly<LiftedCount> {
    return this.#count;
  }

  /**
   * Takes the value after the colon before `at`: one row's list, or the whole column.
   * @returns where the value ends; `at` where it is left to the parser
   */
  take(bytes: Uint8Array, at: number, form: 'row' | 'column'): number {
    if (this.#abandoned) return at;
    const from = afterBlanks(bytes, at);
    const byte = bytes[from];
    if (byte === minus || (byte >= zero && byte <= zero + 9)) this.abandon();
    if (byte !== openArray) return at;
    if (this.#lifted.length === 0) this.#store.reserve(Math.ceil(bytes.length / bytesAPair));
    this.#count.containers = this.#count.commas = this.#count.filled = this.#count.levels = 0;
    const used = this.#store.used;
    const value = form === 'row' ? this.#takeList(bytes, from) : this.#takeColumn(bytes, from);
    if (value === null) {
      this.#store.used = used;
      return at;
    }
    this.#lifted.push(value.lifted);
    this.#cuts.push(from, value.end);
    return value.end;
  }

  #takeList(bytes: Uint8Array, at: number): { lifted: PairsCell; end: number } | null {
    const from = this.#store.used;
    const end = readPairs(bytes, at, this.#store, this.#place.mostSize);
    const pairs = this.#store.used - from;
    if (end < 0 || pairs > this.#longest.pairs) return null;
    this.#count.containers += 1 + pairs;
    this.#count.commas += 2 * pairs - 1;
    this.#count.filled += 1 + pairs;
    this.#count.levels = Math.max(this.#count.levels, 1);
    return { lifted: new PairsCell(this.#store, from, this.#store.used), end };
  }

  /** A column of lists, of which some may be empty or null. */
  #takeColumn(bytes: Uint8Array, at: number): { lifted: Lifted; end: number } | null {
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
        const list = bytes[i] === openArray ? this.#takeList(bytes, i) : null;
        if (list === null) return null;
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
      if (bytes[i] !== comma) return null;
    }
    return null;
  }

  /** The body with a number for each lifted value; null where nothing was lifted. */
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
    const { list: name, column } = this.#place;
    const list = isRecord(parsed) ? parsed[name] : null;
    const holders: readonly unknown[] = Array.isArray(list) ? list : [list];
    for (let i = 0; i < holders.length; i++) {
      const holder = holders[i];
      if (!isRecord(holder)) continue;
      const at = holder[column];
      if (typeof at === 'number') Reflect.set(holder, column, this.#lifted[at]);
    }
  }
}

/** Writes ` k ` at a position; where it ends. The blanks keep it apart from whatever stands beside it. */
function writePlaceholder(target: Uint8Array, at: number, k: number): number {
  let size = 1;
  for (let rest = k; rest >= 10; rest = Math.floor(rest / 10)) size++;
  target[at] = space;
  let rest = k;
  for (let i = at + size; i > at; i--) {
    target[i] = zero + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  target[at + size + 1] = space;
  return at + size + 2;
}
