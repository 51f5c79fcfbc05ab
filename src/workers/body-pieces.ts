/** A crawl log on its way to the worker that reads it, in pieces: the worker asks for each further piece. */
import type { Readable } from 'node:stream';
import { ProblemError, problem } from '../schemas/contract/problem.ts';
import { type Refusal, refuse } from './pipeline.ts';

/** Bytes of the first piece: a log gets a worker once this much of it has arrived, or all of it, as of most logs. */
const firstPieceBytes = 2 ** 23;
/** Bytes of each further piece: at the pace of one first piece a minute, a further one arrives within `maxPieceMs`. */
export const nextPieceBytes = 2 ** 19;
/** A worker waits at most this long for a further piece, ms. */
export const maxPieceMs = 5000;

/** Joins the chunks of a body into pieces. A body that is not read whole stays open: its connection drains the rest. */
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
