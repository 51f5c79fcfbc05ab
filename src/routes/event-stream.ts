/**
 * An operation's answer as server-sent events, for callers that ask for `text/event-stream`. `progress` comes while the
 * solve runs, then one `answer` (the envelope) or one `problem`, and the end. Refusals before the request reaches its
 * operation (404, 413, 415, 429 …) are answered as everywhere else.
 */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { isNamed } from '../plugins/media-types.ts';
import type { Progress } from '../solvers/budget.ts';
import type { RoutedResult } from '../workers/answer.ts';

const eventStreamType = 'text/event-stream';

/** A line with nothing to say, so that no proxy on the way takes a long solve for a dead connection. */
const keepAliveMs = 15_000;

/** True when the caller wants events. */
export const wantsEvents = (accept: string | undefined): boolean => isNamed(accept, eventStreamType);

/** The events of one request. */
export class EventStream {
  readonly #stream: Readable;
  readonly #keepAlive: NodeJS.Timeout;
  /** False while the caller does not read: what is only progress is then left out, so that nothing piles up. */
  #isReading = true;

  constructor() {
    const read = (): void => {
      this.#isReading = true;
    };
    this.#stream = new Readable({ read });
    // The headers leave with the first bytes: the caller knows at once that its request was accepted.
    this.#stream.push(': solving\n\n');
    this.#keepAlive = setInterval(() => this.#isReading && this.#stream.push(':\n\n'), keepAliveMs);
    this.#stream.once('close', () => clearInterval(this.#keepAlive));
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
    if (this.#isReading) this.#event('progress', JSON.stringify({ fraction, incumbent, bound }));
  }

  /** Sends the last event and ends. */
  finish(result: RoutedResult, requestId: string): void {
    clearInterval(this.#keepAlive);
    if (result.kind === 'answer') this.#event('answer', result.body);
    if (result.kind === 'problem') {
      this.#event('problem', JSON.stringify({ ...result.problem, instance: requestId }));
    }
    if (!this.#stream.destroyed) this.#stream.push(null);
  }

  /** Data is JSON without line breaks, so it fits on its one line. */
  #event(name: string, data: string | Uint8Array): void {
    if (this.#stream.destroyed) return;
    this.#stream.push(`event: ${name}\ndata: `);
    this.#stream.push(data);
    this.#isReading = this.#stream.push('\n\n');
  }
}
