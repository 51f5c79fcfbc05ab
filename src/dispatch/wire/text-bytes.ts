/** Text in pieces → its bytes, each piece written where it stays: of a large answer there is never one string. */

import { type Hands, type Part, unlimitedBudget } from '../../solvers/budget.ts';
import { doneInRuns, evenRuns, sharedNumbers } from '../../solvers/parts.ts';
import { comma } from '../lifted/json-bytes.ts';
import { longestWritten, writeNumber } from '../written/number.ts';

/** A character of a string takes at most so many bytes. */
const bytesACharacter = 3;
/** Numbers for which room is made at a time. */
const numbersAtOnce = 1024;
/** So many, some 20 ms, are worth another thread. */
const leastNumbers = 250_000;
/** Lists of bytes begin small, and each is twice the one before up to the largest. */
const leastRoom = 64 * 1024;
const mostRoom = 4 * 1024 * 1024;

/** Numbers with commas between. */
export const numbersPart: Part<Float64Array, readonly Uint8Array[]> = {
  name: 'written-numbers',
  run(values) {
    const text = new TextBytes();
    text.numbers(values);
    return text.pieces;
  },
};

export class TextBytes {
  readonly #full: Uint8Array[] = [];
  readonly #hands: Hands | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #used = 0;

  /** @param hands who writes some of the numbers */
  constructor(hands?: Hands) {
    this.#hands = hands;
  }

  readonly take = (text: string): void => {
    const most = bytesACharacter * text.length;
    if (most > this.#bytes.length - this.#used) this.#open(most);
    this.#used += this.#bytes.write(text, this.#used);
  };

  /** Numbers with commas between. */
  numbers(values: ArrayLike<number>): void {
    const cuts = values instanceof Float64Array ? evenRuns(values.length, this.#hands, leastNumbers) : [];
    if (cuts.length > 2 && values instanceof Float64Array) this.#inRuns(values, cuts);
    else this.#numbers(values);
  }

  #inRuns(values: Float64Array, cuts: readonly number[]): void {
    const budget = { ...unlimitedBudget(), hands: this.#hands };
    const runs = doneInRuns(numbersPart, cuts, (from, to) => sharedNumbers(values, from, to), budget);
    for (const [k, pieces] of runs.entries()) {
      if (k > 0) this.take(',');
      this.#close();
      this.#full.push(...pieces);
    }
  }

  #numbers(values: ArrayLike<number>): void {
    for (let from = 0; from < values.length; from += numbersAtOnce) {
      const to = Math.min(values.length, from + numbersAtOnce);
      const most = (longestWritten + 1) * (to - from);
      if (most > this.#bytes.length - this.#used) this.#open(most);
      const bytes = this.#bytes;
      let at = this.#used;
      for (let i = from; i < to; i++) {
        if (i > 0) bytes[at++] = comma;
        at = writeNumber(values[i], bytes, at);
      }
      this.#used = at;
    }
  }

  /** A list of bytes with room for so many at least. */
  #open(room: number): void {
    const next = Math.min(mostRoom, Math.max(leastRoom, 2 * this.#bytes.length));
    this.#close();
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(room, next));
    this.#used = 0;
  }

  /** What has been taken since the last list was closed is a list of its own; what is left of its room stays open. */
  #close(): void {
    if (this.#used > 0) this.#full.push(this.#bytes.subarray(0, this.#used));
    this.#bytes = this.#bytes.subarray(this.#used);
    this.#used = 0;
  }

  /** What has been taken, until more is: lists of bytes that follow one another. */
  get pieces(): readonly Uint8Array[] {
    return [...this.#full, this.#bytes.subarray(0, this.#used)];
  }
}
