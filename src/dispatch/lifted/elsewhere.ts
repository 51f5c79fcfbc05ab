/**
 * Columns that another thread reads while this one reads those before them. It takes them from the last on, this one
 * from the first, and each is taken once: so whoever is slower reads fewer. Where a column stands is guessed from the
 * bytes before it. A wrong guess is never asked for: a reader comes only to where a column is. What is read there
 * depends on the bytes alone, and so not on who reads it.
 */
import { NumberCells, NumberListCells, TextCells } from '../../schemas/table/cells.ts';
import { type Hands, type Part, unlimitedBudget } from '../../solvers/budget.ts';
import type { CellKind } from '../column-lists.ts';
import { Arriving, atOnce } from './arriving.ts';
import { type ReadColumn, readColumn, readerOf } from './cells.ts';
import { quote, startsWith, wordsOf } from './json-bytes.ts';

interface RestOfBody {
  /** All of it, in memory that threads share. */
  readonly bytes: Uint8Array;
  /** What stands before is not looked at. */
  readonly from: number;
  /** The columns that may come, by name, and what their cells are. */
  readonly columns: readonly (readonly [string, CellKind])[];
  /** The most rows, and items of a list. */
  readonly rows: number;
  readonly items: number;
  /** So many rows there probably are. */
  readonly expected: number;
  /** The number of columns found, 1 once no more are wanted; then for each its bracket, and 1 once it is taken. */
  readonly found: Int32Array;
}

interface ColumnElsewhere {
  readonly at: number;
  readonly column: ReadColumn;
}

/** Less is read here before another thread has begun. */
const leastBytes = 4 * 2 ** 20;
const mostFound = 128;
const foundAt = 0;
const endedAt = 1;
const bracketAt = (k: number): number => 2 + 2 * k;
const takenAt = (k: number): number => 3 + 2 * k;
/** What stands between a name and its column, by nearly all writers. */
const betweens = ['":[', '": ['];

export const columnsPart: Part<RestOfBody, ColumnElsewhere[]> = {
  name: 'columns-of-body',
  run(rest) {
    const { bytes, found, rows, items, expected } = rest;
    const made: ColumnElsewhere[] = [];
    const words = wordsOf(bytes);
    const kinds = find(rest);
    for (let k = kinds.length - 1; k >= 0 && areWanted(found) && takes(found, k); k--) {
      const at = found[bracketAt(k)];
      const reader = readerOf(kinds[k], { bytes, words, at, expected }, items);
      const column = atOnce(readColumn(reader, rows, new Arriving(bytes.length)));
      if (column !== null) made.push({ at, column });
    }
    return made;
  },
};

const areWanted = (found: Int32Array): boolean => Atomics.load(found, endedAt) === 0;

/** Whether the column is still nobody's; it is the caller's then. */
const takes = (found: Int32Array, k: number): boolean => Atomics.compareExchange(found, takenAt(k), 0, 1) === 0;

/** Tells where columns seem to be; gives what their cells are. */
function find({ bytes, from, columns, found }: RestOfBody): readonly CellKind[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encoder = new TextEncoder();
  const names = columns.map(([name, kind]) => ({ name: encoder.encode(name), kind }));
  const kinds: CellKind[] = [];
  for (const between of betweens) {
    for (let end = from; kinds.length < mostFound && areWanted(found); ) {
      const at = text.indexOf(between, end + 1);
      if (at < 0) break;
      const known = names.find(
        ({ name }) => bytes[at - name.length - 1] === quote && startsWith(bytes, at - name.length, name),
      );
      if (known !== undefined) found[bracketAt(kinds.push(known.kind) - 1)] = at + between.length - 1;
      end = at;
    }
    if (kinds.length > 0) break;
  }
  Atomics.store(found, foundAt, kinds.length);
  return kinds;
}

/** Cells with their methods, without which they come from another thread. */
function revived(cells: ReadColumn['cells']): ReadColumn['cells'] {
  if ('starts' in cells) return new TextCells(cells.starts, cells.ends, cells.bytes, cells.valid);
  if ('offsets' in cells) return new NumberListCells(cells.offsets, cells.values, cells.valid);
  return new NumberCells(cells.values, cells.valid);
}

/** The columns of the rest of a body, as far as another thread reads them. */
export class ColumnsElsewhere {
  readonly #found: Int32Array;
  readonly #wait: () => ColumnElsewhere[];
  #made: ReadonlyMap<number, ReadColumn> | null = null;

  private constructor(rest: Omit<RestOfBody, 'found'>, hands: Hands) {
    this.#found = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * bracketAt(mostFound)));
    this.#wait = hands.start(columnsPart, { ...rest, found: this.#found }, unlimitedBudget());
  }

  /** Null where it is not worth a thread, or threads do not see the bytes. */
  static of(rest: Omit<RestOfBody, 'found'>, hands: Hands): ColumnsElsewhere | null {
    const { bytes, from } = rest;
    const worthIt = bytes.buffer instanceof SharedArrayBuffer && bytes.length - from >= leastBytes;
    return worthIt ? new ColumnsElsewhere(rest, hands) : null;
  }

  /** The column with this bracket; null where it is for the caller to read. */
  take(at: number): ReadColumn | null {
    const found = this.#found;
    for (let k = 0; k < Atomics.load(found, foundAt); k++) {
      if (found[bracketAt(k)] === at) return takes(found, k) ? null : (this.#columns().get(at) ?? null);
    }
    return null;
  }

  /** No more are wanted. */
  end(): void {
    Atomics.store(this.#found, endedAt, 1);
    this.#columns();
  }

  #columns(): ReadonlyMap<number, ReadColumn> {
    this.#made ??= new Map(
      this.#wait().map(({ at, column }) => [at, { ...column, cells: revived(column.cells) }] as const),
    );
    return this.#made;
  }
}
