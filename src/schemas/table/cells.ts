/**
 * Columns that came in binary form: numbers, texts and lists of numbers by position, without a JavaScript value for each.
 * A column that knows how takes them whole; any other reads them cell by cell, as it reads JSON. Nobody writes to them.
 */

/** What was asked of cells and answered: a column that came early is looked through before it is checked. */
class Answered<Answer> {
  #question = '';
  #answer: Answer | null = null;

  once(question: string, look: () => Answer): Answer {
    if (this.#answer === null || this.#question !== question) {
      this.#question = question;
      this.#answer = look();
    }
    return this.#answer;
  }
}

/** Numbers; `valid` has a 1 for each cell that is there, and is null where all are. The value of any other is NaN. */
export class NumberCells {
  readonly length: number;
  readonly values: Float64Array;
  readonly valid: Uint8Array | null;
  /** Whether all are within a range. */
  readonly within = new Answered<boolean>();

  constructor(values: Float64Array, valid: Uint8Array | null) {
    this.length = values.length;
    this.values = values;
    this.valid = valid;
  }

  at(position: number): number | null {
    return this.valid !== null && this.valid[position] === 0 ? null : this.values[position];
  }
}

/**
 * Lists of numbers, one after the other: cell i is `values` from `offsets[i]` to `offsets[i + 1]`, and `valid` as for
 * numbers.
 */
export class NumberListCells {
  readonly length: number;
  readonly offsets: Int32Array;
  readonly values: Float64Array;
  readonly valid: Uint8Array | null;

  constructor(offsets: Int32Array, values: Float64Array, valid: Uint8Array | null) {
    this.length = offsets.length - 1;
    this.offsets = offsets;
    this.values = values;
    this.valid = valid;
  }

  at(position: number): number[] | null {
    if (this.valid !== null && this.valid[position] === 0) return null;
    const list: number[] = [];
    for (let j = this.offsets[position]; j < this.offsets[position + 1]; j++) list.push(this.values[j]);
    return list;
  }
}

/** A mark of the order of bytes is a character like others within a text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (bytes[i] >= 0x80) return false;
  return true;
}

/** Places for the sizes and first letters of some words. */
const wordSlots = 256;
const wordSlot = (size: number, first: number): number => (29 * size + first) & (wordSlots - 1);

/** Texts in UTF-8: cell i is `bytes` from `starts[i]` to `ends[i]`. */
export class TextCells {
  readonly length: number;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly bytes: Uint8Array;
  readonly valid: Uint8Array | null;
  /** All the bytes as one text where they are ASCII, of which every cell is a part; undefined until it is asked for. */
  #ascii: string | null | undefined;
  readonly #positions = new Answered<Int8Array>();

  constructor(starts: Int32Array, ends: Int32Array, bytes: Uint8Array, valid: Uint8Array | null) {
    this.length = starts.length;
    this.starts = starts;
    this.ends = ends;
    this.bytes = bytes;
    this.valid = valid;
  }

  at(position: number): string | null {
    if (this.valid !== null && this.valid[position] === 0) return null;
    const { starts, ends, bytes } = this;
    this.#ascii ??= isAscii(bytes) ? new TextDecoder('latin1').decode(bytes) : null;
    if (this.#ascii !== null) return this.#ascii.slice(starts[position], ends[position]);
    return decoder.decode(bytes.subarray(starts[position], ends[position]));
  }

  /** Which of the words each cell is: its position in `words`, −1 for another text and −2 for no cell. */
  positionsIn(words: readonly string[]): Int8Array {
    return this.#positions.once(JSON.stringify(words), () => this.#positionsIn(words));
  }

  #positionsIn(words: readonly string[]): Int8Array {
    const { starts, ends, bytes, valid, length } = this;
    const candidates = words.map((word) => new TextEncoder().encode(word));
    // the words of one slot follow one another: first[slot], then next of each
    const first = new Int8Array(wordSlots).fill(-1);
    const next = new Int8Array(words.length);
    for (const [k, { length: size, 0: letter = 0 }] of candidates.entries()) {
      const slot = wordSlot(size, letter);
      next[k] = first[slot];
      first[slot] = k;
    }
    const positions = new Int8Array(length);
    for (let i = 0; i < length; i++) {
      if (valid !== null && valid[i] === 0) {
        positions[i] = -2;
        continue;
      }
      const start = starts[i];
      const size = ends[i] - start;
      let k = first[wordSlot(size, size === 0 ? 0 : bytes[start])];
      while (k >= 0 && !standsAt(bytes, start, size, candidates[k])) k = next[k];
      positions[i] = k;
    }
    return positions;
  }
}

function standsAt(bytes: Uint8Array, start: number, size: number, word: Uint8Array): boolean {
  if (word.length !== size) return false;
  for (let k = 0; k < size; k++) if (word[k] !== bytes[start + k]) return false;
  return true;
}

export type BinaryCells = NumberCells | NumberListCells | TextCells;

export const isBinary = (cells: unknown): cells is BinaryCells =>
  cells instanceof NumberCells || cells instanceof NumberListCells || cells instanceof TextCells;
