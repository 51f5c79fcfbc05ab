/**
 * An operation's answer as server-sent events, for callers that ask for `text/event-stream`. `progress` comes while the
 * solve runs, then one `answer` (the envelope) or one `problem`, and the end. Refusals before the request reaches its
 * operation (404, 413, 415, 429 …) are answered as everywhere else.
 */
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { namesMediaType } from '../plugins/media-types.ts';
import type { Progress } from '../solvers/budget.ts';
import type { RoutedResult } from '../workers/answer.ts';

const eventStreamType = 'text/event-stream';

/** Interval of empty comments, ms: without them a proxy takes a long solve for a dead connection. */
const keepAliveMs = 15_000;

/** True when the caller wants events. */
export const wantsEvents = (accept: string | undefined): boolean => namesMediaType(accept, eventStreamType);

/** The events of one request; data is JSON without line breaks, so it fits on its one line. */
export class EventStream {
  readonly #stream = new PassThrough();

  constructor() {
    // The headers leave with the first bytes: the caller knows at once that its request was accepted.
    this.#stream.write(': solving\n\n');
    const keepAlive = setInterval(() => this.#writeIfRead(':\n\n'), keepAliveMs);
    this.#stream.once('close', () => clearInterval(keepAlive));
  }

  /** Sends the stream as the reply. */
  sendTo(reply: FastifyReply): FastifyReply {
    return reply
      .header('content-type', `${eventStreamType}; charset=utf-8`)
      .header('cache-control', 'no-store')
      .header('x-accel-buffering', 'no')
      .send(this.#stream);
  }

  progress({ fraction = null, incumbent = null, bound = null }: { [Name in keyof Progress]?: number | null }): void {
    this.#writeIfRead(`event: progress\ndata: ${JSON.stringify({ fraction, incumbent, bound })}\n\n`);
  }

  /** Sends the last event and ends. */
  finish(result: Exclude<RoutedResult, { kind: 'left' }>, requestId: string): void {
    this.#stream.write(`event: ${result.kind}\ndata: `);
    const { kind } = result;
    this.#stream.write(kind === 'answer' ? result.body : JSON.stringify({ ...result.problem, instance: requestId }));
    this.#stream.end('\n\n');
  }

  /** Drops the text while the caller is not reading, so that progress does not pile up in memory. */
  #writeIfRead(text: string): void {
    if (!this.#stream.writableNeedDrain) this.#stream.write(text);
  }
}
