/** Text in pieces → its bytes, each piece written where it stays: of a large answer there is never one string. */

import { comma } from '../lifted/json-bytes.ts';
import { longestWritten, writeNumber } from '../written/number.ts';

/** A character of a string takes at most so many bytes. */
const bytesACharacter = 3;
/** Numbers for which room is made at a time. */
const numbersAtOnce = 1024;
/** Lists of bytes begin small, and each is twice the one before up to the largest. */
const leastRoom = 64 * 1024;
const mostRoom = 4 * 1024 * 1024;

export class TextBytes {
  readonly #full: Uint8Array[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #used = 0;

  readonly take = (text: string): void => {
    const most = bytesACharacter * text.length;
    if (most > this.#bytes.length - this.#used) this.#open(most);
    this.#used += this.#bytes.write(text, this.#used);
  };

  /** Numbers with commas between. */
  numbers(values: ArrayLike<number>): void {
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
    if (this.#used > 0) this.#full.push(this.#bytes.subarray(0, this.#used));
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(room, next));
    this.#used = 0;
  }

  /** What has been taken, until more is: lists of bytes that follow one another. */
  get pieces(): readonly Uint8Array[] {
    return [...this.#full, this.#bytes.subarray(0, this.#used)];
  }
}
