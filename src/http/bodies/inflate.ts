/**
 * Inflating compressed bodies. It runs in the threads of the runtime, not on the event loop, chunk by chunk, and ends
 * with the first chunk past a limit. Bytes and ratio bound what a small body may become before it is held.
 */
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import zlib, { constants } from 'node:zlib';

/** A body may inflate to this many times its size: JSON and Arrow columns inflate to some twenty times at most. */
export const maxInflation = 200;
/** Below this many bytes a ratio says nothing. */
const ratioFromBytes = 1024 * 1024;
const chunkSize = 256 * 1024;
/** The most memory for the window of a zstd stream is 2 to this. */
const windowLog = 24;

type Decoder = Transform & { readonly bytesWritten: number };

/** Decoders by the name of the encoding; zstd is there from Node 22.15 on. */
export const encodings: ReadonlyMap<string, () => Decoder> = new Map<string, () => Decoder>([
  ['gzip', () => zlib.createGunzip({ chunkSize })],
  ['br', () => zlib.createBrotliDecompress({ chunkSize })],
  ...('createZstdDecompress' in zlib
    ? [
        [
          'zstd',
          () => zlib.createZstdDecompress({ chunkSize, params: { [constants.ZSTD_d_windowLogMax]: windowLog } }),
        ] as const,
      ]
    : []),
]);

interface InflateLimits {
  readonly maxBytes: number;
  /** Counts bytes among those held; false where there is no room for them. */
  readonly hold: (bytes: number) => boolean;
}

/** A refusal with a status of its own. */
class InflateError extends Error {
  override readonly name = 'InflateError';
  readonly code = 'ERR_INFLATE';
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** The inflated body; null where the encoding is not known. */
export function inflating(encoding: string, payload: Readable, { maxBytes, hold }: InflateLimits): Readable | null {
  const decoder = encodings.get(encoding === 'x-gzip' ? 'gzip' : encoding)?.();
  if (decoder === undefined) return null;
  let inflated = 0;
  const guard = new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      inflated += chunk.length;
      const most = maxInflation * decoder.bytesWritten;
      if (inflated > maxBytes) {
        done(new InflateError(413, `the body inflates to more than the ${maxBytes} bytes that this server accepts`));
      } else if (inflated > ratioFromBytes && inflated > most) {
        done(new InflateError(413, `the body inflates to more than ${maxInflation} times its size`));
      } else if (!hold(chunk.length)) {
        done(new InflateError(503, 'too many bytes are held already; try again in a while'));
      } else done(null, chunk);
    },
  });
  // The framework holds the declared length against the bytes that came, not against those they become.
  Object.defineProperty(guard, 'receivedEncodedLength', { get: () => decoder.bytesWritten });
  decoder.on('error', (error) => {
    guard.destroy(
      new InflateError(400, `the body is not ${encoding} data, or is truncated: ${error.message.slice(0, 100)}`),
    );
  });
  payload
    .on('error', (error) => guard.destroy(error))
    .pipe(decoder)
    .pipe(guard);
  // The payload itself lives on: the answer to a body that cannot be inflated goes over the same connection.
  guard
    .on('error', () => {})
    .once('close', () => {
      payload.unpipe(decoder);
      decoder.destroy();
    });
  return guard;
}
