/** Inflates compressed bodies and files; bodies in a worker, so that a large one blocks no other request. */
import type { Transform } from 'node:stream';
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync } from 'node:zlib';
import type { ByteChunks } from '../logs/decode-chunks.ts';
import { problem } from '../schemas/contract/problem.ts';
import { type Refusal, refuse } from './pipeline.ts';

const inflaters = {
  gzip: { whole: gunzipSync, stream: createGunzip },
  br: { whole: brotliDecompressSync, stream: createBrotliDecompress },
};
type Encoding = keyof typeof inflaters;
export const encodings = Object.keys(inflaters);
export const isEncoding = (name: string): name is Encoding => encodings.includes(name);

/** The encoding of a body, and the largest size it may inflate to. */
export interface BodyEncoding {
  /** Undefined for a crawl log without a stated encoding: gzip is then detected. */
  readonly encoding: Encoding | undefined;
  readonly maxBytes: number;
  /** Detail of the refusal of a body that inflates to more. */
  readonly tooLarge: string;
}

/** Inflates a whole body. Inflation stops at `maxBytes`, so that a bomb takes no more memory than that. */
export function inflate(body: Uint8Array, { encoding, maxBytes, tooLarge }: BodyEncoding): Uint8Array | Refusal {
  if (encoding === undefined) return body;
  try {
    return inflaters[encoding].whole(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ERR_BUFFER_TOO_LARGE') return refuse(problem('too-large', tooLarge));
    return refuseInflation(new InflationError(encoding, error));
  }
}

/** Data that is damaged, or not in the encoding that was stated. */
export class InflationError extends Error {
  override readonly name = 'InflationError';
  readonly encoding: Encoding;

  constructor(encoding: Encoding, cause: unknown) {
    super(cause instanceof Error ? cause.message.slice(0, 100) : 'unreadable', { cause });
    this.encoding = encoding;
  }
}

export const refuseInflation = ({ encoding, message }: InflationError): Refusal =>
  refuse(problem('bad-request', `the body is not ${encoding} data, or is truncated: ${message}`));

/** Packed bytes that are inflated at a time: all that they inflate to is in memory at once. */
const packedBytes = 2 ** 16;

/** Whether bytes begin like gzip. */
const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;

/**
 * Inflates bytes that arrive in pieces, as far as they go.
 *
 * @param encoding if left out, gzip is detected, and other bytes are passed on
 * @param onCut called if the bytes end before the packed data does; what was inflated of it follows
 * @throws InflationError for bytes that are no such data
 */
export async function* inflatePieces(
  pieces: ByteChunks,
  encoding: Encoding | undefined,
  onCut: () => void,
): AsyncGenerator<Uint8Array> {
  let inflater: ReturnType<typeof inflaterOf> | undefined;
  let isPlain: boolean | undefined;
  for await (const bytes of pieces) {
    isPlain ??= encoding === undefined && !isGzip(bytes);
    if (isPlain) {
      yield bytes;
      continue;
    }
    inflater ??= inflaterOf(encoding ?? 'gzip');
    for (let from = 0; from < bytes.length; from += packedBytes) {
      yield* await inflater.push(bytes.subarray(from, from + packedBytes));
    }
  }
  if (inflater !== undefined) yield* await inflater.end(onCut);
}

/** Wraps a decoder of zlib, whose iterator would lose what was inflated before an error. */
function inflaterOf(encoding: Encoding) {
  const decoder: Transform = inflaters[encoding].stream({ chunkSize: 2 ** 20 });
  const inflatedPieces: Uint8Array[] = [];
  let failure: (Error & { readonly code?: string }) | undefined;
  const closeEvent = new Promise((resolve) => decoder.once('close', resolve));
  decoder.on('data', (piece: Uint8Array) => inflatedPieces.push(piece));
  decoder.on('error', (error) => (failure = error));
  const take = (): Uint8Array[] => {
    if (failure !== undefined) throw new InflationError(encoding, failure);
    return inflatedPieces.splice(0);
  };
  return {
    /** Inflates a part of the packed data. @throws InflationError */
    async push(part: Uint8Array): Promise<Uint8Array[]> {
      await Promise.race([closeEvent, new Promise((resolve) => decoder.write(part, resolve))]);
      return take();
    },
    /** Returns the rest; `onCut` is called if the packed data is truncated. @throws InflationError */
    async end(onCut: () => void): Promise<Uint8Array[]> {
      decoder.end();
      await closeEvent;
      if (failure?.code !== 'Z_BUF_ERROR') return take();
      onCut();
      return inflatedPieces;
    },
  };
}
