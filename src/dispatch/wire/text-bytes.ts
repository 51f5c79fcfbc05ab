/** Text in pieces → its bytes, each piece written where it stays: of a large answer there is never one string. */

/** A character of a string takes at most so many bytes. */
const bytesACharacter = 3;
/** Lists of bytes begin small, and each is twice the one before up to the largest. */
const leastRoom = 64 * 1024;
const mostRoom = 4 * 1024 * 1024;

export class TextBytes {
  readonly #full: Uint8Array[] = [];
  #bytes = Buffer.alloc(0);
  #used = 0;

  readonly take = (text: string): void => {
    const most = bytesACharacter * text.length;
    if (most > this.#bytes.length - this.#used) this.#open(most);
    this.#used += this.#bytes.write(text, this.#used);
  };

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
