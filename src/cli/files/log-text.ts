/** A log's file → its text, piece by piece. */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { LogRefusal } from '../../logs/log-record.ts';
import { encodingOf } from '../../logs/text-pieces.ts';

/** Bytes that are read at a time. */
const pieceBytes = 2 ** 20;

/**
 * Unpacked where it is gzip; `-` is stdin.
 *
 * @throws LogRefusal where it cannot be unpacked
 */
export async function* textOf(file: string): AsyncGenerator<string> {
  const raw = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: pieceBytes });
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  for await (const bytes of unpacked(raw)) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    yield decoder.decode(bytes, { stream: true });
  }
  if (decoder !== null) yield decoder.decode();
}

/** The bytes of a stream, without gzip, in pieces of which the first tells the encoding. */
async function* unpacked(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = raw[Symbol.asyncIterator]();
  const first = await pieces.next();
  if (first.done === true) return;
  const rest = { [Symbol.asyncIterator]: () => pieces };
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) {
    yield first.value;
    yield* rest;
    return;
  }
  const whole = async function* (): AsyncGenerator<Uint8Array> {
    yield first.value;
    yield* rest;
  };
  try {
    yield* Readable.from(whole()).pipe(createGunzip({ chunkSize: pieceBytes }));
  } catch (error) {
    throw new LogRefusal(`it cannot be unpacked: ${error instanceof Error ? error.message : String(error)}`);
  }
}
