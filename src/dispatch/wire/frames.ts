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
  const json = JSON.stringify(head);
  // Blanks up to a multiple of eight: the other side can then view numbers of the body where they lie.
  const text = Buffer.from(json + ' '.repeat(-Buffer.byteLength(json) & 7));
  const start = Buffer.allocUnsafe(lengths);
  start.writeUInt32LE(text.length, 0);
  start.writeUInt32LE(length, 4);
  if (length > joinedBytes) return [Buffer.concat([start, text]), ...body];
  return [Buffer.concat([start, text, ...body])];
}

/**
 * Puts frames together from the chunks they arrive in. Each body is copied once, to where it stays, or read to there by
 * whoever asks for its place.
 */
export class FrameReader {
  readonly #onFrame: (head: string, body: Buffer) => void;
  readonly #start = Buffer.alloc(lengths);
  #content: Buffer | null = null;
  #filled = 0;

  constructor(onFrame: (head: string, body: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) {
      const target = this.#content ?? this.#start;
      const taken = chunk.copy(target, this.#filled, at);
      at += taken;
      this.#filled += taken;
      if (this.#filled === target.length) this.#complete();
    }
  }

  /** Where the rest of a frame is to stay, if that is so long; bytes read to its start are then told to `took`. */
  place(least: number): Buffer | null {
    const rest = this.#content?.subarray(this.#filled);
    return rest !== undefined && rest.length >= least ? rest : null;
  }

  took(bytes: number): void {
    this.#filled += bytes;
    if (this.#filled === this.#content?.length) this.#complete();
  }

  #complete(): void {
    this.#filled = 0;
    if (this.#content === null) {
      // Memory of its own: a view of a shared pool would keep the pool alive with the body.
      this.#content = Buffer.allocUnsafeSlow(this.#start.readUInt32LE(0) + this.#start.readUInt32LE(4));
      return;
    }
    const content = this.#content;
    this.#content = null;
    const headLength = this.#start.readUInt32LE(0);
    this.#onFrame(content.toString('utf8', 0, headLength), content.subarray(headLength));
  }
}
