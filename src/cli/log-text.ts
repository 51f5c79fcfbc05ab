/** Reads a log file as text, piece by piece. */
import { createReadStream } from 'node:fs';
import { textPieces } from '../logs/text-pieces.ts';
import { InflationError, inflatePieces } from '../workers/inflate.ts';
import { UnreadableInput } from './failures.ts';

/** Bytes that are read at a time. */
const pieceBytes = 2 ** 20;

/**
 * The text of a file, unpacked if it is gzip; `-` is stdin.
 *
 * @param onCut called if a gzip file is truncated; its complete lines are read
 * @throws UnreadableInput if the file cannot be unpacked
 */
export async function* textOf(file: string, onCut: () => void): AsyncGenerator<string> {
  const raw = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: pieceBytes });
  let isCut = false;
  const noteCut = (): void => {
    isCut = true;
    onCut();
  };
  try {
    yield* textPieces(inflatePieces(raw, undefined, noteCut), () => isCut);
  } catch (error) {
    if (!(error instanceof InflationError)) throw error;
    throw new UnreadableInput(`${file}: it cannot be unpacked: ${error.message}`);
  }
}
