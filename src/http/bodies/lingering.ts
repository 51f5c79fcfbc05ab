/**
 * Refusals that are known before the body has come. A connection closed while its caller is still writing is reset. The
 * caller sees a broken pipe, and loses the answer that had arrived. So the answer is sent, what still comes is read and
 * thrown away, and only then the answer ends. It ends when the body has ended, or nothing has come for a while, or too
 * much has come, or for too long.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { whenClosed } from '../caller-left.ts';

/** What still comes of smaller bodies the runtime reads by itself; their connections can go on. */
const smallBytes = 64 * 1024;

/** How much is read of a body that nobody needs, and for how long. */
interface Patience {
  readonly bytes: number;
  readonly idleMs: number;
  readonly totalMs: number;
}

const patience: Patience = { bytes: 256 * 2 ** 20, idleMs: 5_000, totalMs: 30_000 };

/** Emitted by a response that is answered though its request goes on: what is held for it can be let go. */
const answeredEarly = 'answered-early';

/** Calls back, perhaps twice, once a response needs nothing that is held for it. */
export function whenSettled(response: ServerResponse, callback: () => void): void {
  whenClosed(response, callback);
  response.once(answeredEarly, callback);
}

/** Whether a request has a large body of which not all has come. */
export function isStillSending({ complete, headers }: IncomingMessage): boolean {
  if (complete !== false) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > smallBytes;
}

/** The text of an answer, which ends when the rest of the request has come or patience has. */
export class LingeringAnswer extends Readable {
  readonly #request: IncomingMessage;
  readonly #idle: NodeJS.Timeout;
  readonly #total: NodeJS.Timeout;
  #bytes: number;

  constructor(text: string, request: IncomingMessage, response: ServerResponse, { bytes, idleMs, totalMs } = patience) {
    super();
    this.#request = request;
    this.#bytes = bytes;
    this.#idle = setTimeout(this.#end, idleMs);
    this.#total = setTimeout(this.#end, totalMs);
    this.push(text);
    // Nobody else reads any more.
    request.unpipe();
    request.on('data', this.#discard).once('end', this.#end).once('close', this.#end).resume();
    response.emit(answeredEarly);
  }

  override _read(): void {}

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#stop();
    done(error);
  }

  readonly #discard = (chunk: Buffer): void => {
    this.#idle.refresh();
    this.#bytes -= chunk.length;
    if (this.#bytes < 0) this.#end();
  };

  readonly #end = (): void => {
    this.#stop();
    this.push(null);
  };

  #stop(): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#total);
    this.#request.off('data', this.#discard).off('end', this.#end).off('close', this.#end);
  }
}
