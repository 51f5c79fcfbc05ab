/** A log's file → its text, piece by piece. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { encodingOf } from '../logs/text-pieces.ts';
import { UnreadableInput } from './failures.ts';

/** Bytes that are read at a time. */
const pieceBytes = 2 ** 20;

/**
 * Unpacked where it is gzip; `-` is stdin.
 *
 * @param onCut called where a packed file ends too early; what arrived whole is given. Without it such a file is refused
 * @throws UnreadableInput where it cannot be unpacked
 */
export async function* textOf(file: string, onCut?: () => void): AsyncGenerator<string> {
  const raw = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: pieceBytes });
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isCut = false;
  /** An unfinished line, which is lost where the file is cut. */
  let rest = '';
  let hasLines = false;
  const noteCut = (): void => {
    isCut = true;
    onCut?.();
  };
  for await (const bytes of unpacked(raw, file, onCut && noteCut)) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    const text = rest + decoder.decode(bytes, { stream: true });
    const end = text.length > 2 * pieceBytes ? text.length : text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    hasLines ||= end > 0;
    yield text.slice(0, end);
  }
  if (decoder !== null && !(isCut && hasLines)) yield rest + decoder.decode();
}

/** The bytes of a stream, unpacked where its first two say that it is gzip. */
async function* unpacked(raw: AsyncIterable<Uint8Array>, file: string, onCut?: () => void): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  const closed = new Promise((done) => gunzip.once('close', done));
  const pieces: Uint8Array[] = [];
  const failures: Error[] = [];
  // listened to, not iterated: an iterator loses what was unpacked before an error
  gunzip.on('data', (piece: Uint8Array) => pieces.push(piece)).on('error', (error) => failures.push(error));
  let isPacked: boolean | null = null;
  for await (const bytes of raw) {
    isPacked ??= bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (!isPacked) {
      yield bytes;
      continue;
    }
    await Promise.race([closed, new Promise((done) => gunzip.write(bytes, done))]);
    yield* pieces.splice(0);
    if (failures.length > 0) break;
  }
  if (isPacked !== true) return;
  if (failures.length === 0) gunzip.end();
  await closed;
  const isCut = onCut !== undefined && failures.some((failure) => Reflect.get(failure, 'code') === 'Z_BUF_ERROR');
  if (isCut) onCut();
  yield* pieces;
  if (failures.length > 0 && !isCut) {
    throw new UnreadableInput(`${file}: it cannot be unpacked: ${failures[0].message}`);
  }
}
