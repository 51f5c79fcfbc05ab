/**
 * A request's body in one piece. Where its length is announced, each chunk goes to its place as it comes. Put together
 * at the end, a large body would be held twice. Copying 100 MB holds up the event loop for a tenth of a second.
 */
import type { Readable } from 'node:stream';
import { errorCodes } from 'fastify';
import { Places, placedFromBytes } from '../../dispatch/wire/places.ts';

/** Smaller chunks are put together: an object for each byte that a caller sends would take a hundred times as much. */
const smallBytes = 4096;
const blockBytes = 64 * 1024;

interface AnnouncedBody {
  /** What the header Content-Length says; NaN without it. */
  readonly length: number;
  /** The most bytes that a body may have. */
  readonly limit: number;
  /** Left out: each body has a new place. */
  readonly places?: Places;
  /**
   * Told of a body whose place is known, and how much of it is there, while more is to come. Where it says true more is
   * read in the next turn of the event loop.
   */
  readonly arrives?: (body: Buffer, available: number) => boolean;
}

type Done = (error: Error | null, body?: Buffer) => void;

/**
 * Reads the payload to its end. One that was compressed has its own length, and says in `receivedEncodedLength` how
 * much of the announced one has come.
 */
export function readWhole(
  payload: Readable & { readonly receivedEncodedLength?: number },
  { length, limit, places = new Places(), arrives }: AnnouncedBody,
  done: Done,
): void {
  const plain = payload.receivedEncodedLength === undefined;
  const place = plain && length >= placedFromBytes && length <= limit ? places.take(length) : null;
  let only: Buffer | null = null;
  let chunks: Chunks | null = null;
  let received = 0;
  const end = (error: Error | null, body?: Buffer): void => {
    payload.off('data', take).off('end', complete).off('error', fail);
    // What goes wrong after a refusal is nobody's concern, and must not end the service.
    if (error !== null) payload.on('error', () => {});
    done(error, body);
  };
  const take = (chunk: Buffer): void => {
    received += chunk.length;
    if (received > limit) end(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    else if (plain && chunk.length === length) only = chunk;
    else if (place === null) {
      chunks ??= new Chunks();
      chunks.add(chunk);
    } else {
      chunk.copy(place, received - chunk.length);
      if (received < length && arrives?.(place, received)) {
        payload.pause();
        setImmediate(() => payload.resume());
      }
    }
  };
  const complete = (): void => {
    const arrived = payload.receivedEncodedLength ?? received;
    if (!Number.isNaN(length) && arrived !== length) end(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    else end(null, only ?? place ?? chunks?.whole(received) ?? Buffer.alloc(0));
  };
  const fail = (error: Error): void => end(Object.assign(error, { statusCode: statusOf(error) }));
  payload.on('data', take).on('end', complete).on('error', fail);
}

/** Pieces that came, small ones in blocks. */
class Chunks {
  readonly #pieces: Buffer[] = [];
  /** The last piece, where it is a block with room left. */
  #block = Buffer.alloc(0);
  #used = 0;

  add(chunk: Buffer): void {
    if (chunk.length >= smallBytes) {
      this.#close();
      this.#pieces.push(chunk);
      return;
    }
    if (this.#used + chunk.length > this.#block.length) {
      this.#close();
      this.#block = Buffer.allocUnsafeSlow(this.#pieces.length === 0 ? smallBytes : blockBytes);
    }
    this.#used += chunk.copy(this.#block, this.#used);
  }

  /** All of them. */
  whole(length: number): Buffer {
    this.#close();
    return Buffer.concat(this.#pieces, length);
  }

  #close(): void {
    if (this.#used > 0) this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = this.#block.subarray(this.#used);
    this.#used = 0;
  }
}

/** A fault in the reading is the caller's, unless it says otherwise. */
function statusOf(error: Error): number {
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 400;
}
