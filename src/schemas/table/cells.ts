/**
 * Columns that came in binary form: numbers and texts by position, without a JavaScript value for each. A column that
 * knows how takes them whole; any other reads them cell by cell, as it reads JSON.
 */

/** Numbers; `valid` has a 1 for each cell that is there, and is null where all are. */
export class NumberCells {
  readonly length: number;
  readonly values: Float64Array;
  readonly valid: Uint8Array | null;

  constructor(values: Float64Array, valid: Uint8Array | null) {
    this.length = values.length;
    this.values = values;
    this.valid = valid;
  }

  at(position: number): number | null {
    return this.valid !== null && this.valid[position] === 0 ? null : this.values[position];
  }
}

/** A mark of the order of bytes is a character like others within a text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Texts in UTF-8: cell i is `bytes` from `offsets[i]` to `offsets[i + 1]`. */
export class TextCells {
  readonly length: number;
  readonly offsets: Int32Array;
  readonly bytes: Uint8Array;
  readonly valid: Uint8Array | null;
  /** All the bytes as one text where they are ASCII, of which every cell is a part; undefined until it is asked for. */
  #ascii: string | null | undefined;

  constructor(offsets: Int32Array, bytes: Uint8Array, valid: Uint8Array | null) {
    this.length = offsets.length - 1;
    this.offsets = offsets;
    this.bytes = bytes;
    this.valid = valid;
  }

  at(position: number): string | null {
    if (this.valid !== null && this.valid[position] === 0) return null;
    const { offsets, bytes } = this;
    this.#ascii ??= bytes.every((byte) => byte < 0x80) ? new TextDecoder('latin1').decode(bytes) : null;
    if (this.#ascii !== null) return this.#ascii.slice(offsets[position], offsets[position + 1]);
    return decoder.decode(bytes.subarray(offsets[position], offsets[position + 1]));
  }

  /** Which of the words each cell is: its position in `words`, −1 for another text and −2 for no cell. */
  positionsIn(words: readonly string[]): Int8Array {
    const { offsets, bytes, valid, length } = this;
    const candidates = words.map((word) => new TextEncoder().encode(word));
    const positions = new Int8Array(length);
    const matches = (candidate: Uint8Array, start: number, size: number): boolean => {
      if (candidate.length !== size) return false;
      for (let k = 0; k < size; k++) if (candidate[k] !== bytes[start + k]) return false;
      return true;
    };
    // neighbours are often alike
    let last = 0;
    for (let i = 0; i < length; i++) {
      if (valid !== null && valid[i] === 0) {
        positions[i] = -2;
        continue;
      }
      const start = offsets[i];
      const size = offsets[i + 1] - start;
      if (!matches(candidates[last], start, size)) {
        const found = candidates.findIndex((candidate) => matches(candidate, start, size));
        if (found < 0) {
          positions[i] = -1;
          continue;
        }
        last = found;
      }
      positions[i] = last;
    }
    return positions;
  }
}

export type BinaryCells = NumberCells | TextCells;

export const isBinary = (cells: unknown): cells is BinaryCells =>
  cells instanceof NumberCells || cells instanceof TextCells;
