/** A log's file → its text, piece by piece. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { encodingOf } from '../logs/text-pieces.ts';
import { UnreadableInput } from './failures.ts';

/** Bytes that are read at a time. */
const pieceBytes = 2 ** 20;

/**
 * Unpacked where it is gzip; `-` is stdin.
 *
 * @throws UnreadableInput where it cannot be unpacked
 */
export async function* textOf(file: string): AsyncGenerator<string> {
  const raw = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: pieceBytes });
  const pieces: AsyncIterator<Uint8Array> = raw[Symbol.asyncIterator]();
  // The first piece tells whether it is packed; unpacked, it tells the encoding.
  const first = await pieces.next();
  if (first.done === true) return;
  const whole = (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  })();
  const isPacked = first.value[0] === 0x1f && first.value[1] === 0x8b;
  const unpacked = isPacked ? Readable.from(whole).pipe(createGunzip({ chunkSize: pieceBytes })) : whole;
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  try {
    for await (const bytes of unpacked) {
      decoder ??= new TextDecoder(encodingOf(bytes));
      yield decoder.decode(bytes, { stream: true });
    }
  } catch (error) {
    if (!isPacked) throw error;
    throw new UnreadableInput(`${file}: it cannot be unpacked: ${error instanceof Error ? error.message : error}`);
  }
  if (decoder !== null) yield decoder.decode();
}
