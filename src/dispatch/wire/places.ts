/**
 * Where large bodies and answers of known length go. The system gives out new memory slower than bytes are copied into
 * it, so the place of one is kept for the next.
 */

/** Smaller ones come in one chunk or a few. */
export const placedFromBytes = 256 * 1024;
/** A place is kept so long for the next. */
const keptMs = 4000;

export class Places {
  #last: ArrayBufferLike | null = null;
  #forgetting: NodeJS.Timeout | undefined;

  take(length: number): Buffer {
    const last = this.#last;
    if (last === null || length > last.byteLength || last.byteLength > 2 * length)
      return Buffer.allocUnsafeSlow(length);
    this.#keep(null);
    return Buffer.from(last, 0, length);
  }

  /** Nobody will read or write any more what is in the place: it is the next one's, if that comes soon. */
  giveBack({ buffer }: Uint8Array): void {
    if (buffer.byteLength >= placedFromBytes) this.#keep(buffer);
  }

  #keep(place: ArrayBufferLike | null): void {
    this.#last = place;
    clearTimeout(this.#forgetting);
    if (place !== null) this.#forgetting = setTimeout(() => this.#keep(null), keptMs).unref();
  }
}
