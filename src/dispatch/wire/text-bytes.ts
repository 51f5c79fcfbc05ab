/** Text in pieces → its bytes, each piece written where it stays: of a large answer there is never one string. */

/** A character of a string takes at most so many bytes. */
const bytesACharacter = 3;
const leastRoom = 64 * 1024;

export class TextBytes {
  #bytes = Buffer.alloc(0);
  #used = 0;

  readonly take = (text: string): void => {
    if (this.#used === 0) {
      // as a rule all there is
      this.#bytes = Buffer.from(text);
      this.#used = this.#bytes.length;
      return;
    }
    const needed = this.#used + bytesACharacter * text.length;
    if (needed > this.#bytes.length) {
      const longer = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length, leastRoom));
      this.#bytes.copy(longer, 0, 0, this.#used);
      this.#bytes = longer;
    }
    this.#used += this.#bytes.write(text, this.#used);
  };

  /** What has been taken, until more is. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }
}
