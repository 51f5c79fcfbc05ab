/** Reads a log file as text, piece by piece. */
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { encodingOf } from '../logs/text-pieces.ts';
import { UnreadableInput } from './failures.ts';

/** Bytes that are read at a time. */
const pieceBytes = 2 ** 20;

/**
 * The text of a file, unpacked if it is gzip; `-` is stdin.
 *
 * @param onCut called if a gzip file is truncated; its complete lines are read. Without it such a file is refused
 * @throws UnreadableInput if the file cannot be unpacked
 */
export async function* textOf(file: string, onCut?: () => void): AsyncGenerator<string> {
  const raw = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: pieceBytes });
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let isCut = false;
  /** An unfinished line, which is dropped if the file is truncated. */
  let rest = '';
  let hasLines = false;
  const noteCut = (): void => {
    isCut = true;
    onCut?.();
  };
  for await (const bytes of unpack(raw, file, onCut && noteCut)) {
    decoder ??= new TextDecoder(encodingOf(bytes));
    const text = rest + decoder.decode(bytes, { stream: true });
    const end = text.length > 2 * pieceBytes ? text.length : text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    hasLines ||= end > 0;
    yield text.slice(0, end);
  }
  if (decoder !== null && !(isCut && hasLines)) yield rest + decoder.decode();
}

/** The bytes of a stream, unpacked if its first two are those of gzip. */
async function* unpack(raw: AsyncIterable<Uint8Array>, file: string, onCut?: () => void): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: pieceBytes });
  const closePromise = new Promise((done) => gunzip.once('close', done));
  const pieces: Uint8Array[] = [];
  const failures: Error[] = [];
  // events instead of an iterator, which would lose what was unpacked before an error
  gunzip.on('data', (piece: Uint8Array) => pieces.push(piece)).on('error', (error) => failures.push(error));
  let isPacked: boolean | null = null;
  for await (const bytes of raw) {
    isPacked ??= bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (!isPacked) {
      yield bytes;
      continue;
    }
    await Promise.race([closePromise, new Promise((done) => gunzip.write(bytes, done))]);
    yield* pieces.splice(0);
    if (failures.length > 0) break;
  }
  if (isPacked !== true) return;
  if (failures.length === 0) gunzip.end();
  await closePromise;
  const isCut = onCut !== undefined && failures.some((failure) => Reflect.get(failure, 'code') === 'Z_BUF_ERROR');
  if (isCut) onCut();
  yield* pieces;
  if (failures.length > 0 && !isCut) {
    throw new UnreadableInput(`${file}: it cannot be unpacked: ${failures[0].message}`);
  }
}
