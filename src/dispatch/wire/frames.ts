/**
 * How bytes cross between the service and its worker processes. A frame is the length of its head and of its body (4
 * bytes each, little-endian), the head (JSON), the body (bytes as they are). Bodies are never turned into anything
 * else.
 */

/** The file descriptor on which a worker process reads and writes frames. */
export const frameDescriptor = 3;

const lengths = 8;
/** Bodies up to this size leave together with their head, in one write. */
const joinedBytes = 64 * 1024;

/** The pieces of a frame whose body is these lists, to be written one after the other. */
export function framePieces(head: object, body: readonly Uint8Array[]): Uint8Array[] {
  const length = body.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const text = Buffer.from(JSON.stringify(head));
  const start = Buffer.allocUnsafe(lengths);
  start.writeUInt32LE(text.length, 0);
  start.writeUInt32LE(length, 4);
  if (length > joinedBytes) return [Buffer.concat([start, text]), ...body];
  return [Buffer.concat([start, text, ...body])];
}

/** Memory of its own: a view of a shared pool would keep the pool alive with the body, and numbers could not be viewed. */
export const ownPlace = (length: number): Buffer => Buffer.allocUnsafeSlow(length);

/**
 * Puts frames together from the chunks they arrive in. Each body is copied once, to where it stays, or read to there by
 * whoever asks for its place.
 */
export class FrameReader<Head> {
  readonly #onFrame: (head: Head, body: Buffer) => void;
  readonly #placeOf: (length: number, head: Head) => Buffer;
  readonly #start = Buffer.alloc(lengths);
  /** What arrives: the lengths, a head, or a body, whose head is known. */
  #target: Buffer = this.#start;
  #filled = 0;
  #head: { readonly known: Head } | null = null;

  /** @param placeOf where a body of such a head is to stay */
  constructor(onFrame: (head: Head, body: Buffer) => void, placeOf: (length: number, head: Head) => Buffer = ownPlace) {
    this.#onFrame = onFrame;
    this.#placeOf = placeOf;
  }

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.copy(this.#target, this.#filled, at);
      at += taken;
      this.took(taken);
    }
  }

  /** Where the rest of a body is to stay, if that is so long; bytes read to its start are then told to `took`. */
  place(least: number): Buffer | null {
    const rest = this.#target.subarray(this.#filled);
    return rest.length >= least ? rest : null;
  }

  took(bytes: number): void {
    this.#filled += bytes;
    while (this.#filled === this.#target.length) this.#complete();
  }

  #complete(): void {
    const content = this.#target;
    this.#filled = 0;
    if (this.#head !== null) {
      const { known } = this.#head;
      this.#target = this.#start;
      this.#head = null;
      this.#onFrame(known, content);
    } else if (content === this.#start) this.#target = Buffer.allocUnsafe(this.#start.readUInt32LE(0));
    else {
      const known: Head = JSON.parse(content.toString());
      this.#head = { known };
      this.#target = this.#placeOf(this.#start.readUInt32LE(4), known);
    }
  }
}
