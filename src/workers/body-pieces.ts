/** A crawl log on its way to the worker that reads it: in pieces, of which the next one comes when the worker asks. */
import type { Readable } from 'node:stream';
import { ProblemError, problem } from '../schemas/contract/problem.ts';
import { type Refusal, refuse } from './pipeline.ts';

/** A log takes a worker once it has so many bytes, or has arrived whole, as most have by then. */
const firstPieceBytes = 2 ** 23;
/** Bytes of each further piece: a log whose first piece comes within a minute brings them within `maxPieceMs`. */
export const nextPieceBytes = 2 ** 19;
/** A worker waits at most this long for a further piece, ms. */
export const maxPieceMs = 5000;

/** Joins the chunks of a body to pieces. A body of which not all is read stays open: its connection drains it. */
export async function* bodyPieces(body: Readable): AsyncGenerator<Uint8Array | Refusal, undefined> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let pieceBytes = firstPieceBytes;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < pieceBytes) continue;
      yield Buffer.concat(chunks, bytes);
      [chunks, bytes, pieceBytes] = [[], 0, nextPieceBytes];
    }
    yield Buffer.concat(chunks, bytes);
  } catch (error) {
    yield refuse(error instanceof ProblemError ? error.problem : problem('bad-request', 'the body broke off'));
  }
}
